// Asks the database whose letter a mail answers, by the clues of attribution.rules.ts.
import { DAY_MS, after } from '../../../../kernel/clock.ts';
import type { Reader } from '../../../../kernel/database.ts';
import {
  type Answering,
  type AttributedBy,
  baseSubject,
  believed,
  cluesOf,
  GUESS_DAYS,
} from './attribution.rules.ts';
import { type ReplyPlace, placesNamed, sentLatelyTo } from './attribution.store.ts';
import type { Certainty } from '../effects/effects.rules.ts';

export type Attributed = { by: AttributedBy; place: ReplyPlace; certainty: Certainty };

export type AskedReply = Answering & {
  subject: string;
  /** Of the sender's address; null where it has none that can be read. */
  from_hash: string | null;
  /** The letters that the addresses were made for which it was delivered to. */
  verp_sends: readonly string[];
};

/** Null: it answers nothing of ours. */
export async function attribute(db: Reader, asked: AskedReply, now: Date): Promise<Attributed | null> {
  const clues = cluesOf(asked, asked.verp_sends);
  const ids = clues.flatMap((clue) => (clue.by === 'verp' ? [] : clue.message_id));
  const known = clues.length === 0 ? null : await placesNamed(db, ids, asked.verp_sends);
  const found = known && believed(clues, known);
  if (found) return { ...found, certainty: 'known' };
  const about = baseSubject(asked.subject);
  if (asked.from_hash === null || about === '') return null;
  const sent = await sentLatelyTo(db, asked.from_hash, after(now, -GUESS_DAYS * DAY_MS));
  const guess = sent.find(({ subject }) => baseSubject(subject) === about);
  return guess ? { by: 'guessed', place: guess, certainty: 'guessed' } : null;
}
