// The handler of corrections.
import { isAgent, nameOf } from '../../../kernel/caller.ts';
import { conflict, notFound, stop } from '../../../kernel/refusal.ts';
import { type Bound, bind } from '../../../kernel/context.ts';
import { threadOf } from '../inbound/land/thread.store.ts';
import { stageOf } from '../../outreach/prospects/history.store.ts';
import { lockThread } from '../threads/store.ts';
import { readAnew } from './apply.ts';
import { type ReadBy, threadReading } from './contract.ts';
import { refusedAsWish, sentenceOf } from './rules.ts';
import { lockTheirs } from './store.ts';

const correct = bind(threadReading, async (context, { thread: id, reading, touch_id, details }) => {
  const { db, caller, now } = context;
  const { id: thread_id, kind } = await lockThread(db, caller, 'inbox.thread.write', id);
  context.about(`inbox:thread/${thread_id}`);
  if (kind === 'chat') throw conflict('a chat has no reading: only replies from contacts have one');
  const touch = await lockTheirs(db, thread_id, touch_id ?? null);
  if (!touch)
    throw touch_id === undefined
      ? conflict('this thread has no inbound mail yet, so it has no reading')
      : notFound('inbound touch in this thread', 'GET /api/threads/:id lists its touches');
  const thread = await threadOf(db, thread_id);
  // An agent reads as a model does, whatever route it came on.
  const reading_by: ReadBy = isAgent(caller) ? 'model' : 'person';
  stop(refusedAsWish(touch, reading_by, { reading, details: details ?? {} }));
  const said = { reading, by: reading_by, confidence: null, details: details ?? {}, name: nameOf(caller) };
  const { emit } = context;
  const done = await readAnew(db, thread, touch, said, { emit, by: caller.principal, now });
  for (const { topic, id: told } of done.changes) context.tell(topic, told);
  const { move, deal_id, held_until } = done;
  const was = touch.reading;
  return {
    thread_id,
    touch_id: touch.id,
    reading,
    reading_by,
    was,
    moved: move?.moved ?? false,
    stage: move?.stage ?? (thread.prospect_id === null ? null : await stageOf(db, thread.prospect_id)),
    asked: move?.asked ?? null,
    deal_id,
    held_until: held_until?.toISOString() ?? null,
    sentence: sentenceOf({
      reading,
      was,
      move,
      inCampaign: thread.prospect_id !== null,
      hasPerson: done.person_id !== null,
      held_until,
    }),
  };
});

export const readingHandlers: Bound[] = [correct];
