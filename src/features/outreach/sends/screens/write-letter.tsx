// A single letter to one person, outside any campaign: from whom, the subject and the words. It waits in review like any other.
import { Modal, Select, Textarea, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';

type WriteLetterProps = { opened: boolean; onClose: () => void; person: { id: string; name: string } };

export function WriteLetter({ opened, onClose, person }: WriteLetterProps) {
  const topmost = useTopmost(opened);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={`Write to ${person.name}`}
      size={620}
      closeOnEscape={topmost}
    >
      <WriteForm person={person} done={onClose} />
    </Modal>
  );
}

function WriteForm({ person, done }: { person: WriteLetterProps['person']; done: () => void }) {
  const navigate = useNavigate();
  const identities = useRead('identity_list', { active: true, limit: 100 }).data?.items ?? [];
  const create = useAct('letter_create', { quiet: true, says: 'Letter drafted for review.' });
  const form = useActForm(
    { identity_id: '', subject: '', text: '' },
    async ({ identity_id, subject, text }) => {
      const { send } = await create.mutateAsync({
        person_id: person.id,
        identity_id: identity_id || (identities[0]?.id ?? ''),
        subject,
        text,
      });
      done();
      void navigate({ to: '/sends/$send', params: { send: send.id } });
    },
  );
  return (
    <FormStack form={form} label="Write a letter">
      <Select
        label="From"
        allowDeselect={false}
        placeholder={identities.length === 0 ? 'No active identity' : ''}
        data={identities.map(({ id, name, address }) => ({ value: id, label: `${name} <${address}>` }))}
        value={form.values.identity_id || (identities[0]?.id ?? null)}
        error={form.errors.identity_id}
        onChange={(identity) => form.set('identity_id', identity ?? '')}
      />
      <TextInput label="Subject" maxLength={998} data-autofocus {...form.text('subject')} />
      <Textarea
        label="Text"
        description="The letter is sent after someone approves it and its gates pass."
        autosize
        minRows={8}
        maxRows={20}
        {...form.text('text')}
      />
      <FormEnd form={form} act="Create draft" cancel={done} />
    </FormStack>
  );
}
