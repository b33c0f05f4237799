// Letters of which nobody knew whether they went: any word of their fate is proof that the next hop had them.
import type { Principal } from '../../kernel/caller.ts';
import type { Transaction } from '../../kernel/ground.ts';
import { letterWent } from '../prospects/steps.store.ts';
import { act } from '../sends/save.store.ts';
import { sendRows } from '../sends/send.store.ts';
import { lettersNamed, lockLetters, type LetterRow, settleDelivery } from './store.ts';

/** The letters are locked, and so are their prospects. */
export async function settleUncertain(
  tx: Transaction,
  letters: readonly LetterRow[],
  by: Principal,
  now: Date,
): Promise<void> {
  const ids = letters.flatMap(({ id, state }) => (state === 'uncertain' ? id : []));
  if (ids.length === 0) return;
  // Nobody is told of a letter that went: it is what was meant to happen.
  const emit = async (): Promise<void> => undefined;
  for (const row of await sendRows(tx, [...new Set(ids)])) {
    if (row.state !== 'uncertain') continue;
    await act(
      tx,
      row,
      { kind: 'resolve', outcome: 'sent' },
      { kind: 'resolved', details: { outcome: 'sent', by_report: true } },
      { by, now, emit },
    );
    if (row.prospect_id !== null)
      await letterWent(tx, { prospect_id: row.prospect_id, step_id: row.step_id, at: now }, now);
  }
}

/** Letters that were reported on while they were being sent, and became uncertain after that. */
export async function settleReported(
  tx: Transaction,
  ids: readonly string[],
  by: Principal,
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  const letters = await lettersNamed(tx, ids, []);
  await lockLetters(tx, letters, []);
  await settleUncertain(tx, letters, by, now);
  await settleDelivery(tx, ids, now);
}
