// All SQL of the quarantine. The loaders name the action and the caller.
import { type Caller } from '../../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import { denied } from '../../../../kernel/denied.ts';
import { decide } from '../../../../kernel/policy.ts';
import { conflict, notFound } from '../../../../kernel/refusal.ts';
import type { Quarantined } from '../contract.ts';
import { among, type WhichSenders } from './quarantine-rules.store.ts';
import type { StoredMail } from '../store.ts';

type Row = {
  id: string;
  state: 'quarantined' | 'broken';
  note: string | null;
  identity_id: string | null;
  folder_role: 'inbox' | 'sent' | 'junk';
  from_address: string | null;
  from_name: string | null;
  list_id: string | null;
  subject: string;
  size: number;
  received_at: Date;
};

const columns = (db: Reader) =>
  db`id, state, note, identity_id, folder_role, from_address, from_name, list_id, subject, size_bytes as size, received_at`;

const toQuarantined = ({
  folder_role,
  from_address,
  from_name,
  list_id,
  received_at,
  ...row
}: Row): Quarantined => ({
  ...row,
  folder: folder_role,
  from: { address: from_address, name: from_name },
  list: list_id,
  received_at: received_at.toISOString(),
});

/** Newest first; `after` is the key of the last row of the page before. */
export async function quarantinedRows(
  db: Reader,
  which: WhichSenders,
  after: readonly [at: string, id: string] | null,
  count: number,
): Promise<Quarantined[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from inbound_mails
    where ${among(db, which)}
      ${after === null ? db`` : db`and (received_at, id) < (${after[0]}, ${after[1]})`}
    order by received_at desc, id desc limit ${count}`;
  return rows.map(toQuarantined);
}

export type LoadedQuarantined = Quarantined & { stored: StoredMail & { bytes: Buffer; cut: boolean } };

const noMail = () =>
  notFound('quarantined mail', 'GET /api/admin/outreach/quarantine lists quarantined mail');

export async function loadQuarantined(
  db: Reader,
  caller: Caller,
  action: string,
  id: string,
): Promise<LoadedQuarantined> {
  const names = [`outreach:inbound/${id}`];
  if (!decide(caller.rights, action, names).allowed) throw denied(caller, action, `outreach:inbound/${id}`);
  const [row] = await db<
    (Row & Pick<StoredMail, 'source' | 'delivered_to'> & { bytes: Buffer; cut: boolean })[]
  >`
    select ${columns(db)}, bytes, cut, source, delivered_to from inbound_mails
    where id = ${id} and state in ('quarantined', 'broken')`;
  if (!row) throw noMail();
  const { bytes, cut, source, delivered_to, ...mail } = row;
  return { ...toQuarantined(mail), stored: { ...mail, source, delivered_to, bytes, cut } };
}

/** No one else places or dismisses it until this act is over; whoever came second is told. */
export async function holdQuarantined(tx: Transaction, id: string): Promise<void> {
  const held = await tx`
    select from inbound_mails where id = ${id} and state in ('quarantined', 'broken') for update`;
  if (held.length === 0) throw conflict('this email is no longer in quarantine');
}
