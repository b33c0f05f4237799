// Reads mail without holding up the process: what is short at once, and what is long in a thread of its own, which a letter that
// was written to cost as much as it can may keep busy for seconds. One thread a process, one mail at a time: so many of
// them at once cost no more memory than one, and no page waits for any.
import { Worker } from 'node:worker_threads';
import { SECOND_MS } from '../../kernel/clock.ts';
import { look, type Looked, type Sought } from './look.ts';

/** Nothing that is no longer takes the process more than a moment. */
const SHORT_BYTES = 32 * 1024;
/** Ten times what the most costly letter within the limits takes. */
const DEADLINE_MS = 40 * SECOND_MS;
const IDLE_MS = 30 * SECOND_MS;
/** The thread's own; more than a letter within the limits needs. */
const HEAP_MB = 768;

/** The mail could not be read in time, or in the memory there is for it. */
export class TooCostly extends Error {}

export async function readApart(
  bytes: Uint8Array,
  sought: Sought,
  deadline_ms = DEADLINE_MS,
): Promise<Looked> {
  if (bytes.length <= SHORT_BYTES) return look(bytes, sought);
  const turn = before.then(() => inThread(bytes, sought, deadline_ms));
  before = turn.catch(() => undefined);
  return turn;
}

let before: Promise<unknown> = Promise.resolve();
let thread: Worker | null = null;
let leaving: NodeJS.Timeout | undefined;

async function inThread(bytes: Uint8Array, sought: Sought, deadline_ms: number): Promise<Looked> {
  clearTimeout(leaving);
  const worker = (thread ??= begin());
  const { promise, resolve, reject } = Promise.withResolvers<Looked>();
  const fails = (): void => reject(new TooCostly());
  const timer = setTimeout(fails, deadline_ms);
  worker.once('message', resolve).once('error', fails).once('exit', fails);
  try {
    // A copy of its own to give away: theirs may be a part of something longer.
    const own = new Uint8Array(bytes);
    worker.postMessage({ bytes: own, sought }, [own.buffer]);
    return await promise;
  } catch (error) {
    thread = null;
    void worker.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
    worker.off('message', resolve).off('error', fails).off('exit', fails);
    leaving = setTimeout(leave, IDLE_MS).unref();
  }
}

function begin(): Worker {
  const worker = new Worker(new URL('./apart.thread.ts', import.meta.url), {
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  // No process stays for it, and its errors end none.
  worker.unref();
  worker.on('error', () => {
    if (thread === worker) thread = null;
  });
  return worker;
}

function leave(): void {
  void thread?.terminate();
  thread = null;
}
