// Form for the webhook address and an optional secret.
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../../../ui/client/hooks.ts';
import { FormStack, Refused, useActForm } from '../../../../ui/kit/form.tsx';
import type { Webhook } from '../webhook.contract.ts';
import classes from '../../../../ui/kit/settings-card.module.css';

export function AddressForm({ webhook, onSecret }: { webhook: Webhook; onSecret: (secret: string) => void }) {
  const [own, setOwn] = useState(false);
  const save = useAct('events_webhook_set', {
    quiet: true,
    says: 'Webhook address saved.',
    onSuccess: ({ secret }) => {
      setOwn(false);
      if (secret) onSecret(secret);
    },
  });
  const form = useActForm({ url: webhook.url ?? '', secret: '' }, ({ url, secret }) =>
    save.mutateAsync({ url, ...(own && secret && { secret }) }),
  );
  const changed = form.values.url !== (webhook.url ?? '') || (own && form.values.secret !== '');
  const act = webhook.url === null ? 'Save and turn on' : webhook.on ? 'Save' : 'Save and turn on';
  return (
    <FormStack form={form} label="Event webhook">
      <TextInput
        label="Address"
        description="A public http or https URL. Private networks aren’t allowed."
        placeholder="https://hooks.example.com/dunnock"
        type="url"
        autoComplete="off"
        spellCheck={false}
        {...form.text('url')}
      />
      {own && (
        <PasswordInput
          label="Your own secret"
          description="16 to 200 characters without spaces. Never shown again."
          autoComplete="off"
          {...form.text('secret')}
        />
      )}
      <Refused error={form.trouble} />
      <div className={classes.formEnd}>
        <Button type="submit" loading={form.busy} disabled={!changed && webhook.on}>
          {act}
        </Button>
        {!own && (
          <Button variant="subtle" onClick={() => setOwn(true)}>
            Use your own secret
          </Button>
        )}
      </div>
    </FormStack>
  );
}
