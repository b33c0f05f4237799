// Sign-in: address and password, then the code of the authenticator where there is one, then back to where one was going.
import { PasswordInput, TextInput } from '@mantine/core';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, call } from '../../../ui/client/call.ts';
import { useRead } from '../../../ui/client/hooks.ts';
import { forgetEverything } from '../../../ui/client/session.ts';
import { FormEnd, FormStack, useActForm } from '../../../ui/kit/form.tsx';
import { GateFrame } from './gate-frame.tsx';

export function SignInScreen() {
  const { to } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const state = useRead('auth_state', {}).data;
  const [second, setSecond] = useState(false);
  const form = useActForm({ email: '', password: '', code: '' }, async ({ email, password, code }) => {
    try {
      await call('auth_login', {
        email: email.trim(),
        password,
        ...(second ? { code: code.replaceAll(' ', '') } : {}),
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'code_required') throw error;
      // The first answer only asks for the code; it is no refusal of anything that was entered.
      if (second) throw error;
      setSecond(true);
      return;
    }
    forgetEverything();
    await router.navigate({ href: to ?? '/', replace: true });
  });
  return (
    <GateFrame
      title={second ? 'Enter your code' : 'Sign in'}
      says={
        second ? 'Six digits from your authenticator.' : state ? `Instance ${state.instance}` : 'Your desk'
      }
      foot={
        second ? null : (
          <>
            <Link to="/reset">Forgot your password?</Link>
            <br />
            No account yet? An administrator invites people under Settings, Users.
          </>
        )
      }
    >
      <FormStack form={form} label="Sign in">
        {second ? (
          <TextInput
            key="code"
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            {...form.text('code')}
          />
        ) : (
          <>
            <TextInput label="Email" type="email" autoComplete="username" autoFocus {...form.text('email')} />
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
              {...form.text('password')}
            />
          </>
        )}
        <FormEnd
          form={form}
          act={second ? 'Sign in' : 'Continue'}
          {...(second ? { cancel: () => setSecond(false) } : {})}
          full={!second}
        />
      </FormStack>
    </GateFrame>
  );
}
