// One group, or a new one: its name, its members and its policies.
import { MultiSelect, TextInput } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { usePolicyChoices, useUserChoices } from '../../../../ui/kit/choices.ts';
import { RecordDrawer, RemoveButton } from '../../../../ui/kit/record-drawer.tsx';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import type { Group } from '../contract.ts';

const lost = (members: number): string =>
  members === 0
    ? 'This group has no members.'
    : members === 1
      ? 'The only member loses the group’s policies immediately.'
      : `${members} members lose the group’s policies immediately.`;

type GroupDrawerProps = { group: Group | null; opened: boolean; onClose: () => void };

export function GroupDrawer({ group, opened, onClose }: GroupDrawerProps) {
  return (
    <RecordDrawer
      record={group}
      opened={opened}
      onClose={onClose}
      id={({ id }) => id}
      title={({ name }) => name}
      making={{ title: 'New group', body: <GroupForm group={null} done={onClose} /> }}
    >
      {(one) => <GroupForm group={one} done={onClose} />}
    </RecordDrawer>
  );
}

function GroupForm({ group, done }: { group: Group | null; done: () => void }) {
  const users = useUserChoices();
  const policies = usePolicyChoices();
  const create = useAct('group_create', {
    quiet: true,
    says: ({ group: made }) => `Group ${made.name} created.`,
    onSuccess: done,
  });
  const update = useAct('group_update', {
    quiet: true,
    says: 'Group saved. Its policies apply from the next request.',
    onSuccess: done,
  });
  const remove = useAct('group_delete', { says: 'Group deleted.', onSuccess: done });
  const form = useActForm(
    {
      name: group?.name ?? '',
      members: group?.members.map((member) => member.id) ?? [],
      policies: group?.policies ?? [],
    },
    (values) => (group ? update.mutateAsync({ group: group.id, ...values }) : create.mutateAsync(values)),
  );
  const { values, set, errors } = form;
  return (
    <>
      <FormStack form={form} label={group ? `Group ${group.name}` : 'New group'}>
        <TextInput label="Name" autoComplete="off" data-autofocus {...form.text('name')} />
        <MultiSelect
          label="Members"
          searchable
          data={users}
          value={values.members}
          onChange={(next) => set('members', next)}
          error={errors.members}
        />
        <MultiSelect
          label="Policies"
          searchable
          data={[...new Set([...policies, ...values.policies])]}
          value={values.policies}
          onChange={(next) => set('policies', next)}
          error={errors.policies}
        />
        <FormEnd form={form} act={group ? 'Save' : 'Create group'} />
      </FormStack>
      {group && (
        <RemoveButton
          word="Delete group"
          question={{
            title: `Delete group ${group.name}?`,
            says: lost(group.members.length),
            act: 'Delete',
          }}
          busy={remove.isPending}
          remove={() => remove.mutate({ group: group.id })}
        />
      )}
    </>
  );
}
