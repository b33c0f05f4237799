// Set-up: the first administrator, with the key that the console printed. The link that is beside it brings the key along.
import { Button, TextInput } from '@mantine/core';
import { useRouter, useSearch } from '@tanstack/react-router';
import { call } from '../../../../ui/client/call.ts';
import { useRead } from '../../../../ui/client/hooks.ts';
import { forgetEverything } from '../../../../ui/client/session.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { GateFrame } from './gate-frame.tsx';
import { NewPassword } from './new-password.tsx';

export function SetUpScreen() {
  const { key } = useSearch({ from: '/setup' });
  const router = useRouter();
  const state = useRead('auth_state', {}).data;
  const form = useActForm({ key: key ?? '', name: '', email: '', password: '' }, async (values) => {
    await call('auth_setup', { ...values, key: values.key.trim(), email: values.email.trim() });
    forgetEverything();
    await router.navigate({ to: '/start', replace: true });
  });
  if (state?.set_up)
    return (
      <GateFrame
        title="Already set up"
        says="This instance already has an administrator. Sign in, or ask an administrator to invite you."
      >
        <Button fullWidth onClick={() => void router.navigate({ to: '/sign-in' })}>
          Go to sign-in
        </Button>
      </GateFrame>
    );
  return (
    <GateFrame
      title="Set up this instance"
      says="Create the first administrator account. Get started then takes you to your first letter."
      foot="Your data stays on this machine."
    >
      <FormStack form={form} label="Set up this instance">
        <TextInput
          label="Provisioning key"
          description={
            key ? 'Filled in from the link.' : 'Printed to the console when the instance first starts.'
          }
          autoComplete="off"
          spellCheck={false}
          autoFocus={!key}
          styles={{ input: { fontFamily: 'var(--mono)' } }}
          {...form.text('key')}
        />
        <TextInput label="Your name" autoComplete="name" autoFocus={Boolean(key)} {...form.text('name')} />
        <TextInput label="Email" type="email" autoComplete="username" {...form.text('email')} />
        <NewPassword {...form.text('password')} />
        <FormEnd form={form} act="Set up and sign in" full />
      </FormStack>
    </GateFrame>
  );
}
