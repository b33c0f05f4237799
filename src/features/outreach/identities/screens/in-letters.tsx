// What people see of an identity in its letters: the name, where answers go, and the signature.
import { Textarea, TextInput } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import type { Identity } from '../contract.ts';

export function InLetters({ identity }: { identity: Identity }) {
  const update = useAct('identity_update', {
    quiet: true,
    says: 'Letter details saved',
    touches: ['campaigns'],
  });
  const { name, reply_to, signature_text, signature_html } = identity;
  const form = useActForm(
    { name, reply_to: reply_to ?? '', signature_text },
    (values) =>
      update.mutateAsync({
        identity: identity.id,
        revision: identity.revision,
        ...(values.name === name ? {} : { name: values.name }),
        ...(values.reply_to === (reply_to ?? '') ? {} : { reply_to: values.reply_to.trim() || null }),
        // A formatted one beside it would go on saying the old words.
        ...(values.signature_text === signature_text
          ? {}
          : { signature_text: values.signature_text, signature_html: '' }),
      }),
    { revision: identity.revision },
  );
  return (
    <FormStack form={form} label="What recipients see">
      <TextInput label="Name" description="The sender name that recipients see." {...form.text('name')} />
      <TextInput
        label="Reply-to address"
        description="Only if replies go to another address. Incoming mail must then read that mailbox."
        placeholder={identity.address}
        {...form.text('reply_to')}
      />
      <Textarea
        label="Signature"
        description={
          signature_html
            ? 'This identity also has a formatted signature. Changing this text removes it.'
            : 'Added below every letter.'
        }
        autosize
        minRows={3}
        maxRows={12}
        maxLength={5_000}
        {...form.text('signature_text')}
      />
      <FormEnd form={form} act="Save changes" />
    </FormStack>
  );
}
