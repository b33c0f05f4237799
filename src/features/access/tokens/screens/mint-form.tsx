// The form that mints a token: its name, whose it is, what it may reach beyond that, and how long it lives.
import { Checkbox, NativeSelect, Radio, TextInput } from '@mantine/core';
import type { Answer, Takes } from '../../../../ui/client/call.ts';
import { useAct } from '../../../../ui/client/hooks.ts';
import { useMe } from '../../../../ui/client/session.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { useUserChoices } from '../../../../ui/kit/choices.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { SCOPES, WIRE_ACTS } from './scopes.ts';
import classes from './tokens.module.css';

export type Minted = Answer<'token_mint'>;

const PolicyPick = later(
  () => import('./policy-pick.tsx').then((m) => m.PolicyPick),
  () => true,
);

const EXPIRIES = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['180', '180 days'],
  ['365', '365 days'],
  ['0', 'Never'],
] as const;

type Values = {
  name: string;
  mode: Takes<'token_mint'>['mode'];
  user_id: string | null;
  policies: string[];
  scopes: { wire: boolean; scripts: boolean };
  expires_in: string;
};

type MintFormProps = { onMinted: (minted: Minted) => void; cancel?: () => void; name?: string };

export function MintForm({ onMinted, cancel, name = '' }: MintFormProps) {
  const me = useMe();
  const users = useUserChoices('active');
  const mint = useAct('token_mint', { quiet: true, onSuccess: onMinted });
  const form = useActForm<Values>(
    {
      name,
      mode: 'user',
      user_id: me.user?.id ?? null,
      policies: [],
      scopes: { wire: false, scripts: false },
      expires_in: '90',
    },
    ({ user_id, policies: attached, expires_in, ...values }) =>
      mint.mutateAsync({
        ...values,
        name: values.name.trim(),
        expires_in: Number(expires_in),
        ...(values.mode === 'service' ? { policies: attached } : user_id ? { user_id } : {}),
      }),
  );
  const { values, set } = form;
  const scope = (which: keyof typeof SCOPES, on: boolean): void =>
    set('scopes', { ...values.scopes, [which]: on });
  return (
    <FormStack form={form} label="Mint a token">
      <TextInput
        label="Name"
        description="Lowercase letters, digits and hyphens. Shown in the audit log."
        placeholder="scout"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.text('name')}
      />
      <Radio.Group
        label="Mode"
        value={values.mode}
        onChange={(mode) => set('mode', mode as Values['mode'])}
        error={form.errors.mode}
      >
        <div className={classes.modes}>
          <Mode
            value="user"
            title="Bound to a user"
            says="Acts as this person, with their policies, administrator status and board. For a person’s own agent."
          />
          <Mode
            value="service"
            title="Service"
            says="Not bound to a person. Its policies decide what it can do."
          />
        </div>
      </Radio.Group>
      {values.mode === 'user' ? (
        <NativeSelect
          label="User"
          description="This person is notified."
          data={users}
          value={values.user_id ?? ''}
          onChange={(event) => set('user_id', event.currentTarget.value)}
          error={form.errors.user_id}
        />
      ) : (
        <PolicyPick
          value={values.policies}
          onChange={(next) => set('policies', next)}
          error={form.errors.policies}
        />
      )}
      <fieldset className={classes.scopes}>
        <legend>Scopes</legend>
        <Checkbox
          label={SCOPES.wire.title}
          description={SCOPES.wire.says}
          checked={values.scopes.wire}
          onChange={(event) => scope('wire', event.currentTarget.checked)}
        />
        <details className={classes.acts}>
          <summary>The 16 acts</summary>
          <ol>
            {WIRE_ACTS.map((act) => (
              <li key={act}>{act}</li>
            ))}
          </ol>
          <p>No scope is needed to stop, pause or deactivate something, or to verify people.</p>
        </details>
        <Checkbox
          label={SCOPES.scripts.title}
          description={SCOPES.scripts.says}
          checked={values.scopes.scripts}
          onChange={(event) => scope('scripts', event.currentTarget.checked)}
        />
        <p className={classes.scopesNote}>
          Scopes never grant permissions. The policies of the token or its user must also allow the action.
        </p>
      </fieldset>
      <NativeSelect
        label="Expires in"
        maw={200}
        data={EXPIRIES.map(([value, label]) => ({ value, label }))}
        value={values.expires_in}
        onChange={(event) => set('expires_in', event.currentTarget.value)}
        error={form.errors.expires_in}
      />
      <FormEnd form={form} act="Mint token" {...(cancel ? { cancel } : {})} />
    </FormStack>
  );
}

const Mode = ({ value, title, says }: { value: string; title: string; says: string }) => (
  <Radio.Card value={value} className={classes.mode} aria-label={title}>
    <Radio.Indicator size="xs" />
    <span>
      <strong>{title}</strong>
      <span>{says}</span>
    </span>
  </Radio.Card>
);
