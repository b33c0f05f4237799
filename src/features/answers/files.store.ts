// Files that were uploaded for a conversation's answers and that none carries: so many at once, and for a day.
import { after, DAY_MS } from '../../kernel/clock.ts';
import type { Reader, Transaction } from '../../kernel/ground.ts';

const KEPT_MS = DAY_MS;
/** Conversations tidied in one go; what is over is there the next time. */
const TIDIED_AT_ONCE = 500;

/** What a discarded answer carried nobody will send: it cannot be taken up again. */
const unnamed = (db: Reader) => db`
  not exists (select from send_attachments s where s.attachment_id = f.id) and not exists (
    select from answer_attachments w join answers a on a.id = w.answer_id
    where w.attachment_id = f.id and a.state <> 'discarded')`;

/** Under the conversation's lock, so that two uploads at once are counted one after the other. */
export async function unnamedIn(tx: Transaction, thread_id: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from attachments f where f.thread_id = ${thread_id} and ${unnamed(tx)}`;
  return row?.count ?? 0;
}

/** A conversation in which somebody writes just now is passed over: a draft may be about to name one of its files. */
export async function forgetUnnamed(tx: Transaction, now: Date): Promise<void> {
  const old = () => tx`f.created_at <= ${after(now, -KEPT_MS)} and ${unnamed(tx)}`;
  const threads = await tx<{ id: string }[]>`
    select t.id from threads t
    where t.id in (select f.thread_id from attachments f where f.thread_id is not null and ${old()})
    order by t.id limit ${TIDIED_AT_ONCE} for no key update skip locked`;
  const held = threads.map(({ id }) => id);
  const files = await tx<{ id: string }[]>`
    select f.id from attachments f where f.thread_id = any(${held}::uuid[]) and ${old()}`;
  const gone = files.map(({ id }) => id);
  await tx`delete from answer_attachments where attachment_id = any(${gone}::uuid[])`;
  await tx`delete from attachments where id = any(${gone}::uuid[])`;
}
