// Threads made one, and one made two. Touches keep their ids; what hangs on a thread elsewhere goes where its touches go, and
// both threads are brought up to their touches in the one place that does it (settle.store.ts).
import type { Caller } from '../../../../kernel/caller.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { conflict, invalid } from '../../../../kernel/refusal.ts';
import { openThread } from '../record/open.store.ts';
import { settleThreads } from '../record/settle.store.ts';
import type { LoadedThread } from '../store.ts';
import { mergeAway, reopenThread } from '../thread-states.store.ts';
import { mayRead } from '../read/touches.store.ts';

/** Both are locked. Throws where one author has a draft in each: one of the two would be lost. */
export async function mergeThreads(
  tx: Transaction,
  into: LoadedThread,
  from: LoadedThread,
  now: Date,
): Promise<void> {
  const [clash] = await tx`
    select 1 from answers a join answers b on b.thread_id = ${into.id} and b.state = 'draft'
      and b.draft_by_kind = a.draft_by_kind and b.draft_by_id = a.draft_by_id
    where a.thread_id = ${from.id} and a.state = 'draft' limit 1`;
  if (clash)
    throw conflict('both threads have a draft by the same author: send or discard one of them, then merge');
  await tx`update touches set thread_id = ${into.id} where thread_id = ${from.id}`;
  await tx`update answers set thread_id = ${into.id} where thread_id = ${from.id}`;
  await tx`update attachments set thread_id = ${into.id} where thread_id = ${from.id}`;
  await tx`update sends set thread_id = ${into.id} where thread_id = ${from.id}`;
  await tx`update deals set thread_id = ${into.id} where thread_id = ${from.id}`;
  // Whoever has read but one of them has not read the whole.
  await tx`
    delete from thread_reads r where r.thread_id = ${into.id}
      and not exists (select from thread_reads f where f.thread_id = ${from.id} and f.user_id = r.user_id)`;
  await tx`
    update thread_reads r set read_at = least(r.read_at, f.read_at) from thread_reads f
    where r.thread_id = ${into.id} and f.thread_id = ${from.id} and f.user_id = r.user_id`;
  await tx`delete from thread_reads where thread_id = ${from.id}`;
  // An id that led to the one leads on to the other, always in one step.
  await tx`update threads set merged_into = ${into.id} where merged_into = ${from.id}`;
  await mergeAway(tx, from.id, into.id, now);
  const labels = [...new Set([...into.labels, ...from.labels])].slice(0, 20);
  await tx`
    update threads t set labels = ${labels}, person_id = coalesce(t.person_id, f.person_id),
      prospect_id = coalesce(t.prospect_id, f.prospect_id), campaign_id = coalesce(t.campaign_id, f.campaign_id),
      identity_id = coalesce(t.identity_id, f.identity_id),
      assignee_kind = coalesce(t.assignee_kind, f.assignee_kind), assignee_id = coalesce(t.assignee_id, f.assignee_id),
      assignee_name = coalesce(t.assignee_name, f.assignee_name)
    from threads f where t.id = ${into.id} and f.id = ${from.id}`;
  if (from.state === 'open') await reopenThread(tx, into.id, now);
  await settleThreads(tx, [into.id, from.id], now);
}

type Moved = {
  id: string;
  channel: string;
  direction: 'in' | 'out';
  subject: string;
  person_id: string | null;
  campaign_id: string | null;
};

/** Gives the id of the thread that was made. Where all that was said to us of it is one other person's, it is theirs. */
export async function splitThread(
  tx: Transaction,
  caller: Caller,
  thread: LoadedThread,
  { touches, subject }: { touches: readonly string[]; subject: string | undefined },
  now: Date,
): Promise<string> {
  const moved = await tx<Moved[]>`
    select id, channel, direction, subject, person_id, campaign_id from touches
    where id = any(${[...touches]}::uuid[]) and thread_id = ${thread.id} order by at, id`;
  const [first] = moved;
  if (!first || moved.length < touches.length) {
    const says = 'touches: one of these isn’t in this thread; GET /api/threads/:id lists its touches';
    throw invalid(says, { touches: says });
  }
  const theirs = moved.filter(({ direction }) => direction === 'in');
  const people = new Set((theirs.length > 0 ? theirs : moved).map(({ person_id }) => person_id));
  const [whose] = people;
  const other = people.size === 1 && whose !== null && whose !== undefined && whose !== thread.person_id;
  const id = await openThread(
    tx,
    {
      channel: first.channel as LoadedThread['channel'],
      // Of a message that they may not read it would show the subject.
      subject: subject ?? ((mayRead(caller, thread, first) && first.subject) || thread.subject),
      identity_id: thread.identity_id,
      ...(other
        ? { person_id: whose }
        : {
            person_id: thread.person_id,
            prospect_id: thread.prospect_id,
            campaign_id: thread.campaign_id,
          }),
    },
    now,
  );
  await tx`update touches set thread_id = ${id} where id = any(${[...touches]}::uuid[])`;
  await moveLetters(tx, thread.id, id);
  // It came of what that other person said here.
  if (other)
    await tx`update deals set thread_id = ${id} where thread_id = ${thread.id} and person_id = ${whose}`;
  // Who has read what they were part of has read them.
  await tx`
    insert into thread_reads (user_id, thread_id, read_at)
    select user_id, ${id}, read_at from thread_reads where thread_id = ${thread.id}`;
  await settleThreads(tx, [thread.id, id], now);
  return id;
}

/**
 * Letters go where their touches went, and an answer that has not gone yet where the message went that it answers; each with
 * its draft and its files, save one that an answer which stays carries as well. Otherwise those who read the one conversation
 * would read on what was said in the other, and erasing its person would pass them over.
 */
async function moveLetters(tx: Transaction, from: string, into: string): Promise<void> {
  await tx`
    update answers a set thread_id = ${into}
    where a.thread_id = ${from} and case
      when exists (select from touches x where x.send_id = a.send_id and x.direction = 'out')
        then exists (select from touches x where x.send_id = a.send_id and x.direction = 'out' and x.thread_id = ${into})
      else exists (select from touches x where x.id = a.answers_touch and x.thread_id = ${into}) end`;
  await tx`
    update sends set thread_id = ${into} where thread_id = ${from} and (
      id in (select x.send_id from touches x where x.thread_id = ${into} and x.direction = 'out')
      or id in (select a.send_id from answers a where a.thread_id = ${into}))`;
  await tx`
    update attachments f set thread_id = ${into}
    where f.thread_id = ${from}
      and (exists (
        select from answer_attachments w join answers a on a.id = w.answer_id
        where w.attachment_id = f.id and a.thread_id = ${into}
      ) or exists (
        select from send_attachments w join sends s on s.id = w.send_id
        where w.attachment_id = f.id and s.thread_id = ${into}))
      and not exists (
        select from answer_attachments w join answers a on a.id = w.answer_id
        where w.attachment_id = f.id and a.thread_id = ${from} and a.state <> 'discarded')`;
}
