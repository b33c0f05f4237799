// Decides whose file is read next: one at a time in this process, because a workbook needs several hundred megabytes, and one
// per caller. A few can wait; the rest are refused at once.
import { SECOND_MS } from '../../../../kernel/clock.ts';
import { Refusal } from '../../../../kernel/refusal.ts';

/** Each holds its file in memory while it waits. */
const WAITING_MAX = 4;
/** As long as a request tool waits for an answer. */
const WAITS_MS = 25 * SECOND_MS;
const AGAIN_S = 5;

const YOURS = new Refusal(
  429,
  'rate_limited',
  'Dunnock is still reading another file of yours: wait for its plan, then send this one again',
  { retry_after: AGAIN_S },
);
const BUSY = new Refusal(
  503,
  'unavailable',
  'Dunnock is reading other files: send this one again in a moment',
  { retry_after: AGAIN_S },
);

type Waiting = { begin(): void };

const callers = new Set<string>();
const waiting = new Set<Waiting>();
let reading = false;

function next(): void {
  if (reading) return;
  const [first] = waiting;
  if (!first) return;
  waiting.delete(first);
  reading = true;
  first.begin();
}

function turn(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      if (!waiting.delete(mine)) return;
      end();
      reject(BUSY);
    };
    const late = setTimeout(giveUp, WAITS_MS);
    const end = (): void => {
      clearTimeout(late);
      signal?.removeEventListener('abort', giveUp);
    };
    const mine: Waiting = {
      begin() {
        end();
        resolve();
      },
    };
    waiting.add(mine);
    signal?.addEventListener('abort', giveUp, { once: true });
    next();
    if (signal?.aborted) giveUp();
  });
}

/** Reads `who`'s file in its turn. Throws where theirs is read already, where too many wait, or where the wait is too long. */
export async function inTurn<T>(
  who: string,
  signal: AbortSignal | undefined,
  read: () => Promise<T>,
): Promise<T> {
  if (callers.has(who)) throw YOURS;
  if (waiting.size >= WAITING_MAX) throw BUSY;
  callers.add(who);
  try {
    await turn(signal);
    try {
      return await read();
    } finally {
      reading = false;
      next();
    }
  } finally {
    callers.delete(who);
  }
}
