// Recovery codes beside the second factor: how many are left, and ten new ones, shown this once to be copied or kept as a file.
import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { useMe } from '../../../../ui/client/session.ts';
import { SecretOnce } from '../../../../ui/kit/code-block.tsx';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { Section } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import classes from './sessions.module.css';

const FEW = 3;

export function RecoveryCodes() {
  const me = useMe();
  const left = useRead('me_passkeys', {}).data?.recovery_codes.left ?? 0;
  const [codes, setCodes] = useState<string[] | null>(null);
  const make = useAct('recovery_codes', {
    touches: ['me'],
    onSuccess: (made) => setCodes(made.codes),
  });
  if (!me.user?.totp) return null;
  const renew = async (): Promise<void> => {
    const yes =
      left === 0 ||
      (await confirm({
        title: 'Create new recovery codes?',
        says: 'Your current codes stop working.',
        act: 'Create new codes',
        tone: 'bad',
      }));
    if (yes) make.mutate({});
  };
  return (
    <Section
      title="Recovery codes"
      says="If you lose your authenticator app, sign in with a recovery code. Each code works once."
      actions={
        <>
          <Pill tone={left === 0 ? 'bad' : left <= FEW ? 'warn' : 'good'}>{left} left</Pill>
          <Button
            variant={left === 0 ? 'filled' : 'default'}
            onClick={() => void renew()}
            loading={make.isPending}
          >
            {left === 0 ? 'Create recovery codes' : 'Create new codes'}
          </Button>
        </>
      }
    >
      {codes && (
        <div className={classes.codes}>
          <SecretOnce value={codes.join('\n')} label="recovery codes">
            Store these codes somewhere other than your authenticator app. They’re shown only once.
          </SecretOnce>
          <div className={classes.keeping}>
            <Button
              component="a"
              variant="default"
              leftSection={<Download size={16} aria-hidden />}
              href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`}
              download={`dunnock-${me.instance}-recovery-codes.txt`}
            >
              Download
            </Button>
            <Button onClick={() => setCodes(null)}>I’ve saved the codes</Button>
          </div>
        </div>
      )}
    </Section>
  );
}
