// Settings › Sign-in & sessions › Passkeys: what one signs in with in place of a password, added, named and removed.
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { call, type Answer } from '../../../../ui/client/call.ts';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { steppedUp } from '../../../../ui/client/step-up.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { Section } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { makePasskey, passkeysWork } from '../../sessions/screens/shared.ts';
import { MOST_PASSKEYS } from '../../sessions/passkeys.rules.ts';
import classes from './sessions.module.css';

type Passkey = Answer<'me_passkeys'>['passkeys'][number];

export function Passkeys() {
  const read = useRead('me_passkeys', {});
  const [adding, setAdding] = useState(false);
  const passkeys = read.data?.passkeys ?? [];
  const here = passkeysWork();
  const full = passkeys.length >= MOST_PASSKEYS;
  return (
    <Section
      title="Passkeys"
      says="Sign in with your fingerprint, face or PIN instead of a password and code."
      actions={
        read.data &&
        here &&
        !adding && (
          <Button onClick={() => setAdding(true)} disabled={full}>
            Add a passkey
          </Button>
        )
      }
    >
      {adding && <AddPasskey done={() => setAdding(false)} />}
      {read.data && !here && <NotHere at={read.data.work_at} />}
      {full && (
        <p className={classes.about}>An account can have up to {MOST_PASSKEYS} passkeys. Remove one first.</p>
      )}
      {read.error && !read.data ? (
        <Trouble error={read.error} again={() => void read.refetch()} />
      ) : !read.data ? (
        <Bones lines={1} height={28} />
      ) : passkeys.length > 0 ? (
        <ul className={classes.sessions}>
          {passkeys.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      ) : (
        here && !adding && <p className={classes.about}>No passkeys yet.</p>
      )}
    </Section>
  );
}

function NotHere({ at }: { at: string | null }) {
  if (!at)
    return (
      <p className={classes.about}>
        Passkeys need an https address with a host name. The operator sets it in SERVICE_BASE_URL.
      </p>
    );
  return (
    <p className={classes.about}>
      Passkeys only work at <a href={`${at}/settings/sessions`}>{at}</a>. Open this page there to add one.
    </p>
  );
}

function AddPasskey({ done }: { done: () => void }) {
  const create = useAct('passkey_create', {
    quiet: true,
    says: ({ passkey }) => `${passkey.name} added. You can now use it to sign in.`,
    touches: ['me'],
    onSuccess: done,
  });
  const form = useActForm({ name: '' }, async ({ name }) => {
    const { options } = await steppedUp(() => call('passkey_options', {}));
    const made = await makePasskey(options);
    if (made) await create.mutateAsync({ name, made });
  });
  return (
    <div className={classes.adding}>
      <FormStack form={form} label="Add a passkey">
        <TextInput
          label="Name"
          description="For example, the device that stores it."
          placeholder="Laptop"
          maxLength={60}
          autoFocus
          {...form.text('name')}
        />
        <FormEnd form={form} act="Add" cancel={done} />
      </FormStack>
    </div>
  );
}

function Row({ passkey }: { passkey: Passkey }) {
  const remove = useAct('passkey_delete', { says: `${passkey.name} removed.`, touches: ['me'] });
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: `Remove ${passkey.name}?`,
      says: 'You can no longer sign in with this passkey. Sessions it started stay active until they expire.',
      act: 'Remove passkey',
      tone: 'bad',
    });
    if (yes) remove.mutate({ passkey: passkey.id });
  };
  return (
    <li>
      <div>
        <p className={classes.device}>
          {passkey.name} {passkey.backed_up && <Pill>Synced</Pill>}
        </p>
        <p className={classes.about}>
          Added <Time at={passkey.created_at} /> ·{' '}
          {passkey.last_used_at ? (
            <>
              used <Time at={passkey.last_used_at} />
            </>
          ) : (
            'never used'
          )}
        </p>
      </div>
      <Button variant="default" aria-label={`Remove ${passkey.name}`} onClick={() => void ask()}>
        Remove
      </Button>
    </li>
  );
}
