// A forgotten password: asking for a link. What is said afterwards is the same whether or not there is such an account.
import { TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../../ui/client/call.ts';
import { useRead } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { GateFrame } from './gate-frame.tsx';

export function ForgotPasswordScreen() {
  const state = useRead('auth_state', {}).data;
  const [asked, setAsked] = useState<string | null>(null);
  const form = useActForm({ email: '' }, async ({ email }) => {
    await call('auth_reset_request', { email: email.trim() });
    setAsked(email.trim());
  });
  const back = <Link to="/sign-in">Back to sign-in</Link>;
  if (state && !state.mail)
    return (
      <GateFrame title="Forgot your password?" foot={back}>
        <p>This instance doesn’t send mail. Ask an administrator to reset your password.</p>
      </GateFrame>
    );
  if (asked !== null)
    return (
      <GateFrame title="Check your email" foot={back}>
        <p role="status">
          If {asked} belongs to an account here, we sent a link to it. The link works once and expires after
          an hour.
        </p>
      </GateFrame>
    );
  return (
    <GateFrame
      title="Forgot your password?"
      says="We’ll email you a link to choose a new password."
      foot={back}
    >
      <FormStack form={form} label="Request a new password">
        <TextInput label="Email" type="email" autoComplete="username" autoFocus {...form.text('email')} />
        <FormEnd form={form} act="Send the link" full />
      </FormStack>
    </GateFrame>
  );
}
