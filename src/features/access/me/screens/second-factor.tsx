// The second factor: a secret drawn for an authenticator, shown as a picture to scan and as text, and turned on by its code.
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../../../ui/client/hooks.ts';
import { useMe } from '../../../../ui/client/session.ts';
import { CodeBlock } from '../../../../ui/kit/code-block.tsx';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { Section } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { QrCode } from './qr-code.tsx';
import classes from './sessions.module.css';

type Drawn = { secret: string; uri: string };

export function SecondFactor() {
  const me = useMe();
  const on = me.user?.totp ?? false;
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const draw = useAct('me_totp', {
    onSuccess: ({ secret, uri }) => {
      if (secret && uri) setDrawn({ secret, uri });
    },
  });
  const remove = useAct('me_totp_remove', { says: 'Second factor turned off' });
  const turnOff = async (): Promise<void> => {
    const yes = await confirm({
      title: 'Turn off second factor?',
      says: 'You’ll sign in with your password only.',
      act: 'Turn off',
      tone: 'bad',
    });
    if (yes) remove.mutate({});
  };
  return (
    <Section
      title="Second factor"
      says="A code from an authenticator app, required at sign-in and before changes to tokens and permissions."
      actions={
        on ? (
          <>
            <Pill tone="good">On</Pill>
            <Button variant="default" onClick={() => void turnOff()} loading={remove.isPending}>
              Turn off
            </Button>
          </>
        ) : (
          !drawn && (
            <Button onClick={() => draw.mutate({})} loading={draw.isPending}>
              Turn on
            </Button>
          )
        )
      }
    >
      {drawn && !on && <Scan drawn={drawn} done={() => setDrawn(null)} />}
    </Section>
  );
}

function Scan({ drawn, done }: { drawn: Drawn; done: () => void }) {
  const turnOn = useAct('me_totp', { quiet: true, says: 'Second factor turned on.', onSuccess: done });
  const form = useActForm({ code: '' }, ({ code }) => turnOn.mutateAsync({ code: code.replaceAll(' ', '') }));
  return (
    <div className={classes.factor}>
      <QrCode
        text={drawn.uri}
        label="QR code to scan with an authenticator app"
        size={176}
        className={classes.qr ?? ''}
      />
      <div className={classes.steps}>
        <div>
          <p style={{ marginBottom: 6 }}>
            Scan the QR code with your authenticator app, or enter this secret there.
          </p>
          <CodeBlock text={drawn.secret} label="secret" wrap />
        </div>
        <FormStack form={form} label="Turn on second factor">
          <TextInput
            label="Code from the app"
            inputMode="numeric"
            autoComplete="one-time-code"
            maw={200}
            {...form.text('code')}
          />
          <FormEnd form={form} act="Turn on" cancel={done} />
        </FormStack>
      </div>
    </div>
  );
}
