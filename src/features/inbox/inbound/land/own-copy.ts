// What lies in the Sent folder of one of our senders: copies of letters that the product sent, and letters that a person wrote
// by hand in their own mail program. Neither is ever read as an answer.
import type { Transaction } from '../../../../kernel/database.ts';
import { hashesIn } from '../../../../mail/address.ts';
import type { ReadMail } from '../../../../mail/inbound/mail.ts';
import { keepDoubted } from '../../../outreach/deliveries/doubted.ts';
import { insertTouch } from '../../threads/record/touch.store.ts';
import { believed, cluesOf, isTheirs } from '../attribution/attribution.rules.ts';
import { placesNamed, threadWith, writerOf } from '../attribution/attribution.store.ts';
import type { At, Inbound } from './land.ts';
import { settleLetter } from './letter.ts';
import type { From } from './read.ts';
import type { StoredMail } from '../store.ts';
import { threadOf } from './thread.store.ts';
import { touchOf } from './as-touch.ts';

export async function landOwnCopy(
  tx: Transaction,
  stored: StoredMail,
  { mail, from }: { mail: ReadMail; from: From },
  at: At,
): Promise<Inbound> {
  const own = cluesOf({ in_reply_to: mail.message_id, references: [], quoted_ids: [] }, []);
  const clues = cluesOf({ ...mail, quoted_ids: [] }, []);
  const ids = [...own, ...clues].flatMap((clue) => (clue.by === 'verp' ? [] : clue.message_id));
  const known = await placesNamed(tx, ids, []);
  const copied = believed(own, known)?.place;
  if (copied?.send_id) {
    if (copied.send_state === 'sending') return 'later';
    const changes =
      copied.send_state === 'uncertain' ? await settleLetter(tx, copied.send_id, 'copied', at) : [];
    const emit = async (...told: Parameters<At['emit']>): Promise<void> => void (await at.emit(...told));
    if (await keepDoubted(tx, copied.send_id, { ...at, emit }))
      changes.push({ topic: 'sends', id: copied.send_id });
    return { landed: { state: 'matched', note: null, changes } };
  }
  if (copied)
    return { landed: { state: 'ignored', note: 'It stands in its conversation already.', changes: [] } };
  const answered = believed(clues, known)?.place;
  if (answered && from !== null && isTheirs(answered, await writerOf(tx, from)))
    return {
      landed: { state: 'ignored', note: 'An answer to us: it lands where it comes in.', changes: [] },
    };
  const thread_id = answered?.thread_id ?? (await threadWith(tx, hashesOf(mail)));
  if (thread_id === null)
    return {
      landed: {
        state: 'ignored',
        note: 'A letter sent from here, to someone without a conversation.',
        changes: [],
      },
    };
  const thread = await threadOf(tx, thread_id);
  const { touch_id } = await insertTouch(
    tx,
    { ...touchOf(stored, mail), thread_id: thread.id, direction: 'out' },
    at.now,
  );
  return {
    landed: { state: 'landed', touch_id, changes: [{ topic: 'threads', id: thread.id }] },
  };
}

const hashesOf = ({ to, cc }: ReadMail): string[] => hashesIn([...to, ...cc].map(({ address }) => address));
