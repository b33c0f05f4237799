// The keys of providers: which are saved, by their last four characters, saving another, trying and deleting them. A key is
// written and never shown again.
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { ShownProvider } from '../contract.ts';
import classes from '../../../../ui/kit/settings-card.module.css';

export function KeysCard() {
  const { data, error, refetch } = useRead('provider_list', {});
  return (
    <section className={classes.card} aria-labelledby="keys-title">
      <div className={classes.cardHead}>
        <div>
          <h2 id="keys-title">Provider keys</h2>
          <p>
            Keys are stored encrypted and sent only to the provider’s address. After you save a key, only its
            last 4 characters are shown.
          </p>
        </div>
      </div>
      {error ? (
        <Trouble error={error} again={() => void refetch()} />
      ) : data ? (
        data.items.map((provider) => <Keys key={provider.provider} provider={provider} />)
      ) : (
        <Bones lines={3} />
      )}
    </section>
  );
}

const TONE = { passing: 'good', failing: 'bad', unknown: 'warn' } as const;
const WITHOUT = {
  mail: 'Add a key to send through this provider.',
  model: 'Add a key so that agents can use this provider’s models.',
};
const ENDS = {
  mail: 'Sending through this provider stops. Letters from identities that use it are held. This can’t be undone.',
  model: 'Agents that use this provider’s models stop working. This can’t be undone.',
};
const WORD = { passing: 'Works', failing: 'Refused', unknown: 'Inconclusive' };

function Keys({ provider: of }: { provider: ShownProvider }) {
  const { provider, title, kind, set, last_four, base_url, saved_by, saved_at } = of;
  const [editing, setEditing] = useState(false);
  const test = useAct('provider_test');
  const remove = useAct('provider_keys_delete', { says: `${title} key deleted.` });
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: `Delete the ${title} key?`,
      says: ENDS[kind],
      act: 'Delete key',
      tone: 'bad',
    });
    if (yes) remove.mutate({ provider });
  };
  return (
    <div className={classes.stack} role="group" aria-label={title}>
      <div className={classes.secret}>
        <div>
          <h3>
            {title} {set ? <code>•••• {last_four}</code> : <Pill>No key</Pill>}
          </h3>
          <p>
            {set ? (
              <>
                Sent to {base_url}
                {saved_by && (
                  <>
                    , saved by {saved_by.name} <Time at={saved_at} />
                  </>
                )}
              </>
            ) : (
              WITHOUT[kind]
            )}
          </p>
        </div>
        <div className={classes.formEnd}>
          {set && (
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ provider })}>
              Test
            </Button>
          )}
          <Button variant="default" onClick={() => setEditing(!editing)}>
            {set ? 'Replace' : 'Add a key'}
          </Button>
          {set && (
            <Button variant="subtle" color="gray" loading={remove.isPending} onClick={() => void ask()}>
              Delete
            </Button>
          )}
        </div>
      </div>
      {test.data && (
        <p role="status">
          <Pill tone={TONE[test.data.outcome]}>{WORD[test.data.outcome]}</Pill> {test.data.sentence}
        </p>
      )}
      {editing && <SaveKeys provider={of} done={() => setEditing(false)} />}
    </div>
  );
}

function SaveKeys({ provider: of, done }: { provider: ShownProvider; done: () => void }) {
  const save = useAct('provider_keys_save', {
    quiet: true,
    says: `${of.title} key saved.`,
  });
  const first: Record<string, string> = {
    ...Object.fromEntries(of.keys.map((name) => [name, ''])),
    keys: '',
    base_url: of.base_url,
  };
  const form = useActForm(first, async (values) => {
    await save.mutateAsync({
      provider: of.provider,
      keys: Object.fromEntries(of.keys.map((name) => [name, (values[name] ?? '').trim()])),
      base_url: values['base_url'] ?? of.base_url,
    });
    done();
  });
  return (
    <FormStack form={form} label={`${of.title} key`}>
      {of.keys.map((name) => (
        <PasswordInput
          key={name}
          label={name === 'api_key' ? 'API key' : name}
          autoComplete="new-password"
          {...form.text(name)}
          error={form.errors['keys']}
        />
      ))}
      <TextInput
        label="Address"
        description={`The key is sent only to this address, usually ${of.default_base_url}.`}
        {...form.text('base_url')}
      />
      <FormEnd form={form} act="Save key" cancel={done} />
    </FormStack>
  );
}
