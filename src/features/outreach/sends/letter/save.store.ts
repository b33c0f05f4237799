// Writes letters: the transition (transitions.store.ts), changed content, and a fact with who and when. A new hold reason emits
// its event once, in the same transaction.
import type { Principal } from '../../../../kernel/caller.ts';
import { json, type Reader, type Transaction } from '../../../../kernel/database.ts';
import { newId } from '../../../../kernel/ids.ts';
import {
  knownPrincipalIn,
  principalColumns,
  type PrincipalColumns,
} from '../../../../kernel/principal-row.ts';
import { stop, Refusal } from '../../../../kernel/refusal.ts';
import type { WriteContext } from '../../../../kernel/context.ts';
import type { SendFact } from '../contract.ts';
import type { SendRow } from './row.ts';
import { sendRows } from './send.store.ts';
import { type Act, isNewHold, ruleSend } from './send.rules.ts';
import { moveLetters } from './transitions.store.ts';

/** Who writes, when, and how the world is told. */
export type LetterHand = { by: Principal; now: Date; emit: WriteContext['emit'] };

/** What a letter says; what is not given stays. */
export type Words = Partial<
  Pick<SendRow, 'subject' | 'text' | 'html' | 'to_address' | 'to_hash' | 'unresolved'>
> & {
  rewritten?: { by: Principal; reason: string | null } | null;
  sequence_revision?: number;
};

export type Fact = { kind: string; details: Record<string, unknown> };

/**
 * Does one act to a locked letter and writes what came of it. Throws the refusal of the state machine. `words`: what it says
 * from now on; their fingerprint is in the act.
 */
export async function act(
  tx: Transaction,
  row: SendRow,
  done: Act,
  fact: Fact,
  hand: LetterHand,
  { rewritten, ...words }: Words = {},
): Promise<SendRow> {
  const ruled = ruleSend(row, done, hand.now);
  if (ruled instanceof Refusal) throw ruled;
  await moveLetters(tx, [row.id], done, hand.now, {
    ...words,
    ...(rewritten !== undefined && {
      ...principalColumns(tx, 'rewritten_by', rewritten?.by ?? null),
      rewritten_reason: rewritten?.reason ?? null,
    }),
  });
  const moved = row.state === ruled.state ? {} : { from: row.state, to: ruled.state };
  await writeFacts(tx, [row.id], { ...fact, details: { ...moved, ...fact.details } }, hand);
  if (isNewHold(row, ruled) && ruled.hold_reason !== null && row.person_id !== null)
    await hand.emit('send.held', {
      send_id: row.id,
      campaign_id: row.campaign_id ?? row.thread_campaign_id,
      person_id: row.person_id,
      reason: ruled.hold_reason,
    });
  const [saved] = await sendRows(tx, [row.id]);
  if (!saved) throw new Error('a letter that was just written is gone');
  return saved;
}

/**
 * A letter that goes once more has bytes of the day it goes. `row`: as it was before. A vendor that may have the letter keeps key
 * and bytes, since it sends nothing twice under one key.
 */
export async function forgetBytes(tx: Transaction, row: SendRow): Promise<void> {
  const mayHaveIt =
    row.state === 'uncertain' ? tx`coalesce(s.sending_via like 'vendor %', false)` : tx`false`;
  await tx`
    delete from send_bytes b using sends s
    where b.send_id = ${row.id} and s.id = b.send_id and not ${mayHaveIt}`;
}

/** A letter that stays held for what it is held for: only when it is looked at next, and what was seen now. */
export async function keepHeld(
  tx: Transaction,
  id: string,
  evidence: Record<string, unknown>,
  recheck_at: Date,
): Promise<void> {
  await tx`update sends set recheck_at = ${recheck_at}, hold_evidence = ${json(tx, evidence)}
           where id = ${id} and state = 'held'`;
}

/** Only what the state machine says; for acts whose refusal is wanted before anything else is. */
export function demandPossible(row: SendRow, done: Act, now: Date): void {
  const after = ruleSend(row, done, now);
  stop(after instanceof Refusal ? after : null);
}

/** The same fact of any number of letters. */
export async function writeFacts(
  tx: Transaction,
  send_ids: readonly string[],
  { kind, details }: Fact,
  { by, now }: Pick<LetterHand, 'by' | 'now'>,
): Promise<void> {
  if (send_ids.length === 0) return;
  const ids = send_ids.map(() => newId());
  const who = principalColumns(tx, 'by', by);
  await tx`
    insert into send_facts (id, send_id, kind, details, by_kind, by_id, by_name, by_on_behalf_of, at)
    select f.id, f.send_id, ${kind}, ${json(tx, details)}, ${who.by_kind ?? ''}, ${who.by_id ?? ''}, ${who.by_name ?? ''},
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
