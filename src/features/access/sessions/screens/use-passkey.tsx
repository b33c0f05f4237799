// The button that proves by a passkey, with the refusal under it; for sign-in and for the question of a step-up.
import { Button } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../../../ui/client/call.ts';
import { Refused } from '../../../../ui/kit/form.tsx';
import { passkeysWork, proveByPasskey, type PasskeyProof } from './passkey.ts';

type UsePasskeyProps = {
  purpose: 'sign_in' | 'step_up';
  act: string;
  /** Acts with the proof, and throws what the product refuses. */
  send: (passkey: PasskeyProof) => Promise<unknown>;
};

export function UsePasskey({ purpose, act, send }: UsePasskeyProps) {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  if (!passkeysWork()) return null;
  const prove = async (): Promise<void> => {
    setBusy(true);
    setTrouble(null);
    try {
      const proof = await proveByPasskey(purpose);
      if (proof) await send(proof);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setTrouble(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        variant="default"
        fullWidth
        leftSection={<KeyRound size={16} aria-hidden />}
        loading={busy}
        onClick={() => void prove()}
      >
        {act}
      </Button>
      <Refused error={trouble} />
    </>
  );
}
