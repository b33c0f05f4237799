// The way out of an identity as fields: a mail server, a vendor, or the sandbox. A password is written and never shown again.
import { NativeSelect, NumberInput, PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import type { ActForm } from '../../../../ui/kit/form.tsx';
import type { Identity } from '../contract.ts';
import type { TransportWish } from '../fields.contract.ts';
import { SECURITIES, VENDORS, type Security } from '../../../../mail/transport.rules.ts';
import { VENDOR } from './words.ts';
import classes from './identities.module.css';

export type TransportValues = {
  kind: 'smtp' | 'vendor' | 'sandbox';
  host: string;
  port: number;
  security: Security;
  user: string;
  secret: string;
  provider: (typeof VENDORS)[number];
  dkim_selector: string;
  /** Holds what the product says of the whole. */
  transport: string;
};

const SUBMISSION_PORT = 587;

export function transportValues(of?: Identity['transport']): TransportValues {
  const smtp = of?.kind === 'smtp' ? of : null;
  return {
    kind: of?.kind ?? 'smtp',
    host: smtp?.host ?? '',
    port: smtp?.port ?? SUBMISSION_PORT,
    security: smtp?.security ?? 'starttls',
    user: smtp?.user ?? '',
    secret: '',
    provider: of?.kind === 'vendor' ? of.provider : 'resend',
    dkim_selector: of?.kind === 'vendor' ? of.dkim_selector : 'resend',
    transport: '',
  };
}

export function transportWishOf(values: TransportValues): TransportWish {
  const { kind, host, port, security, user, secret, provider, dkim_selector } = values;
  if (kind === 'sandbox') return { kind };
  if (kind === 'vendor') return { kind, provider, dkim_selector };
  return { kind, host: host.trim(), port, security, user: user || null, ...(secret ? { secret } : {}) };
}

const SECURITY: Record<Security, string> = {
  starttls: 'STARTTLS (usually port 587)',
  tls: 'Implicit TLS (usually port 465)',
  plain: 'None (no password)',
};

/** The fields need no more of the form than its transport's part. */
export function TransportFields({ form, saved }: { form: ActForm<TransportValues>; saved: boolean }) {
  const { values, set, text, errors } = form;
  return (
    <>
      <SegmentedControl
        aria-label="Outgoing mail"
        value={values.kind}
        onChange={(kind) => set('kind', kind)}
        data={[
          { value: 'smtp', label: 'Mail server' },
          { value: 'vendor', label: 'Vendor' },
          { value: 'sandbox', label: 'Sandbox' },
        ]}
      />
      {values.kind === 'sandbox' && (
        <p className={classes.quiet}>
          Letters go through every gate and stay on this instance. Use the sandbox to try things out.
        </p>
      )}
      {values.kind === 'vendor' && (
        <div className={classes.pair}>
          <NativeSelect
            label="Vendor"
            description="Save the vendor’s API key under Settings › Integrations."
            value={values.provider}
            onChange={() => set('provider', VENDORS[0])}
            data={VENDORS.map((value) => ({ value, label: VENDOR[value] ?? value }))}
          />
          <TextInput
            label="DKIM selector"
            description="The selector of the vendor’s DKIM key."
            {...text('dkim_selector')}
          />
        </div>
      )}
      {values.kind === 'smtp' && (
        <>
          <div className={classes.pair}>
            <TextInput label="Host" placeholder="smtp.example.com" {...text('host')} />
            <NumberInput
              label="Port"
              min={1}
              max={65_535}
              allowDecimal={false}
              value={values.port}
              onChange={(port) => set('port', Number(port) || SUBMISSION_PORT)}
            />
          </div>
          <NativeSelect
            label="Encryption"
            value={values.security}
            onChange={(event) =>
              set('security', SECURITIES.find((one) => one === event.currentTarget.value) ?? 'starttls')
            }
            data={SECURITIES.map((value) => ({ value, label: SECURITY[value] }))}
          />
          <div className={classes.pair}>
            <TextInput label="User" autoComplete="off" {...text('user')} />
            <PasswordInput
              label="Password"
              autoComplete="new-password"
              placeholder={saved ? 'Leave empty to keep the saved password' : ''}
              {...text('secret')}
            />
          </div>
        </>
      )}
      {errors.transport && (
        <p role="alert" className={classes.bad}>
          {errors.transport}
        </p>
      )}
    </>
  );
}
