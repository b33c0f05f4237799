// Sign-in: address and password, then the code of the authenticator where there is one, then back to where one was going.
import { PasswordInput, TextInput } from '@mantine/core';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, call } from '../../../../ui/client/call.ts';
import { useRead } from '../../../../ui/client/hooks.ts';
import { forgetEverything } from '../../../../ui/client/session.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { UsePasskey } from './use-passkey.tsx';
import { GateFrame } from './gate-frame.tsx';
import classes from './gate-frame.module.css';

export function SignInScreen() {
  const { to } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const state = useRead('auth_state', {}).data;
  const [second, setSecond] = useState(false);
  const [lost, setLost] = useState(false);
  const enter = async (): Promise<void> => {
    forgetEverything();
    await router.navigate({ href: to ?? '/', replace: true });
  };
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
    await enter();
  });
  const back = (): void => {
    setSecond(false);
    setLost(false);
    form.set('code', '');
  };
  return (
    <GateFrame
      title={second ? (lost ? 'Enter a recovery code' : 'Enter your code') : 'Sign in'}
      says={
        second
          ? lost
            ? 'Use one of your saved recovery codes.'
            : 'The 6-digit code from your authenticator app.'
          : state
            ? `Instance ${state.instance}`
            : 'Welcome back'
      }
      foot={
        second ? (
          <button
            type="button"
            className={classes.other}
            onClick={() => {
              setLost(!lost);
              form.set('code', '');
            }}
          >
            {lost ? 'Use an authenticator code' : 'Use a recovery code'}
          </button>
        ) : (
          <>
            <Link to="/reset">Forgot your password?</Link>
            <br />
            No account yet? Ask an administrator to invite you.
          </>
        )
      }
    >
      <FormStack form={form} label="Sign in">
        {second ? (
          <TextInput
            key={lost ? 'recovery' : 'code'}
            label={lost ? 'Recovery code' : 'Code'}
            inputMode={lost ? 'text' : 'numeric'}
            autoComplete={lost ? 'off' : 'one-time-code'}
            spellCheck={false}
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
          {...(second ? { cancel: back } : {})}
          full={!second}
        />
      </FormStack>
      {!second && (
        <div className={classes.passkey}>
          <UsePasskey
            purpose="sign_in"
            act="Use a passkey"
            send={async (passkey) => {
              await call('auth_login', { passkey });
              await enter();
            }}
          />
        </div>
      )}
    </GateFrame>
  );
}
