// A new item with what matters at once: title, text, column, priority, whose it is, labels.
import { Modal, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useRead, useAct } from '../../../../../ui/client/hooks.ts';
import { FormEnd, FormPairs, FormStack, useActForm } from '../../../../../ui/kit/form.tsx';
import { PRIORITY, type Priority, PRIORITIES } from '../../../../../ui/kit/pills.tsx';
import type { Board } from '../../contract.ts';

export function NewItem({ project, close }: { project: Board['project']; close: () => void }) {
  const create = useAct('item_create', {
    quiet: true,
    says: ({ item }) => `${item.key} added to the board.`,
  });
  const workers = useRead('assignee_list', { limit: 100 }, { stale_ms: 120_000 }).data?.items ?? [];
  const form = useActForm(
    {
      title: '',
      description: '',
      status: 'backlog' as 'backlog' | 'todo',
      priority: 'none' as Priority,
      assignee: null as string | null,
      labels: [] as string[],
    },
    async (values) => {
      await create.mutateAsync({ project: project.key, ...values });
      close();
    },
  );
  return (
    <Modal opened onClose={close} title={`New item in ${project.name}`} size={560}>
      <FormStack form={form} label="New item">
        <TextInput
          label="Title"
          data-autofocus
          maxLength={300}
          placeholder="What needs to be done?"
          {...form.text('title')}
        />
        <Textarea
          label="Description"
          description="Markdown supported. Describe what done looks like."
          autosize
          minRows={4}
          maxRows={14}
          maxLength={20_000}
          {...form.text('description')}
        />
        <FormPairs>
          <Select
            label="Column"
            allowDeselect={false}
            data={[
              { value: 'backlog', label: 'Backlog' },
              { value: 'todo', label: 'To do' },
            ]}
            value={form.values.status}
            onChange={(status) => form.set('status', status ?? 'backlog')}
          />
          <Select
            label="Priority"
            allowDeselect={false}
            data={PRIORITIES.map((value) => ({ value, label: PRIORITY[value].title }))}
            value={form.values.priority}
            onChange={(priority) => form.set('priority', priority ?? 'none')}
          />
          <Select
            label="Assignee"
            clearable
            searchable
            placeholder="Unassigned"
            clearButtonProps={{ 'aria-label': 'Remove assignee' }}
            data={workers.map((who) => ({
              value: who.id,
              label: who.kind === 'person' ? who.name : `${who.name} (${who.kind})`,
            }))}
            value={form.values.assignee}
            error={form.errors.assignee}
            onChange={(assignee) => form.set('assignee', assignee)}
          />
          <TagsInput
            label="Labels"
            data={project.labels}
            value={form.values.labels}
            error={form.errors.labels}
            onChange={(labels) => form.set('labels', labels)}
          />
        </FormPairs>
        <FormEnd form={form} act="Create" cancel={close} />
      </FormStack>
    </Modal>
  );
}
