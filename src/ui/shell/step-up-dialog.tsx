// The dialog that asks for the password before minting, secrets and permissions. It is valid for ten minutes.
import { Modal, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError, call } from '../client/call.ts';
import { useStepUpQuestion } from '../client/step-up.ts';
import { useMe } from '../client/session.ts';
import { UsePasskey } from '../../features/access/sessions/screens/use-passkey.tsx';
import { FormEnd, FormStack, useActForm } from '../kit/form.tsx';
import { useTopmost } from '../kit/topmost.ts';

export function StepUpDialog() {
  const question = useStepUpQuestion();
  const topmost = useTopmost(question !== null);
  return (
    <Modal
      opened={question !== null}
      closeOnEscape={topmost}
      onClose={() => question?.answer(false)}
      title="Confirm it’s you"
      size={400}
    >
      {question && <StepUpForm answer={question.answer} />}
    </Modal>
  );
}

function StepUpForm({ answer }: { answer: (confirmed: boolean) => void }) {
  const me = useMe();
  const [asked, setAsked] = useState(me.user?.totp ?? false);
  const form = useActForm(
    { password: '', code: '' },
    async ({ password, code }) => {
      try {
        await call('auth_step_up', { password, ...(code ? { code } : {}) });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'code_required') setAsked(true);
        throw error;
      }
      answer(true);
    },
    { passing: true },
  );
  return (
    <FormStack form={form} label="Confirm it’s you">
      <p style={{ color: 'var(--text-2)' }}>
        This changes what people or tokens can do. After you confirm, you won’t be asked again for 10 minutes.
      </p>
      <input type="hidden" name="username" autoComplete="username" value={me.user?.email ?? ''} readOnly />
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
      {(me.user?.passkeys ?? 0) > 0 && (
        <UsePasskey
          purpose="step_up"
          act="Use a passkey"
          send={async (passkey) => {
            await call('auth_step_up', { passkey });
            answer(true);
          }}
        />
      )}
      <FormEnd form={form} act="Confirm" cancel={() => answer(false)} />
    </FormStack>
  );
}
