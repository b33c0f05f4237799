// Handlers of chat. A turn is begun, and committed, before the act's own transaction: nothing is open while a model thinks.
import { SECOND_MS } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { bind, bindAsking, type ReadScene } from '../../kernel/scene.ts';
import { lockThread } from '../threads/store.ts';
import { beginTurn } from './begin.ts';
import { type ChatAsked, type ChatNews, chatStop, chatStream, chatTurn, type Pending } from './contract.ts';
import { driverOf } from './driver.ts';
import { followOne } from './follow.ts';
import { CHAT, stopHere } from './run.ts';
import { wantStop } from './turn.store.ts';

/** Under what a client of the endpoint waits for, and under the deadline of a named tool. */
const ANSWERS_WITHIN_MS = 45 * SECOND_MS;

const NEVER = new AbortController().signal;

const stream = bindAsking(chatStream, beginTurn, async ({ house, request }, _, turn) =>
  followOne(house, turn.id, request.signal ?? NEVER),
);

const turn = bindAsking(chatTurn, waitForIt, async (_, __, answer) => answer);

async function waitForIt(scene: ReadScene, asked: ChatAsked) {
  const { house, request } = scene;
  const begun = await beginTurn(scene, asked);
  const signal = AbortSignal.any([AbortSignal.timeout(ANSWERS_WITHIN_MS), request.signal ?? NEVER]);
  let text = '';
  let end: Extract<ChatNews, { type: 'end' }> | null = null;
  for await (const news of followOne(house, begun.id, signal)) {
    if (news.type === 'text') text += news.text;
    if (news.type === 'end') end = news;
  }
  const { thread_id } = begun;
  if (!end) return { thread_id, text, pending: [unfinished(begun.id, thread_id)] };
  // With nothing to show for it, what went wrong is the answer.
  if (end.state === 'failed' && end.text === '' && end.pending.length === 0)
    throw new Refusal(503, 'unavailable', end.sentence ?? 'the turn failed: ask again', { thread_id });
  const said = [end.text, ...(end.sentence === null ? [] : [end.sentence])].filter(Boolean).join('\n\n');
  return { thread_id, text: said, pending: end.pending };
}

const unfinished = (id: string, thread_id: string): Pending => ({
  kind: 'turn',
  id,
  operation: null,
  sentence: `the agent is still at it, and its turn goes on: GET /api/threads/${thread_id} shows what it comes to`,
});

const end = bind(chatStop, async ({ db, caller, tell, house }, { thread_id }) => {
  const driver = driverOf(caller);
  if (driver instanceof Refusal) throw driver;
  await lockThread(db, { ...caller, principal: driver.by }, 'inbox.thread.write', thread_id);
  const stopped = await wantStop(db, thread_id);
  if (stopped !== null) stopHere(house, stopped);
  tell(CHAT, thread_id);
  return { stopped: stopped !== null };
});

export const chatHandlers = [stream, turn, end];
