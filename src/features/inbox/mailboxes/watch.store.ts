// Who watches which mailbox, and how far each of its folders was read. Everything that a watcher writes is fenced by its
// lease: what comes after another process took over, or after the settings changed, changes nothing.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Lease } from '../../../kernel/pass.ts';
import { type FolderRole, type Inbound, storeInbound } from './inbound.store.ts';

/** `id` is the identity's: one watcher for all folders of its mailbox. */
export type WatchedMailbox = { id: string; created_at: Date; attempts: number };

export type Position = {
  role: FolderRole;
  folder: string | null;
  uid_validity: string | null;
  last_uid: number;
  from_at: Date | null;
  stuck_uid: number | null;
  stuck_attempts: number;
};

/** The lease ran out, or another process has it. */
export class LeaseLost extends Error {}

const place = (db: Reader) => db`md5(i.inbound::text)`;
const way = (db: Reader) => db`md5(i.inbound::text || coalesce(i.inbound_secret, ''))`;
/** Inactive ones too: replies and bounces come to them all the same. Not one whose server waits to be confirmed. */
const watchable = (db: Reader) => db`
  i.inbound_kind = 'imap' and i.gone_at is null and i.inbound_secret is not null and i.inbound_unconfirmed_at is null`;

const ROLES: readonly FolderRole[] = ['inbox', 'sent', 'junk'];

/** Those whose settings were changed are due at once, and another mailbox than before is read from its own beginning. */
export async function claimMailboxes(
  tx: Transaction,
  lease: Lease,
  count: number,
): Promise<WatchedMailbox[]> {
  const fresh = await tx<{ id: string }[]>`
    select i.id from identities i
    where ${watchable(tx)} and not exists (select 1 from mailboxes m where m.identity_id = i.id and m.role = 'inbox')
    order by i.id limit ${count}`;
  const rows = fresh.flatMap(({ id }) =>
    ROLES.map((role) => ({ id: newId(), identity_id: id, role, due_at: lease.from })),
  );
  if (rows.length > 0) await tx`insert into mailboxes ${tx(rows)} on conflict (identity_id, role) do nothing`;
  const claimed = await tx<(WatchedMailbox & { place: string; is_other: boolean })[]>`
    with due as (
      select m.id, i.id as identity_id, i.created_at, m.place as old_place, m.way as old_way, ${place(tx)} as place,
        ${way(tx)} as way
      from mailboxes m join identities i on i.id = m.identity_id
      where m.role = 'inbox' and ${watchable(tx)} and (m.lease is null or m.lease_until <= ${lease.from})
        and (m.due_at <= ${lease.from} or m.way is distinct from ${way(tx)})
      order by m.due_at, m.id limit ${count} for update of m skip locked)
    update mailboxes m set lease = ${lease.id}, lease_until = ${lease.until}, place = due.place, way = due.way,
      attempts = case when due.old_way is distinct from due.way then 0 else m.attempts end
    from due where m.id = due.id
    returning due.identity_id as id, due.created_at, m.attempts, due.place, due.old_place is distinct from due.place as is_other`;
  const others = claimed.filter(({ is_other }) => is_other).map(({ id }) => id);
  if (others.length > 0)
    await tx`
      update mailboxes set folder = null, uid_validity = null, last_uid = 0, from_at = null, stuck_uid = null, stuck_attempts = 0
      where identity_id = any(${others})`;
  return claimed.map(({ id, created_at, attempts }) => ({ id, created_at, attempts }));
}

export async function renewMailboxes(tx: Transaction, lease: Lease): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    update mailboxes m set lease_until = ${lease.until} from identities i
    where m.lease = ${lease.id} and m.role = 'inbox' and i.id = m.identity_id and ${watchable(tx)} and m.way = ${way(tx)}
    returning i.id`;
  return rows.map(({ id }) => id);
}

export async function releaseMailbox(tx: Transaction, lease: Lease, identity_id: string): Promise<void> {
  await tx`
    update mailboxes set lease = null, lease_until = null
    where identity_id = ${identity_id} and role = 'inbox' and lease = ${lease.id}`;
}

export async function positionsOf(db: Reader, identity_id: string): Promise<Position[]> {
  return db<Position[]>`
    select role, folder, uid_validity::text as uid_validity, last_uid, from_at, stuck_uid, stuck_attempts
    from mailboxes where identity_id = ${identity_id}`;
}

/** When the mailbox was last read to its end. */
export async function polledAt(db: Reader, identity_id: string): Promise<Date | null> {
  const [row] = await db<{ polled_at: Date | null }[]>`
    select polled_at from mailboxes where identity_id = ${identity_id} and role = 'inbox'`;
  return row?.polled_at ?? null;
}

/** What a watcher writes with: whose mailbox it is, under which lease, and when. */
export type MailboxHand = { identity_id: string; lease: string; now: Date };

async function demandLease(tx: Transaction, { identity_id, lease, now }: MailboxHand): Promise<void> {
  const rows = await tx`
    select 1 from mailboxes
    where identity_id = ${identity_id} and role = 'inbox' and lease = ${lease} and lease_until > ${now} for update`;
  if (rows.length === 0) throw new LeaseLost();
}

export type Beginning = { folder: string; uid_validity: string; last_uid: number; from_at: Date };

export async function saveBeginning(
  tx: Transaction,
  hand: MailboxHand,
  role: FolderRole,
  { folder, uid_validity, last_uid, from_at }: Beginning,
): Promise<void> {
  await demandLease(tx, hand);
  await tx`
    update mailboxes set folder = ${folder}, uid_validity = ${uid_validity}, last_uid = ${last_uid}, from_at = ${from_at},
      stuck_uid = null, stuck_attempts = 0
    where identity_id = ${hand.identity_id} and role = ${role}`;
}

/** The mail and the position in one act: a process that dies between two mails loses and doubles nothing. */
export async function saveMail(
  tx: Transaction,
  hand: MailboxHand,
  { role, uid_validity, uid }: { role: FolderRole; uid_validity: string; uid: number },
  mail: Inbound | null,
): Promise<boolean> {
  await demandLease(tx, hand);
  const isNew = mail !== null && (await storeInbound(tx, mail, hand.now));
  await tx`
    update mailboxes set last_uid = ${uid}, stuck_uid = null, stuck_attempts = 0
    where identity_id = ${hand.identity_id} and role = ${role} and uid_validity = ${uid_validity} and last_uid < ${uid}`;
  return isNew;
}

export async function saveStuck(
  tx: Transaction,
  hand: MailboxHand,
  role: FolderRole,
  uid: number,
): Promise<void> {
  await demandLease(tx, hand);
  await tx`
    update mailboxes set stuck_attempts = case when stuck_uid = ${uid} then stuck_attempts + 1 else 1 end, stuck_uid = ${uid}
    where identity_id = ${hand.identity_id} and role = ${role}`;
}

/** Read to its end: it is well. Whether it was not before. */
export async function saveRead(tx: Transaction, hand: MailboxHand): Promise<boolean> {
  await demandLease(tx, hand);
  const [row] = await tx<{ trouble: string | null }[]>`
    select trouble from mailboxes where identity_id = ${hand.identity_id} and role = 'inbox'`;
  await tx`
    update mailboxes set polled_at = ${hand.now}, due_at = ${hand.now}, trouble = null, trouble_since = null, attempts = 0
    where identity_id = ${hand.identity_id} and role = 'inbox'`;
  return (row?.trouble ?? null) !== null;
}

export type Trouble = { sentence: string | null; attempts: number; due_at: Date };

export async function saveTrouble(
  tx: Transaction,
  hand: MailboxHand,
  { sentence, attempts, due_at }: Trouble,
): Promise<void> {
  await demandLease(tx, hand);
  await tx`
    update mailboxes set attempts = ${attempts}, due_at = ${due_at},
      trouble_since = case when ${sentence}::text is null then null else coalesce(trouble_since, ${hand.now}) end,
      trouble = ${sentence}
    where identity_id = ${hand.identity_id} and role = 'inbox'`;
}
