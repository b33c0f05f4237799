// All SQL of readings that are set after landing: the touch that is read again, and which a model is asked about.
import type { Reading } from '../../../kernel/events.rules.ts';
import { json, type Reader, type Transaction } from '../../../kernel/database.ts';
import { DAY_MS, after } from '../../../kernel/clock.ts';
import type { Lease } from '../../../kernel/pass.ts';
import { NO_VERDICT } from '../../../mail/inbound/authenticity.ts';
import type { Channel } from '../threads/names.rules.ts';
import { settleThreads } from '../threads/record/settle.store.ts';
import type { ReadBy, ReadingDetails } from './contract.ts';

export type ReadTouch = {
  id: string;
  thread_id: string;
  channel: Channel;
  person_id: string | null;
  reading: Reading | null;
  reading_by: ReadBy | null;
  attributed_by: string | null;
  from_address: string | null;
  /** Its sender's domain says that it did not send it, or no one says who did (src/mail/inbound/authenticity.ts). */
  doubtful: boolean;
  details: Record<string, unknown>;
  /** A machine wrote it. */
  automatic: boolean;
};

const columns = (db: Reader) =>
  db`id, thread_id, channel, person_id, reading, reading_by, attributed_by, from_address, details, automatic,
    coalesce(authentication ->> 'dmarc' = 'fail' or authentication = ${db.json(NO_VERDICT)}, false) as doubtful`;

/** Something of theirs in this thread, locked; the newest where none is named. The thread is locked already. */
export async function lockTheirs(
  tx: Transaction,
  thread_id: string,
  touch_id: string | null,
): Promise<ReadTouch | null> {
  const [row] = await tx<ReadTouch[]>`
    select ${columns(tx)} from touches
    where thread_id = ${thread_id} and direction = 'in' and channel <> 'chat'
      ${touch_id === null ? tx`` : tx`and id = ${touch_id}`}
    order by at desc, id desc limit 1 for update`;
  return row ?? null;
}

export type NewReading = {
  reading: Reading;
  by: ReadBy;
  confidence: number | null;
  details: ReadingDetails;
  name: string;
};

/** What landing wrote down beside the reading (who wrote it, that it lay in junk) stays. */
export async function saveReading(
  tx: Transaction,
  touch: ReadTouch,
  { reading, by, confidence, details, name }: NewReading,
  now: Date,
): Promise<void> {
  await tx`
    update touches set reading = ${reading}, reading_by = ${by}, confidence = ${confidence},
      details = details || ${json(tx, details)}, read_at = ${now}, read_by_name = ${name}
    where id = ${touch.id}`;
  await settleThreads(tx, [touch.thread_id], now);
}

/** Older answers are a person's: a model that comes to the app late does not go through years of mail. */
const READ_DAYS = 30;
const TRIES = 3;

export type DueTouch = { touch_id: string; lease: string; attempts: number };

/** What no rule could read and no one has read since; oldest first. */
export const claimUnread = (tx: Transaction, lease: Lease, count: number): Promise<DueTouch[]> => tx<
  DueTouch[]
>`
  insert into readings_asked (touch_id, lease, lease_until)
  select t.id, ${lease.id}, ${lease.until} from touches t left join readings_asked a on a.touch_id = t.id
  where t.direction = 'in' and t.reading = 'unread' and t.reading_by = 'rule' and t.channel <> 'chat'
    and t.at > ${after(lease.from, -READ_DAYS * DAY_MS)}
    and (a.touch_id is null or (a.attempts < ${TRIES} and (a.due_at is null or a.due_at <= ${lease.from})
      and (a.lease_until is null or a.lease_until <= ${lease.from})))
  order by t.at, t.id limit ${count}
  on conflict (touch_id) do update set lease = excluded.lease, lease_until = excluded.lease_until,
    attempts = readings_asked.attempts + 1
    where readings_asked.lease_until is null or readings_asked.lease_until <= ${lease.from}
  returning touch_id, lease, attempts`;

export async function releaseUnread(
  tx: Transaction,
  lease: Lease,
  claimed: readonly DueTouch[],
): Promise<void> {
  await tx`
    update readings_asked set lease = null, lease_until = null, attempts = attempts - 1
    where touch_id = any(${claimed.map(({ touch_id }) => touch_id)}::uuid[]) and lease = ${lease.id}`;
}

/** It could not say: asked again then. */
export async function askAgainAt(tx: Transaction, { touch_id, lease }: DueTouch, at: Date): Promise<void> {
  await tx`
    update readings_asked set lease = null, lease_until = null, due_at = ${at}
    where touch_id = ${touch_id} and lease = ${lease}`;
}

/** Whether it is still ours to say; locked, and over with this. */
export async function endAsking(tx: Transaction, { touch_id, lease }: DueTouch): Promise<boolean> {
  const ended = await tx`
    update readings_asked set lease = null, lease_until = null, attempts = ${TRIES}
    where touch_id = ${touch_id} and lease = ${lease} returning 1`;
  return ended.length > 0;
}

export type ReadLetter = { thread_id: string; subject: string; text: string };

/** What a model is shown: their words without what was quoted, and nothing of anyone else. */
export async function letterOf(db: Reader, touch_id: string): Promise<ReadLetter | null> {
  const [row] = await db<ReadLetter[]>`
    select thread_id, subject, left(text_stripped, 20000) as text from touches where id = ${touch_id}`;
  return row ?? null;
}
