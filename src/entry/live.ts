// Live streams (server-sent events): runs a stream operation, writes its messages, and ends it when the reader goes, when the
// product stops, and after two minutes anyway: the screen opens another, and is identified again. One too many is refused: ending
// the oldest for it would end a screen that someone looks at, which opens another and ends the next.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountOf, type Caller } from '../kernel/caller.ts';
import { SECOND_MS } from '../kernel/clock.ts';
import type { App } from '../kernel/app.ts';
import { invoke } from '../kernel/invoke.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Live, RequestFacts } from '../kernel/context.ts';
import { openCount, type OpenCount } from './open-count.ts';

/** A comment line this often keeps proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15 * SECOND_MS;
/** A stream ends automatically after this long; the screen opens it again, and so is known again. */
const LONGEST_MS = 120 * SECOND_MS;

/** A screen has one, and one more for a conversation or a run. */
export const countStreams = (): OpenCount =>
  openCount({
    of_one: 32,
    of_all: 2_000,
    yours: () =>
      new Refusal(
        429,
        'rate_limited',
        'you have 32 live streams open, the maximum: close some tabs or clients, then try again',
        { retry_after: 60 },
      ),
    everybodys: () =>
      new Refusal(
        503,
        'unavailable',
        'this instance has reached its limit of live streams: try again in a minute',
        { retry_after: 60 },
      ),
  });

type Call = [App, AnyOperation, Caller, () => unknown, RequestFacts, FastifyRequest, FastifyReply];

/** No one is refused for what they lack, and opens none. */
export const streamChanges = (streams: OpenCount, ...call: Call): Promise<FastifyReply> =>
  call[2].credential.kind === 'none' ? stream(...call) : streams(accountOf(call[2]), () => stream(...call));

async function stream(
  app: App,
  operation: AnyOperation,
  caller: Caller,
  read: () => unknown,
  facts: RequestFacts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const gone = new AbortController();
  const signal = AbortSignal.any([
    gone.signal,
    AbortSignal.timeout(LONGEST_MS),
    ...(facts.signal ? [facts.signal] : []),
  ]);
  const leave = (): void => gone.abort();
  const { socket } = request.raw;
  if (socket.destroyed) leave();
  socket.once('close', leave);
  const outcome = await invoke(app, operation, caller, read, { ...facts, signal }).catch((error: unknown) => {
    socket.off('close', leave);
    throw error;
  });
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  raw.write('retry: 1000\n\n');
  const beat = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_MS);
  try {
    for await (const message of outcome.answer as Live)
      if (!raw.write(`data: ${JSON.stringify(message)}\n\n`)) await drained(raw, signal);
  } catch (error) {
    app.log.warn({ err: error }, 'a live stream broke');
  } finally {
    clearInterval(beat);
    socket.off('close', leave);
    raw.end();
  }
  return reply;
}

async function drained(raw: NodeJS.EventEmitter, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    raw.once('drain', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
