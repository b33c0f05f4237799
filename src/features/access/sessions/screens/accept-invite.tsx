// Accepting an invitation: the link is the right, a name and a password make the account.
import { TextInput } from '@mantine/core';
import { useParams, useRouter } from '@tanstack/react-router';
import { call } from '../../../../ui/client/call.ts';
import { useRead } from '../../../../ui/client/hooks.ts';
import { forgetEverything } from '../../../../ui/client/session.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { GateFrame } from './gate-frame.tsx';
import { NewPassword } from './new-password.tsx';

export function AcceptInviteScreen() {
  const { token } = useParams({ from: '/invite/$token' });
  const router = useRouter();
  const state = useRead('auth_state', {}).data;
  const form = useActForm({ name: '', password: '' }, async (values) => {
    await call('auth_accept_invite', { token, ...values });
    forgetEverything();
    await router.navigate({ to: '/', replace: true });
  });
  return (
    <GateFrame
      title="Accept the invitation"
      says={state ? `You’ve been invited to ${state.instance}.` : 'You’ve been invited.'}
      foot="Invitation links expire and work only once. If yours doesn’t work, ask the person who invited you for a new one."
    >
      <FormStack form={form} label="Accept the invitation">
        <TextInput label="Your name" autoComplete="name" autoFocus {...form.text('name')} />
        <NewPassword {...form.text('password')} />
        <FormEnd form={form} act="Accept and sign in" full />
      </FormStack>
    </GateFrame>
  );
}
