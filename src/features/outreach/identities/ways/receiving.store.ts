// What is needed of an identity to read the mailbox that its answers come to: its settings with the password opened, for as
// long as a connection lasts.
import type { App, Sealer } from '../../../../kernel/app.ts';
import type { Reader } from '../../../../kernel/database.ts';
import type { Secret } from '../../../../kernel/secret.ts';
import type { ImapOptions } from '../../../../mail/imap/session.ts';
import { opened } from './secrets.ts';
import { type ImapSettings, inboundIn } from '../../../../mail/transport.rules.ts';

/** `password` is null where none is stored, or none that opens under the key of this instance. */
export type ReceivingAccount = { settings: ImapSettings; password: Secret | null };

type Row = { id: string; inbound_kind: string; inbound: object; inbound_secret: string | null };

/** Null where its answers come to no mailbox. No caller is asked for: nothing of this is shown to anyone. */
export async function receivingAccount(
  db: Reader,
  sealer: Sealer,
  id: string,
): Promise<ReceivingAccount | null> {
  const [row] = await db<Row[]>`
    select id, inbound_kind, inbound, inbound_secret from identities where id = ${id} and gone_at is null
      and inbound_unconfirmed_at is null`;
  const settings = row ? inboundIn(row) : null;
  if (!row || settings?.kind !== 'imap') return null;
  return { settings, password: opened(sealer, 'identities.inbound_secret', row.id, row.inbound_secret) };
}

/** What src/mail/imap is opened with, under the operator's switch of this app. */
export function imapOptions(
  { outside }: Pick<App, 'outside'>,
  { host, port, security, user }: ImapSettings,
  password: Secret,
): ImapOptions {
  const { lookup, hosts, mail_ca: ca } = outside;
  return { host, port, security, user, password, lookup, ca, ...hosts };
}
