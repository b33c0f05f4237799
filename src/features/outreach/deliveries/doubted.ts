// A letter that someone sent again because they said it hadn’t been sent, and whose copy then appears in Sent. It is held so
// that no one gets it twice; a person cancels it or lets it go.
import type { Transaction } from '../../../kernel/database.ts';
import { act, type LetterHand } from '../sends/letter/save.store.ts';
import { sendRows } from '../sends/letter/send.store.ts';
import { attemptsOf, lettersNamed, lockLetters } from './store.ts';

const NOTE =
  'A copy of this letter lies in Sent: it has gone already. Call it off, or let it go a second time.';

const WAITING = ['review', 'scheduled', 'held'];

/** False: it isn't such a letter, or is kept back already. */
export async function keepDoubted(tx: Transaction, send_id: string, hand: LetterHand): Promise<boolean> {
  const [attempt] = await attemptsOf(tx, [send_id]);
  if (!attempt || attempt.resent_at === null) return false;
  await lockLetters(tx, await lettersNamed(tx, [send_id], []), []);
  const [row] = await sendRows(tx, [send_id]);
  if (!row || !WAITING.includes(row.state)) return false;
  if (row.state === 'held' && row.hold_reason === 'letter_on_hold') return false;
  const hold = {
    kind: 'hold',
    reason: 'letter_on_hold',
    evidence: { note: NOTE },
    recheck_at: null,
  } as const;
  const details = { reason: 'letter_on_hold', note: NOTE, evidence: 'sent_copy' };
  await act(tx, row, hold, { kind: 'held', details }, hand);
  return true;
}
