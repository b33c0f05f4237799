// Settings › Instance › Mail: how the instance sends invitations and links for new passwords, tried with one press.
import { Button, NativeSelect, NumberInput, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../../../ui/client/call.ts';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { Facts } from '../../../../ui/kit/detail-drawer.tsx';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { Section } from '../../../../ui/kit/page.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import classes from './mail-section.module.css';

type State = Answer<'settings_mail_get'>;
type Security = NonNullable<State['mail']>['security'];

const SECURITIES: { value: Security; label: string }[] = [
  { value: 'tls', label: 'TLS (465)' },
  { value: 'starttls', label: 'STARTTLS (587)' },
  { value: 'plain', label: 'None (no sign-in)' },
];

export function MailSection() {
  const { data, error, refetch } = useRead('settings_mail_get', {});
  const [editing, setEditing] = useState(false);
  return (
    <Section
      title="Mail"
      says="Used for invitations and password resets. Campaign letters are sent from their own identities."
    >
      {error ? (
        <Trouble error={error} again={() => void refetch()} />
      ) : !data ? (
        <Bones lines={3} />
      ) : editing ? (
        <MailForm before={data.mail} done={() => setEditing(false)} />
      ) : (
        <Standing state={data} edit={() => setEditing(true)} />
      )}
    </Section>
  );
}

function Standing({ state: { mail, waiting, trouble }, edit }: { state: State; edit: () => void }) {
  const test = useAct('settings_mail_test', { says: ({ to }) => `Sending a test email to ${to}.` });
  const clear = useAct('settings_mail_clear', { says: 'Mail turned off.' });
  if (!mail)
    return (
      <div className={classes.empty}>
        <p>
          Not set up. You share invitation links yourself, and only an administrator can reset a forgotten
          password.
        </p>
        <Button onClick={edit}>Set up mail</Button>
      </div>
    );
  return (
    <>
      <Facts
        of={[
          ['Server', `${mail.host}:${mail.port}`],
          ['User', mail.user ?? 'None'],
          ['From', `${mail.from_name} <${mail.from_address}>`],
          ['Queued emails', waiting === 0 ? 'None' : `${waiting}`],
        ]}
      />
      {trouble && (
        <p role="status" className={classes.trouble}>
          {trouble}
        </p>
      )}
      <div className={classes.acts}>
        <Button variant="subtle" loading={clear.isPending} onClick={() => clear.mutate({})}>
          Turn off mail
        </Button>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate({})}>
          Send test
        </Button>
        <Button variant="default" onClick={edit}>
          Change
        </Button>
      </div>
    </>
  );
}

function MailForm({ before, done }: { before: State['mail']; done: () => void }) {
  const save = useAct('settings_mail', { quiet: true, says: 'Mail server saved.', onSuccess: done });
  const form = useActForm(
    {
      host: before?.host ?? '',
      port: before?.port ?? 465,
      security: before?.security ?? ('tls' as Security),
      user: before?.user ?? '',
      password: '',
      from_name: before?.from_name ?? '',
      from_address: before?.from_address ?? '',
    },
    ({ user, password, ...rest }) =>
      save.mutateAsync({ ...rest, user: user.trim() || null, ...(password ? { password } : {}) }),
  );
  const { values, set, errors } = form;
  return (
    <FormStack form={form} label="Instance mail">
      <TextInput label="Server" placeholder="smtp.example.com" autoComplete="off" {...form.text('host')} />
      <div className={classes.pair}>
        <NativeSelect
          label="Encryption"
          data={SECURITIES}
          value={values.security}
          onChange={(event) => set('security', event.currentTarget.value as Security)}
          error={errors.security}
        />
        <NumberInput
          label="Port"
          min={1}
          max={65_535}
          hideControls
          value={values.port}
          onChange={(port) => set('port', Number(port))}
          error={errors.port}
        />
      </div>
      <TextInput
        label="User"
        description="Leave empty if the server doesn’t require sign-in."
        autoComplete="off"
        {...form.text('user')}
      />
      <PasswordInput
        label="Password"
        description={
          before?.user
            ? 'Leave empty to keep the saved password. If you change the server, port, encryption or user, enter the password again.'
            : 'Stored encrypted and never shown again.'
        }
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        {...form.text('password')}
      />
      <TextInput label="Sender name" autoComplete="off" {...form.text('from_name')} />
      <TextInput label="Sender address" type="email" autoComplete="off" {...form.text('from_address')} />
      <FormEnd form={form} act="Save" cancel={done} />
    </FormStack>
  );
}
