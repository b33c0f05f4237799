// Choosing a new password by the link of a mail; then signing in with it, code and all.
import { Link, useParams, useRouter } from '@tanstack/react-router';
import { call } from '../../../../ui/client/call.ts';
import { forgetEverything } from '../../../../ui/client/session.ts';
import { tell } from '../../../../ui/client/toast.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { GateFrame } from './gate-frame.tsx';
import { NewPassword } from './new-password.tsx';

export function ResetPasswordScreen() {
  const { token } = useParams({ from: '/reset/$token' });
  const router = useRouter();
  const form = useActForm({ password: '' }, async ({ password }) => {
    await call('auth_reset', { token, password });
    forgetEverything();
    tell('Password changed. Sign in with your new password.');
    await router.navigate({ to: '/sign-in', replace: true });
  });
  return (
    <GateFrame
      title="Choose a new password"
      says="You’ll be signed out everywhere."
      foot={
        <>
          Each link works once and expires after an hour. <Link to="/reset">Request a new link</Link>
        </>
      }
    >
      <FormStack form={form} label="Choose a new password">
        <NewPassword {...form.text('password')} label="New password" />
        <FormEnd form={form} act="Change password" full />
      </FormStack>
    </GateFrame>
  );
}
