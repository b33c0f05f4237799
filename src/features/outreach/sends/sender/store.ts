// What the sender takes into its hands and gives back: due letters under a lease, chosen by identity, the bytes of their
// attempt, and what a process that died left behind.
import type { PendingQuery, Row } from 'postgres';
import type { Transaction, Reader } from '../../../../kernel/database.ts';
import type { Hands, Lease } from '../../../../kernel/pass.ts';
import { after, HOUR_MS, SECOND_MS } from '../../../../kernel/clock.ts';
import { writeFacts } from '../letter/save.store.ts';
import { moveLetters } from '../letter/transitions.store.ts';
import { fullSlots, slotOf } from './slot.rules.ts';
import { SENDER } from './outcome.ts';
import { viaOf } from './start.store.ts';

export type DueLetter = {
  id: string;
  /** `sending`: a vendor was given it, and is asked again with the same key. */
  state: 'scheduled' | 'sending';
  /** The fence: whoever holds the letter later has another. */
  lease: string;
  backoff: string;
};

type Piece = PendingQuery<Row[]>;

/** What was claimed and not begun is free again soon; a letter that is worked on is kept by `keepLeases`. */
const CLAIMED_MS = 20 * SECOND_MS;
/** As long as a vendor surely knows the key of a letter. */
const SAME_KEY_MS = 23 * HOUR_MS;

/**
 * Due letters that no one holds, of slots that have room. By identity, those first that have waited longest for their turn: an
 * identity whose gap, cap or mail server lets nothing out costs one row, however many letters wait behind it. One that keeps a
 * gap, or whose server failed last, gives one letter at a time; people's answers have a slot beside the others. Limits are
 * constants and keys arrays, so that a generic plan reads no backlog.
 */
export async function claimLetters(
  tx: Transaction,
  lease: Lease,
  count: number,
  hands: Hands,
): Promise<DueLetter[]> {
  await surfaceUncertain(tx, lease.from);
  const now = lease.from;
  const { answering, full, begun } = fullSlots(hands);
  const due = (identity: Piece, kind: Piece) => tx`
    select s.id from sends s
    where s.identity_id ${identity} and s.kind ${kind} and s.state = 'scheduled' and s.due_at <= ${now}
      and (s.lease_until is null or s.lease_until <= ${now})
    order by s.due_at, s.id`;
  const [answers, others] = [tx`= 'answer'`, tx`<> 'answer'`];
  const slots = (which: Piece) => tx`
    select i.id from identities i join domains d on d.id = i.domain_id
    left join sender_lanes l on l.identity_id = i.id
      and l.identity_revision = i.revision and l.domain_revision = d.revision
    where (i.next_slot_at is null or i.next_slot_at <= ${now})
      and (l.asleep_until is null or l.asleep_until <= ${now}) and ${which}
    order by i.next_slot_at nulls first, i.id`;
  const one = tx`(i.min_gap_s > 0 or coalesce(l.failures, 0) > 0)`;
  const free = (kind: Piece) => tx`not exists (
    select from sends f where f.identity_id = i.id and f.lease is not null and f.lease_until > ${now}
      and f.kind ${kind} and f.state in ('scheduled', 'sending'))`;
  const answer = tx`i.id <> all(${answering}::uuid[]) and (not ${one} or ${free(answers)})`;
  const apart = tx`${one} and i.id <> all(${begun}::uuid[]) and ${free(others)}`;
  const second = tx`not ${one} and i.id = any(${begun}::uuid[]) and i.id <> all(${full}::uuid[])`;
  const claimed = await tx<(Omit<DueLetter, 'backoff'> & { identity_id: string | null; kind: string })[]>`
    update sends s set lease = ${lease.id}, lease_until = ${after(now, CLAIMED_MS)}
    where s.id = any((
      array(select due.id from (${slots(answer)}) i
        cross join lateral (${due(tx`= i.id`, answers)} limit 1 for update skip locked) due limit 8)
      || array(select due.id from (${slots(apart)}) i
        cross join lateral (${due(tx`= i.id`, others)} limit 1 for update skip locked) due limit 8)
      || array(select due.id from (${slots(tx`not ${one} and i.id <> all(${begun}::uuid[])`)}) i
        cross join lateral (${due(tx`= i.id`, others)} limit 2 for update skip locked) due limit 8)
      || array(select due.id from (${slots(second)}) i
        cross join lateral (${due(tx`= i.id`, others)} limit 1 for update skip locked) due limit 8)
      || array(${due(tx`is null`, tx`is not null`)} limit 8 for update skip locked)
      || array(select f.id from sends f where f.state = 'sending' and f.lease_until <= ${now}
          and f.identity_id <> all(${full}::uuid[])
        order by f.lease_until limit 8 for update skip locked)
    )[1:${count}])
    returning s.id, s.state, s.lease, s.identity_id, s.kind`;
  return claimed.map(({ identity_id, kind, ...letter }) => ({
    ...letter,
    backoff: slotOf(identity_id, kind),
  }));
}

/**
 * Letters whose process died, or lost touch, after it was allowed to end them: no one knows whether they arrived, so they
 * are listed and no timer sends them again. The lease stays on the row, so that an answer that comes late still counts. A
 * vendor that knows the key is asked again instead.
 */
async function surfaceUncertain(tx: Transaction, now: Date): Promise<void> {
  const left = tx`s.id = any(array(
    select f.id from sends f left join identities i on i.id = f.identity_id
    where f.state = 'sending' and f.lease_until <= ${now}
      and (f.sending_via not like 'vendor %' or f.sending_via is distinct from ${viaOf(tx, tx`i.id`)}
        or f.sending_at <= ${after(now, -SAME_KEY_MS)})
    order by f.lease_until limit 100 for update of f skip locked))`;
  const lost = await moveLetters(tx, left, { kind: 'lost' }, now);
  await writeFacts(tx, lost, { kind: 'uncertain', details: {} }, { by: SENDER, now });
}

/** Of letters that this process works on: a host may take minutes over one. */
export async function keepLeases(
  tx: Transaction,
  held: readonly { id: string; lease: string }[],
  until: Date,
): Promise<void> {
  await tx`
    update sends s set lease_until = ${until}
    from unnest(${held.map(({ id }) => id)}::uuid[], ${held.map(({ lease }) => lease)}::uuid[]) as h (id, lease)
    where s.id = h.id and s.lease = h.lease and s.state in ('scheduled', 'sending')`;
}

export async function releaseLetters(
  tx: Transaction,
  lease: Lease,
  claimed: readonly DueLetter[],
): Promise<void> {
  const ids = claimed.map(({ id }) => id);
  await tx`update sends set lease = null, lease_until = null
           where id = any(${ids}::uuid[]) and lease = ${lease.id} and state = 'scheduled'`;
  // One that a vendor may have goes on being asked about.
  await tx`update sends set lease_until = ${lease.from}
           where id = any(${ids}::uuid[]) and lease = ${lease.id} and state = 'sending'`;
}

export type LetterRow = {
  id: string;
  kind: 'sequence' | 'answer' | 'one_off';
  campaign_id: string | null;
  prospect_id: string | null;
  person_id: string | null;
  step_id: string | null;
  identity_id: string | null;
  subject: string;
  text: string;
  html: string | null;
  to_address: string;
  cc: string[];
  message_id: string;
  in_reply_to: string | null;
  message_references: string[];
  fingerprint: string;
  to_hash: string;
  attempts: number;
  /** How often it failed and was sent again. */
  resent: number;
  first_attempt_at: Date | null;
  /** As it is now, and since someone sent it again: its identity was held over it. */
  refused: boolean;
  /** Made for an attempt before, and still of this letter. */
  kept: { envelope_from: string; bytes: Buffer } | null;
};

export async function letterRows(db: Reader, ids: readonly string[]): Promise<Map<string, LetterRow>> {
  type Row = Omit<LetterRow, 'kept'> & { envelope_from: string | null; bytes: Buffer | null };
  const rows = await db<Row[]>`
    select s.id, s.kind, s.campaign_id, s.prospect_id, s.person_id, s.step_id, s.identity_id, s.subject, s.text, s.html,
      s.to_address, s.cc, s.message_id, s.in_reply_to, s.message_references, s.fingerprint, s.to_hash, s.attempts, s.resent,
      s.first_attempt_at, b.envelope_from, b.bytes,
      exists (select from send_facts f where f.send_id = s.id and f.kind = 'held' and f.details ->> 'refused' = s.fingerprint
        and f.at > coalesce(s.resent_at, '-infinity')) as refused
    from sends s left join send_bytes b on b.send_id = s.id and b.fingerprint = s.fingerprint
    where s.id = any(${[...ids]}::uuid[])`;
  return new Map(
    rows.map(({ envelope_from, bytes, ...row }) => [
      row.id,
      { ...row, kept: envelope_from !== null && bytes ? { envelope_from, bytes } : null },
    ]),
  );
}

export type AttachmentRow = { send_id: string; filename: string; media_type: string; bytes: Buffer };

export const attachmentRows = (db: Reader, ids: readonly string[]): Promise<AttachmentRow[]> =>
  db<AttachmentRow[]>`
    select a.send_id, f.filename, f.media_type, f.bytes
    from send_attachments a join attachments f on f.id = a.attachment_id
    where a.send_id = any(${[...ids]}::uuid[]) order by a.send_id, a.position`;

/**
 * Keeps the bytes of a letter before an attempt and takes the lease of an attempt. False: someone else has the
 * letter by now, or it says something else.
 */
export async function beginAttempt(
  tx: Transaction,
  { id, fingerprint }: { id: string; fingerprint: string },
  lease: string,
  until: Date,
  made: { envelope_from: string; bytes: Buffer } | null,
  now: Date,
): Promise<boolean> {
  const mine = tx`mine as (
    update sends set lease_until = ${until}
    where id = ${id} and lease = ${lease} and fingerprint = ${fingerprint} and state in ('scheduled', 'sending')
    returning id)`;
  const found = made
    ? await tx`
        with ${mine}, kept as (
          insert into send_bytes (send_id, fingerprint, envelope_from, bytes, made_at)
          select id, ${fingerprint}, ${made.envelope_from}, ${made.bytes}, ${now} from mine
          on conflict (send_id) do update set fingerprint = excluded.fingerprint,
            envelope_from = excluded.envelope_from, bytes = excluded.bytes, made_at = excluded.made_at)
        select id from mine`
    : await tx`with ${mine} select id from mine`;
  return found.length > 0;
}
