// All SQL of copies in Sent: whose folder is due, which letters are looked for there, and what came of it.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import type { Lease } from '../../../kernel/pass.ts';
import { after, DAY_MS } from '../../../kernel/clock.ts';
import type { SentCopies } from '../identities/ways/filing.rules.ts';
import { inboundIn, transportIn } from '../../../mail/transport.rules.ts';
import type { CopyOutcome, Wanted } from './copies.rules.ts';

export type DueFolder = { id: string; revision: number; attempts: number };

/** Few letters a turn, so that all of it ends well within its lease. */
const AT_ONCE = 20;
const KEPT_MS = 90 * DAY_MS;

/** One folder for each identity with letters to look for, unless it waits after a trouble that its settings still have. */
export async function claimFolders(tx: Transaction, lease: Lease, count: number): Promise<DueFolder[]> {
  const now = lease.from;
  const waiting = tx`
    i.inbound_kind = 'imap' and i.gone_at is null and i.inbound_unconfirmed_at is null
    and exists (select from sent_copies c where c.identity_id = i.id and c.state = 'due' and c.due_at <= ${now})`;
  await tx`
    insert into sent_folders (identity_id, due_at)
    select i.id, ${now} from identities i
    where ${waiting} and not exists (select from sent_folders f where f.identity_id = i.id) limit ${count}
    on conflict (identity_id) do nothing`;
  return await tx<DueFolder[]>`
    update sent_folders f set lease = ${lease.id}, lease_until = ${lease.until},
      attempts = case when f.identity_revision = i.revision then f.attempts else 0 end, identity_revision = i.revision
    from identities i
    where i.id = f.identity_id and f.identity_id = any(array(
      select d.identity_id from sent_folders d join identities i on i.id = d.identity_id
      where ${waiting} and (d.due_at <= ${now} or d.identity_revision <> i.revision)
        and (d.lease_until is null or d.lease_until <= ${now})
      order by d.due_at limit ${count} for update of d skip locked))
    returning f.identity_id as id, f.identity_revision as revision, f.attempts`;
}

export async function releaseFolders(
  tx: Transaction,
  lease: Lease,
  claimed: readonly DueFolder[],
): Promise<void> {
  await tx`
    update sent_folders set lease = null, lease_until = null
    where identity_id = any(${claimed.map(({ id }) => id)}::uuid[]) and lease = ${lease.id}`;
}

export async function settingsOf(db: Reader, id: string) {
  const [row] = await db<
    {
      sent_copies: SentCopies;
      sent_folder: string | null;
      transport_kind: string;
      transport: object;
      inbound_kind: string;
      inbound: object;
    }[]
  >`
    select sent_copies, sent_folder, transport_kind, transport, inbound_kind, inbound from identities where id = ${id}`;
  return row && { ...row, transport: transportIn(row), inbound: inboundIn(row) };
}

export const wantedOf = (db: Reader, identity_id: string, now: Date): Promise<Wanted[]> => db<Wanted[]>`
  select s.id as send_id, s.state, s.sent_at, s.resent_at, c.looks,
    s.message_id || array(select v.message_id from vendor_letters v where v.send_id = s.id and v.message_id is not null) as message_ids
  from sent_copies c join sends s on s.id = c.send_id
  where c.identity_id = ${identity_id} and c.state = 'due' and c.due_at <= ${now}
  order by c.due_at limit ${AT_ONCE}`;

/** What left; null where it is gone. */
export async function bytesOf(db: Reader, send_id: string): Promise<Buffer | null> {
  const [row] = await db<{ bytes: Buffer }[]>`select bytes from send_bytes where send_id = ${send_id}`;
  return row?.bytes ?? null;
}

/** False: another process has this folder by now. */
export async function lockFolder(tx: Transaction, lease: Lease, id: string): Promise<boolean> {
  const rows = await tx`
    select from sent_folders where identity_id = ${id} and lease = ${lease.id} for update`;
  return rows.length > 0;
}

export async function saveOutcome(
  tx: Transaction,
  send_id: string,
  outcome: CopyOutcome,
  now: Date,
): Promise<void> {
  // What someone else files is none of ours to follow.
  if (outcome.to === 'left' && !outcome.looked) {
    await tx`delete from sent_copies where send_id = ${send_id}`;
    return;
  }
  await tx`
    update sent_copies set state = ${outcome.to}, due_at = ${outcome.to === 'due' ? outcome.at : now},
      looks = looks + 1, looked_at = ${now}
    where send_id = ${send_id}`;
}

/** `trouble`: in a sentence of ours; null while it is well. */
export async function saveFolder(
  tx: Transaction,
  id: string,
  { trouble, attempts, due_at }: { trouble: string | null; attempts: number; due_at: Date },
  now: Date,
): Promise<void> {
  await tx`
    update sent_folders set trouble = ${trouble}, attempts = ${attempts}, due_at = ${due_at}, lease = null, lease_until = null,
      trouble_since = case when ${trouble}::text is null then null else coalesce(trouble_since, ${now}) end
    where identity_id = ${id}`;
}

export async function forgetCopies(tx: Transaction, now: Date): Promise<void> {
  await tx`
    delete from sent_copies c using sends s
    where s.id = c.send_id and c.state <> 'due' and c.looked_at < ${after(now, -KEPT_MS)} and s.state <> 'uncertain'`;
  // Of a mailbox that was taken away.
  await tx`
    delete from sent_copies c using sends s
    where s.id = c.send_id and c.state = 'due' and c.due_at < ${after(now, -KEPT_MS)} and s.state <> 'uncertain'`;
}
