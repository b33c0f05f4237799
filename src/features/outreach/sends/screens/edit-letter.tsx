// Edits one letter’s subject and text. It gets a new fingerprint and returns to review.
import { Textarea, TextInput } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { leaves, sends } from '../../../../ui/kit/writing-keys.ts';
import type { Send } from '../contract.ts';

export function EditLetter({ send, done }: { send: Send; done: (saved: boolean) => void }) {
  const update = useAct('send_update', { quiet: true, says: 'Saved. The letter is back in review.' });
  const form = useActForm(
    { subject: send.subject, text: send.text, reason: '' },
    async ({ subject, text, reason }) => {
      await update.mutateAsync({
        send: send.id,
        revision: send.revision,
        subject,
        text,
        ...(reason.trim() ? { reason: reason.trim() } : {}),
      });
      done(true);
    },
  );
  const { subject, text, reason } = form.values;
  const typed = subject !== send.subject || text !== send.text || reason !== '';
  const giveUp = async (): Promise<void> => {
    const sure = { title: 'Discard your changes?', says: 'The letter stays as it is.', act: 'Discard' };
    if (!typed || (await confirm({ ...sure, tone: 'bad' }))) done(false);
  };
  return (
    <div
      onKeyDown={(event) => {
        if (leaves(event)) {
          event.stopPropagation();
          void giveUp();
        }
        if (sends(event)) event.currentTarget.querySelector('form')?.requestSubmit();
      }}
    >
      <FormStack form={form} label="Edit the letter">
        <TextInput label="Subject" maxLength={998} {...form.text('subject')} data-autofocus autoFocus />
        <Textarea
          label="Text"
          description={
            send.html === null
              ? 'Shown as sent, with signature and unsubscribe link.'
              : 'This letter has an HTML part. If you change the text, it becomes plain text.'
          }
          autosize
          minRows={10}
          maxRows={26}
          {...form.text('text')}
        />
        <TextInput
          label="Reason for the change"
          description="Shown in the history. Optional."
          maxLength={500}
          {...form.text('reason')}
        />
        <FormEnd form={form} act="Save" cancel={() => done(false)} />
      </FormStack>
    </div>
  );
}
