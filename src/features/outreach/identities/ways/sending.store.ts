// What the sender needs of an identity to open its outgoing mail and sign a letter: settings with opened secrets, for as long as
// a batch lasts. Only this and the connection test read those secrets.
import type { App, Sealer } from '../../../../kernel/app.ts';
import type { Reader } from '../../../../kernel/database.ts';
import type { DkimSigning } from '../../../../mail/compose/dkim.ts';
import type { Access } from '../../../../mail/transport/session.ts';
import type { SmtpOptions } from '../../../../mail/transport/smtp.ts';
import { opened } from './secrets.ts';
import {
  ehloName,
  type EnvelopeSender,
  transportIn,
  type SmtpSettings,
  type TransportSettings,
  type Vendor,
} from '../../../../mail/transport.rules.ts';

/** `unusable`: its password is not set, or does not open under the key of this instance, or no one confirmed its server. */
export type SendingTransport =
  | { kind: 'smtp'; host: string; port: number; access: Access }
  | { kind: 'vendor'; provider: Vendor }
  | { kind: 'sandbox' }
  | { kind: 'unusable' };

export type SendingIdentity = {
  id: string;
  /** Raised by whatever can change how letters leave; counters and slots of the sender do not raise it. */
  revision: number;
  active: boolean;
  gone: boolean;
  name: string;
  address: string;
  reply_to: string | null;
  signature_text: string;
  signature_html: string;
  timezone: string;
  domain: { id: string; name: string; state: string; revision: number };
  envelope_sender: EnvelopeSender;
  transport: SendingTransport;
  /** Null where the key does not open: a letter that was to be signed must not leave unsigned. */
  dkim: DkimSigning | null;
};

type Row = {
  id: string;
  revision: number;
  active: boolean;
  gone_at: Date | null;
  name: string;
  address: string;
  reply_to: string | null;
  signature_text: string;
  signature_html: string;
  timezone: string;
  transport_kind: TransportSettings['kind'];
  transport: object;
  transport_secret: string | null;
  transport_unconfirmed_at: Date | null;
  envelope_sender: EnvelopeSender;
  domain_id: string;
  domain: string;
  domain_state: string;
  domain_revision: number;
  dkim_selector: string;
  dkim_algorithm: DkimSigning['algorithm'];
  dkim_private: string;
};

/** Null where there is no such identity. No caller is asked for: this is for passes, and nothing of it is shown to anyone. */
export async function sendingIdentity(
  db: Reader,
  sealer: Sealer,
  id: string,
): Promise<SendingIdentity | null> {
  const [row] = await db<Row[]>`
    select i.id, i.revision, i.active, i.gone_at, i.name, i.address, i.reply_to, i.signature_text, i.signature_html,
      i.timezone, i.transport_kind, i.transport, i.transport_secret, i.transport_unconfirmed_at, i.envelope_sender, d.id as domain_id, d.name as domain, d.state as domain_state,
      d.revision as domain_revision, d.dkim_selector, d.dkim_algorithm, d.dkim_private
    from identities i join domains d on d.id = i.domain_id where i.id = ${id}`;
  if (!row) return null;
  const private_key = opened(sealer, 'domains.dkim_private', row.domain_id, row.dkim_private);
  return {
    id: row.id,
    revision: row.revision,
    active: row.active,
    gone: row.gone_at !== null,
    name: row.name,
    address: row.address,
    reply_to: row.reply_to,
    signature_text: row.signature_text,
    signature_html: row.signature_html,
    timezone: row.timezone,
    domain: { id: row.domain_id, name: row.domain, state: row.domain_state, revision: row.domain_revision },
    envelope_sender: row.envelope_sender,
    transport: transportOf(row, sealer),
    dkim: private_key && {
      domain: row.domain,
      selector: row.dkim_selector,
      algorithm: row.dkim_algorithm,
      private_key,
    },
  };
}

function transportOf(row: Row, sealer: Sealer): SendingTransport {
  const transport = transportIn(row);
  if (transport.kind === 'vendor') return { kind: 'vendor', provider: transport.provider };
  if (transport.kind === 'sandbox') return { kind: 'sandbox' };
  if (row.transport_unconfirmed_at !== null) return { kind: 'unusable' };
  const password = opened(sealer, 'identities.transport_secret', row.id, row.transport_secret);
  const access = accessOf(transport, password);
  return access ? { kind: 'smtp', host: transport.host, port: transport.port, access } : { kind: 'unusable' };
}

function accessOf({ security, user }: SmtpSettings, password: ReturnType<typeof opened>): Access | null {
  if (security === 'plain') return user === null ? { security, login: null } : null;
  if (user === null) return { security, login: null };
  return password && { security, login: { user, password } };
}

/** What src/mail/transport is opened with, under the operator's switches of this app. */
export function smtpOptions(
  { outside, instance }: Pick<App, 'outside' | 'instance'>,
  domain: string,
  { host, port, access }: Extract<SendingTransport, { kind: 'smtp' }>,
): SmtpOptions {
  const { lookup, hosts, mail_ca: ca } = outside;
  return {
    host,
    port,
    access,
    peer: 'submission',
    lookup,
    ca,
    ...hosts,
    ehlo_name: ehloName(instance.base_url, domain),
  };
}
