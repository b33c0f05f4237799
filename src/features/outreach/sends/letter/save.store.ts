// What writes letters: the row as its state machine left it, what it says where that changed, and a fact beside with who and
// when. A new reason to hold is told to the world in the same transaction, once.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../../kernel/ground.ts';
import { newId } from '../../../../kernel/ids.ts';
import {
  knownPrincipalIn,
  principalColumns,
  type PrincipalColumns,
} from '../../../../kernel/principal-row.ts';
import { stop, Refusal } from '../../../../kernel/refusal.ts';
import type { WriteScene } from '../../../../kernel/scene.ts';
import type { SendFact } from '../contract.ts';
import { letterIn, type SendRow } from './row.ts';
import { sendRows } from './send.store.ts';
import { type Act, isNewHold, type Letter, ruleSend } from './send.rules.ts';

/** Who writes, when, and how the world is told. */
export type Hand = { by: Principal; now: Date; emit: WriteScene['emit'] };

/** What a letter says; what is not given stays. */
export type Words = Partial<
  Pick<SendRow, 'subject' | 'text' | 'html' | 'to_address' | 'to_hash' | 'unresolved'>
> & {
  rewritten?: { by: Principal; reason: string | null } | null;
  sequence_revision?: number;
};

export type Fact = { kind: string; details: Record<string, unknown> };

/** The columns of what the state machine moves. */
export const letterColumns = (tx: Transaction, letter: Letter) => ({
  state: letter.state,
  fingerprint: letter.fingerprint,
  review_reason: letter.review_reason,
  note: letter.note,
  ...principalColumns(tx, 'approved_by', letter.approval?.by ?? null),
  approved_at: letter.approval?.at ?? null,
  approved_fingerprint: letter.approval?.fingerprint ?? null,
  approved_token: letter.approval?.token ?? null,
  scheduled_for: letter.scheduled_for,
  not_before: letter.not_before,
  waiting_for: letter.waiting_for,
  hold_reason: letter.hold?.reason ?? null,
  hold_evidence: letter.hold ? tx.json(letter.hold.evidence as never) : null,
  held_at: letter.hold?.at ?? null,
  hold_told: [...letter.hold_told],
  recheck_at: letter.recheck_at,
  cancel_reason: letter.cancel_reason,
  failed_reason: letter.failed_reason,
  delivery: letter.delivery,
  sending_at: letter.sending_at,
  sent_at: letter.sent_at,
  // Whoever looked at it again, or was sending it, holds it no longer.
  ...(letter.state !== 'sending' && { lease: null, lease_until: null }),
});

/**
 * Does one act to a locked letter and writes what came of it. Throws the refusal of the state machine. `words`: what it says
 * from now on; their fingerprint stands in the act.
 */
export async function act(
  tx: Transaction,
  row: SendRow,
  done: Act,
  fact: Fact,
  hand: Hand,
  { rewritten, ...words }: Words = {},
): Promise<SendRow> {
  const before = letterIn(row);
  const after = ruleSend(before, done, hand.now);
  if (after instanceof Refusal) throw after;
  await tx`
    update sends set ${tx({
      ...words,
      ...(rewritten !== undefined && {
        ...principalColumns(tx, 'rewritten_by', rewritten?.by ?? null),
        rewritten_reason: rewritten?.reason ?? null,
      }),
      ...letterColumns(tx, after),
      revision: row.revision + 1,
      updated_at: hand.now,
    })} where id = ${row.id}`;
  const moved = before.state === after.state ? {} : { from: before.state, to: after.state };
  await writeFacts(tx, [row.id], { ...fact, details: { ...moved, ...fact.details } }, hand);
  if (isNewHold(before, after) && after.hold && row.person_id !== null)
    await hand.emit('send.held', {
      send_id: row.id,
      campaign_id: row.campaign_id ?? row.thread_campaign_id,
      person_id: row.person_id,
      reason: after.hold.reason,
    });
  const [saved] = await sendRows(tx, [row.id]);
  if (!saved) throw new Error('a letter that was just written is gone');
  return saved;
}

/**
 * A locked letter that goes once more is a new attempt: a day to deliver it in, and bytes of the day it goes. What was said of it
 * before counts no more. A vendor that may have the letter keeps key and bytes, since it sends nothing twice under one key.
 */
export async function beginAgain(tx: Transaction, row: SendRow, now: Date): Promise<void> {
  const failed = row.state === 'failed';
  const [saved] = await tx<{ sending_via: string | null }[]>`
    update sends set resent_at = ${now}, resent = resent + ${failed ? 1 : 0}, first_attempt_at = null, delivery_at = null
    where id = ${row.id} returning sending_via`;
  const known = !failed && saved?.sending_via?.startsWith('vendor ');
  if (!known) await tx`delete from send_bytes where send_id = ${row.id}`;
}

/** A letter that stays held for what it is held for: only when it is looked at next, and what was seen now. */
export async function keepHeld(
  tx: Transaction,
  id: string,
  evidence: Record<string, unknown>,
  recheck_at: Date,
): Promise<void> {
  await tx`update sends set recheck_at = ${recheck_at}, hold_evidence = ${tx.json(evidence as never)}
           where id = ${id} and state = 'held'`;
}

/** Only what the state machine says; for acts whose refusal is wanted before anything else is. */
export function demandPossible(row: SendRow, done: Act, now: Date): void {
  const after = ruleSend(letterIn(row), done, now);
  stop(after instanceof Refusal ? after : null);
}

/** The same fact of any number of letters. */
export async function writeFacts(
  tx: Transaction,
  send_ids: readonly string[],
  { kind, details }: Fact,
  { by, now }: Pick<Hand, 'by' | 'now'>,
): Promise<void> {
  if (send_ids.length === 0) return;
  const ids = send_ids.map(() => newId());
  const who = principalColumns(tx, 'by', by);
  await tx`
    insert into send_facts (id, send_id, kind, details, by_kind, by_id, by_name, by_on_behalf_of, at)
    select f.id, f.send_id, ${kind}, ${tx.json(details as never)}, ${who.by_kind ?? ''}, ${who.by_id ?? ''}, ${who.by_name ?? ''},
      ${who.by_on_behalf_of ?? null}, ${now}
    from unnest(${ids}::uuid[], ${[...send_ids]}::uuid[]) f (id, send_id)`;
}

type FactRow = PrincipalColumns<'by'> & {
  id: string;
  kind: string;
  details: Record<string, unknown>;
  at: Date;
};

const HISTORY = 50;

/** Newest first, and what the letter said before it was last changed. */
export async function historyOf(
  db: Reader,
  send_id: string,
): Promise<{ history: SendFact[]; previous: { subject: string; text: string } | null }> {
  const rows = await db<FactRow[]>`
    select f.* from send_facts f where f.send_id = ${send_id} order by f.at desc, f.id desc limit ${HISTORY}`;
  const before = rows.find(({ details }) => 'before' in details)?.details['before'];
  return {
    history: rows.map(({ details: { before: _text, ...details }, ...row }) => ({
      id: row.id,
      kind: row.kind,
      details,
      by: knownPrincipalIn(row, 'by'),
      at: row.at.toISOString(),
    })),
    previous: (before ?? null) as { subject: string; text: string } | null,
  };
}
