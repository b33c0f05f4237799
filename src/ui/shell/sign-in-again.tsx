// The dialog over the page of someone whose session has ended: their password signs them in again, and what they typed is
// still there below.
import { Modal, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError, call } from '../client/call.ts';
import { useSessionQuestion } from '../client/session-over.ts';
import { useMe } from '../client/session.ts';
import { UsePasskey } from '../../features/access/sessions/screens/use-passkey.tsx';
import { FormEnd, FormStack, useActForm } from '../kit/form.tsx';
import { useTopmost } from '../kit/topmost.ts';

export function SignInAgain() {
  const question = useSessionQuestion();
  const topmost = useTopmost(question !== null);
  return (
    <Modal
      opened={question !== null}
      closeOnEscape={topmost}
      closeOnClickOutside={false}
      onClose={() => question?.answer(false)}
      title="Sign in again"
      size={400}
      zIndex={400}
    >
      {question && <SignInForm answer={question.answer} />}
    </Modal>
  );
}

function SignInForm({ answer }: { answer: (signedIn: boolean) => void }) {
  const { user } = useMe();
  const [asked, setAsked] = useState(user?.totp ?? false);
  const email = user?.email ?? '';
  const form = useActForm(
    { password: '', code: '' },
    async ({ password, code }) => {
      try {
        await call('auth_login', { email, password, ...(code ? { code: code.replaceAll(' ', '') } : {}) });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'code_required') setAsked(true);
        throw error;
      }
      answer(true);
    },
    { passing: true },
  );
  return (
    <FormStack form={form} label="Sign in again">
      <p style={{ color: 'var(--text-2)' }}>
        Your session has ended. Sign in as {email} to continue. Nothing you typed is lost.
      </p>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        data-autofocus
        required
        withAsterisk={false}
        {...form.text('password')}
      />
      {asked && (
        <TextInput
          label="Authenticator code or recovery code"
          spellCheck={false}
          autoComplete="one-time-code"
          {...form.text('code')}
        />
      )}
      {(user?.passkeys ?? 0) > 0 && (
        <UsePasskey
          purpose="sign_in"
          act="Use a passkey"
          send={async (passkey) => {
            await call('auth_login', { passkey });
            answer(true);
          }}
        />
      )}
      <FormEnd form={form} act="Sign in" cancel={() => answer(false)} />
    </FormStack>
  );
}
