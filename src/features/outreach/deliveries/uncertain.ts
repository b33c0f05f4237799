// Uncertain letters: any report about one proves that the next server had it.
import type { Principal } from '../../../kernel/caller.ts';
import type { Transaction } from '../../../kernel/database.ts';
import { letterWent } from '../prospects/stepping/steps.store.ts';
import { act } from '../sends/letter/save.store.ts';
import { sendRows } from '../sends/letter/send.store.ts';
import type { Delivery } from './rules.ts';
import { heardOf, lettersNamed, lockLetters, type LetterRow, settleDelivery } from './store.ts';

/** What showed that a letter had gone; it is in the letter's history. */
export type Evidence =
  | 'sent_copy'
  | 'reply'
  | 'bounce'
  | 'complaint'
  | 'delivery_report'
  | 'vendor_event'
  | 'server_reply';

/** A copy in our own Sent folder says that the next hop took it; a reply, that it arrived. */
export const copyFound = (letter: Attempted, at: Date): Delivery =>
  proof(`copied:${attemptOf(letter)}`, 'accepted', letter.id, at);
export const replyCame = (letter: Attempted, at: Date): Delivery =>
  proof(`answered:${attemptOf(letter)}`, 'delivered', letter.id, at);

/** `resent_at`: since when it is another attempt, of which the proof of the one before says nothing. */
export type Attempted = { id: string; resent_at: Date | null };
const attemptOf = ({ id, resent_at }: Attempted): string =>
  resent_at === null ? id : `${id}:${resent_at.getTime()}`;

const proof = (key: string, kind: Delivery['kind'], id: string, at: Date): Delivery => ({
  key,
  kind,
  source: 'report',
  send: { id, by: 'id' },
  status: null,
  cause: null,
  said: null,
  recipient_hash: null,
  at,
});

export function evidenceOf({ key, source, kind }: Pick<Delivery, 'key' | 'source' | 'kind'>): Evidence {
  if (key.startsWith('copied:')) return 'sent_copy';
  if (key.startsWith('answered:')) return 'reply';
  if (source === 'vendor') return 'vendor_event';
  if (source === 'session') return 'server_reply';
  if (kind === 'complaint') return 'complaint';
  return kind === 'accepted' || kind === 'delivered' ? 'delivery_report' : 'bounce';
}

/** The letters are locked, and so are their prospects. */
export async function settleUncertain(
  tx: Transaction,
  letters: readonly (LetterRow & { evidence: Evidence })[],
  by: Principal,
  now: Date,
): Promise<void> {
  const unsure = letters.filter(({ state }) => state === 'uncertain');
  if (unsure.length === 0) return;
  const evidence = new Map(unsure.map((each) => [each.id, each.evidence]));
  // No one is told of a letter that went: it is what was meant to happen.
  const emit = async (): Promise<void> => undefined;
  for (const row of await sendRows(tx, [...evidence.keys()])) {
    if (row.state !== 'uncertain') continue;
    await act(
      tx,
      row,
      { kind: 'went' },
      { kind: 'resolved', details: { outcome: 'sent', evidence: evidence.get(row.id) } },
      { by, now, emit },
    );
    if (row.prospect_id !== null)
      await letterWent(
        tx,
        // The next step is due as if it had been known then.
        { prospect_id: row.prospect_id, step_id: row.step_id, at: row.sending_at ?? now },
        now,
      );
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
  const heard = await heardOf(tx, ids);
  await settleUncertain(
    tx,
    letters.map((each) => ({
      ...each,
      evidence: evidenceOf(heard.get(each.id) ?? { key: '', source: 'report', kind: 'accepted' }),
    })),
    by,
    now,
  );
  await settleDelivery(tx, ids, now);
}
