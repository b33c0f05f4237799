// Handlers of chat. A turn starts, and is committed, before the act’s own transaction: nothing is open while a model
// is thinking.
import { z } from 'zod';
import type { Caller } from '../../../kernel/caller.ts';
import { SECOND_MS } from '../../../kernel/clock.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { bind, bindAsking, type ReadContext } from '../../../kernel/context.ts';
import { loadThread, lockThread } from '../../inbox/threads/store.ts';
import type { ChatEvent, Pending } from '../../inbox/threads/chat.contract.ts';
import { beginTurn } from './turn/begin.ts';
import { type ChatAsked, chatStop, chatStream, chatTurn, chatTurnList } from './contract.ts';
import { driverOf } from './turn/driver.ts';
import { followOne } from './turn/follow.ts';
import { CHAT, stopHere } from './turn/run.ts';
import { turnRows, wantStop } from './turn/turn.store.ts';

/** Under what a client of the endpoint waits for, and under the deadline of a named tool. */
const ANSWERS_WITHIN_MS = 45 * SECOND_MS;

const NEVER = new AbortController().signal;

const NO_REHEARSAL = { cannot: 'An agent’s turn can’t be rehearsed.' };

const stream = bindAsking(
  chatStream,
  beginTurn,
  async ({ app, request }, _, turn) => followOne(app, turn.id, request.signal ?? NEVER),
  NO_REHEARSAL,
);

const turn = bindAsking(chatTurn, waitForIt, async (_, __, answer) => answer, NO_REHEARSAL);

async function waitForIt(context: ReadContext, asked: ChatAsked) {
  const { app, request } = context;
  const begun = await beginTurn(context, asked);
  const signal = AbortSignal.any([AbortSignal.timeout(ANSWERS_WITHIN_MS), request.signal ?? NEVER]);
  let text = '';
  let end: Extract<ChatEvent, { type: 'end' }> | null = null;
  for await (const changes of followOne(app, begun.id, signal)) {
    if (changes.type === 'text') text += changes.text;
    if (changes.type === 'end') end = changes;
  }
  const { thread_id, id: turn_id } = begun;
  if (!end) {
    const pending = [unfinished(turn_id, thread_id)];
    return { thread_id, turn_id, state: 'running' as const, text, sentence: null, pending };
  }
  // With nothing to show for it, what went wrong is the answer.
  if (end.state === 'failed' && end.text === '' && end.pending.length === 0)
    throw new Refusal(503, 'unavailable', end.sentence ?? 'the turn failed: send your message again', {
      thread_id,
      turn_id,
      state: end.state,
    });
  const said = [end.text, ...(end.sentence === null ? [] : [end.sentence])].filter(Boolean).join('\n\n');
  const { state, sentence, pending } = end;
  return { thread_id, turn_id, state, text: said, sentence, pending };
}

const unfinished = (id: string, thread_id: string): Pending => ({
  kind: 'turn',
  id,
  operation: null,
  sentence: `the agent is still at it, and its turn goes on: GET /api/threads/${thread_id} shows what it comes to`,
});

const end = bind(chatStop, async ({ db, caller, tell, app }, { thread_id }) => {
  await lockThread(db, speakerOf(caller), 'inbox.thread.write', thread_id);
  const stopped = await wantStop(db, thread_id);
  if (stopped !== null) stopHere(app, stopped);
  tell(CHAT, thread_id);
  return { stopped: stopped !== null };
});

const turns = bind(chatTurnList, async ({ db, caller }, { thread_id, limit, cursor }) => {
  const thread = await loadThread(db, speakerOf(caller), 'inbox.thread.read', thread_id);
  const after = keyIn(cursor, () => z.tuple([z.guid()]));
  const rows = await turnRows(db, thread.id, after?.[0] ?? null, limit + 1);
  return pageOf(rows, limit, ({ id }) => [id]);
});

/** As who they are to their conversations: a token speaks as an agent. */
function speakerOf(caller: Caller): Caller {
  const driver = driverOf(caller);
  if (driver instanceof Refusal) throw driver;
  return { ...caller, principal: driver.by };
}

export const chatHandlers = [stream, turn, end, turns];
