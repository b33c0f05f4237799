// A template being written or renamed.
import { Modal, Textarea, TextInput } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';
import type { Template } from '../templates.contract.ts';

type DialogProps = { opened: boolean; template: Template | undefined; close: () => void };

export function TemplateDialog({ opened, template, close }: DialogProps) {
  const topmost = useTopmost(opened);
  const title = template ? 'Edit template' : 'New template';
  return (
    <Modal opened={opened} onClose={close} title={title} size={620} closeOnEscape={topmost}>
      <Form
        key={template ? `${template.id} ${template.revision}` : 'new'}
        before={template}
        title={title}
        close={close}
      />
    </Modal>
  );
}

function Form({ before, title, close }: { before: Template | undefined; title: string; close: () => void }) {
  const create = useAct('template_create', { quiet: true, says: 'Template saved' });
  const update = useAct('template_update', { quiet: true, says: 'Template saved' });
  const form = useActForm(
    { name: before?.name ?? '', subject: before?.subject ?? '', text: before?.text ?? '' },
    async ({ name, subject, text }) => {
      const letter = { name, text, subject: subject.trim() || null };
      // A formatted version would go on saying the old words.
      const html = before && before.text !== text ? { html: null } : {};
      if (before)
        await update.mutateAsync({ template: before.id, revision: before.revision, ...letter, ...html });
      else await create.mutateAsync(letter);
      close();
    },
  );
  return (
    <FormStack form={form} label={title}>
      <TextInput label="Name" maxLength={200} data-autofocus {...form.text('name')} />
      <TextInput label="Subject" description="Optional" maxLength={500} {...form.text('subject')} />
      <Textarea
        label="Text"
        description="Merge fields such as {{ person.given }} are filled in for each person."
        autosize
        minRows={8}
        maxRows={20}
        maxLength={50_000}
        {...form.text('text')}
      />
      <FormEnd form={form} act="Save template" cancel={close} />
    </FormStack>
  );
}
