// What becomes of a letter that its gates stop or let go: the one place where a verdict is turned into an act, for the sender,
// the pass that looks again, and a person who asks.
import { MINUTE_MS, after } from '../../../../kernel/clock.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import type { LetterFacts } from './facts.rules.ts';
import { allGates } from './gates.rules.ts';
import type { HoldReason } from '../letter/reasons.rules.ts';
import type { SendRow } from '../letter/row.ts';
import { act, type LetterHand, keepHeld } from '../letter/save.store.ts';
import type { Stop } from './stop.rules.ts';

/** Held letters are looked at again after this, whatever else happens (domain.md §1.5). */
export const RECHECK_MS = 10 * MINUTE_MS;

/** A scheduled letter that a gate stops: it waits, is held, or is over. The row is locked. */
export async function applyStop(
  tx: Transaction,
  row: SendRow,
  stop: Stop,
  hand: LetterHand,
): Promise<SendRow> {
  if ('cancel' in stop)
    return act(
      tx,
      row,
      { kind: 'cancel', reason: stop.cancel },
      { kind: 'cancelled', details: { reason: stop.cancel } },
      hand,
    );
  const evidence = stop.evidence ?? {};
  if ('hold' in stop)
    return act(
      tx,
      row,
      { kind: 'hold', reason: stop.hold, evidence, recheck_at: after(hand.now, RECHECK_MS) },
      { kind: 'held', details: { reason: stop.hold } },
      hand,
    );
  const { defer: why, until } = stop;
  return act(tx, row, { kind: 'wait', why, until }, { kind: 'waits', details: { why, until } }, hand);
}

/** What is wrong with an address whatever its letter says: no one reads it before that is settled. */
const OF_ADDRESS: readonly HoldReason[] = ['suppressed', 'address_changed'];

/**
 * Asks a held letter's gates again. It goes on only where none of them holds it, so that it does not come back for the next
 * reason with another event; the first that does is what it is held for then. The row is locked.
 */
export async function lookAgain(
  tx: Transaction,
  row: SendRow,
  facts: LetterFacts,
  hand: LetterHand,
): Promise<SendRow> {
  const stops = allGates(facts, hand.now).flatMap(({ stop }) => (stop ? [stop] : []));
  const over = stops.find((stop) => 'cancel' in stop);
  if (over) return applyStop(tx, row, over, hand);
  const letGo = { kind: 'let_go', details: { held_for: row.hold_reason } };
  // Whom it goes to is asked before what it says is read.
  const wrong = stops.find((stop) => 'hold' in stop && OF_ADDRESS.includes(stop.hold));
  if (wrong) return stay(tx, row, wrong, hand);
  // No one has read it yet: it goes back to its reader, who may see what its gates say.
  const unread = row.review_reason !== null && row.approved_by_kind === null;
  if (unread) return act(tx, row, { kind: 'release', wait: null }, letGo, hand);
  const holds = stops.find((stop) => 'hold' in stop);
  if (holds) return stay(tx, row, holds, hand);
  const waits = stops.find((stop) => 'defer' in stop);
  const wait = waits && 'defer' in waits ? { why: waits.defer, until: waits.until } : null;
  return act(tx, row, { kind: 'release', wait }, letGo, hand);
}

async function stay(tx: Transaction, row: SendRow, stop: Stop, hand: LetterHand): Promise<SendRow> {
  if (!('hold' in stop) || stop.hold !== row.hold_reason) return applyStop(tx, row, stop, hand);
  await keepHeld(tx, row.id, stop.evidence ?? {}, after(hand.now, RECHECK_MS));
  return row;
}
