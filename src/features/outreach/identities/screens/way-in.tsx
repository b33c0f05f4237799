// The way in of an identity: where answers to its letters arrive. A password is written and never shown again.
import { NativeSelect, NumberInput, PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Identity } from '../contract.ts';
import type { InboundWish } from '../fields.contract.ts';
import { VENDORS } from '../../../../mail/transport.rules.ts';
import { VENDOR } from './words.ts';
import classes from './identities.module.css';

type Values = {
  kind: Identity['inbound']['kind'];
  host: string;
  port: number;
  security: 'tls' | 'starttls';
  user: string;
  mailbox: string;
  secret: string;
  provider: (typeof VENDORS)[number];
  /** Holds what the product says of the whole. */
  inbound: string;
};

const IMAP_PORT = 993;

export function inboundValues({ inbound: of, transport }: Identity): Values {
  const imap = of.kind === 'imap' ? of : null;
  return {
    kind: of.kind,
    host: imap?.host ?? '',
    port: imap?.port ?? IMAP_PORT,
    security: imap?.security ?? 'tls',
    // Most mailboxes are signed in to as their mail server is.
    user: imap?.user ?? (transport.kind === 'smtp' ? (transport.user ?? '') : ''),
    mailbox: imap?.mailbox ?? 'INBOX',
    secret: '',
    provider: of.kind === 'vendor' ? of.provider : VENDORS[0],
    inbound: '',
  };
}

export function inboundWishOf({
  kind,
  host,
  port,
  security,
  user,
  mailbox,
  secret,
  provider,
}: Values): InboundWish {
  if (kind === 'none') return { kind };
  if (kind === 'vendor') return { kind, provider };
  return { kind, host: host.trim(), port, security, user, mailbox, ...(secret ? { secret } : {}) };
}

export function WayIn({ identity }: { identity: Identity }) {
  const { inbound } = identity;
  const update = useAct('identity_update', {
    quiet: true,
    says: ({ identity: after }) =>
      identity.active && !after.active
        ? 'Saved. Test the identity, then activate it again.'
        : 'Incoming mail saved',
  });
  const form = useActForm(
    inboundValues(identity),
    (values) =>
      update.mutateAsync({
        identity: identity.id,
        revision: identity.revision,
        inbound: inboundWishOf(values),
      }),
    { revision: identity.revision },
  );
  const { values, set, text, errors } = form;
  const saved = inbound.kind === 'imap' && inbound.has_secret;
  return (
    <div className={classes.stack}>
      <Reading identity={identity} />
      <FormStack form={form} label="Incoming mail">
        <SegmentedControl
          aria-label="Incoming mail"
          value={values.kind}
          onChange={(kind) => set('kind', kind)}
          data={[
            { value: 'imap', label: 'Mailbox' },
            { value: 'vendor', label: 'Vendor' },
            { value: 'none', label: 'None' },
          ]}
        />
        {values.kind === 'none' && (
          <p className={classes.quiet}>
            Dunnock doesn’t read replies. People who reply keep getting letters until someone records the
            reply.
          </p>
        )}
        {values.kind === 'vendor' && (
          <NativeSelect
            label="Vendor"
            description="The vendor delivers incoming mail once its webhook is registered under Settings › Integrations."
            value={values.provider}
            onChange={() => set('provider', VENDORS[0])}
            data={VENDORS.map((value) => ({ value, label: VENDOR[value] ?? value }))}
          />
        )}
        {values.kind === 'imap' && (
          <>
            <div className={classes.pair}>
              <TextInput label="IMAP host" placeholder="imap.example.com" {...text('host')} />
              <NumberInput
                label="IMAP port"
                min={1}
                max={65_535}
                allowDecimal={false}
                value={values.port}
                onChange={(port) => set('port', Number(port) || IMAP_PORT)}
              />
            </div>
            <div className={classes.pair}>
              <NativeSelect
                label="IMAP encryption"
                value={values.security}
                onChange={(event) =>
                  set('security', event.currentTarget.value === 'starttls' ? 'starttls' : 'tls')
                }
                data={[
                  { value: 'tls', label: 'Implicit TLS (usually port 993)' },
                  { value: 'starttls', label: 'STARTTLS (usually port 143)' },
                ]}
              />
              <TextInput label="Folder" {...text('mailbox')} />
            </div>
            <div className={classes.pair}>
              <TextInput label="IMAP user" autoComplete="off" {...text('user')} />
              <PasswordInput
                label="IMAP password"
                autoComplete="new-password"
                placeholder={saved ? 'Leave empty to keep the saved password' : ''}
                {...text('secret')}
              />
            </div>
          </>
        )}
        {errors.inbound && (
          <p role="alert" className={classes.bad}>
            {errors.inbound}
          </p>
        )}
        <FormEnd form={form} act="Save incoming mail" />
      </FormStack>
    </div>
  );
}

function Reading({ identity: { inbound, inbound_trouble, last_polled_at } }: { identity: Identity }) {
  if (inbound.kind !== 'imap') return null;
  return (
    <p className={classes.quiet}>
      Last fully read: <Time at={last_polled_at} none="never" />
      {inbound_trouble && ' Newer mail hasn’t been read yet.'}
    </p>
  );
}
