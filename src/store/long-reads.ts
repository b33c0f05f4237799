// Reads whose cost the caller chooses (a search, a filter, a count, a file): on separate connections, one per caller,
// so that no one’s question blocks what everyone needs.
import { availableParallelism } from 'node:os';
import type { LongReads, Reader } from '../kernel/database.ts';
import { Refusal } from '../kernel/refusal.ts';

/** A screen asks for a few at once, and an agent for more; whoever waits for so many has stopped reading the answers. */
const MOST_OF_A_CALLER = 32;
const MOST_WAITING = 256;
const LONGEST_WAIT_MS = 10_000;

/** One runs on each core, and a core is left for what everyone needs. One that takes longer than this has another beside it. */
const AT_ONCE = Math.max(1, availableParallelism() - 1);
const SLOW_MS = 500;

const TOO_MANY_OF_YOURS = `you already have ${MOST_OF_A_CALLER} long reads waiting, and they run one at a time: wait for them before you ask for more`;
const TOO_BUSY = 'too many long reads are waiting for the database: try again in a few seconds';

/** `on`: the connection it must have, where another would not do. */
type Waiting = { who: string; on: Reader | null; begin(db: Reader): void };

export function openLongReads(connections: readonly Reader[], at_once = AT_ONCE): LongReads {
  const free = new Set(connections);
  /** When the reads began that run, oldest first. */
  const began = new Map<Reader, number>();
  let later: NodeJS.Timeout | undefined;
  const running = new Set<string>();
  /** Oldest first. */
  const waiting = new Set<Waiting>();
  const ofCaller = new Map<string, number>();

  /** When a caller who still waits had their last turn. */
  const servedAt = new Map<string, number>();
  let turns = 0;

  /** Callers take turns: however many one has waiting, whoever had no turn yet, or had it longest ago, is next. */
  const next = (): Waiting | undefined => {
    let first: Waiting | undefined;
    for (const each of waiting) {
      if (running.has(each.who) || (each.on && !free.has(each.on))) continue;
      if (!first || (servedAt.get(each.who) ?? 0) < (servedAt.get(first.who) ?? 0)) first = each;
    }
    return first;
  };
  const beginNext = (): void => {
    for (;;) {
      const [any] = free;
      const each = any && next();
      if (!any || !each) return;
      clearTimeout(later);
      const wait = untilAnother();
      if (wait > 0) {
        later = setTimeout(beginNext, wait);
        return;
      }
      const db = each.on ?? any;
      free.delete(db);
      began.set(db, performance.now());
      waiting.delete(each);
      running.add(each.who);
      servedAt.set(each.who, ++turns);
      each.begin(db);
    }
  };
  /** Milliseconds until one more may begin; what is slow already counts no more. */
  const untilAnother = (): number => {
    const quick = [...began.values()].map((at) => at + SLOW_MS - performance.now()).filter((ms) => ms > 0);
    return quick.length < at_once ? 0 : Math.ceil(quick[0] ?? 0);
  };
  const leave = (who: string): void => {
    const left = (ofCaller.get(who) ?? 0) - 1;
    if (left > 0) ofCaller.set(who, left);
    else {
      ofCaller.delete(who);
      servedAt.delete(who);
    }
  };
  const turn = (who: string, on: Reader | null, signal?: AbortSignal): Promise<Reader> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => {
        if (!waiting.delete(each)) return;
        end();
        reject(busy(TOO_BUSY, 503));
      };
      const late = on ? undefined : setTimeout(giveUp, LONGEST_WAIT_MS).unref();
      const end = (): void => {
        clearTimeout(late);
        signal?.removeEventListener('abort', giveUp);
      };
      const each: Waiting = {
        who,
        on,
        begin(db) {
          end();
          resolve(db);
        },
      };
      waiting.add(each);
      if (signal?.aborted) return giveUp();
      signal?.addEventListener('abort', giveUp, { once: true });
      beginNext();
    });

  const run = async <T>(
    who: string,
    work: (db: Reader) => Promise<T>,
    on: Reader | null,
    signal?: AbortSignal,
  ): Promise<T> => {
    if (!on) {
      if ((ofCaller.get(who) ?? 0) >= MOST_OF_A_CALLER) throw busy(TOO_MANY_OF_YOURS, 429);
      if (waiting.size >= MOST_WAITING) throw busy(TOO_BUSY, 503);
    }
    ofCaller.set(who, (ofCaller.get(who) ?? 0) + 1);
    try {
      const db = await turn(who, on, signal);
      try {
        return await work(db);
      } finally {
        free.add(db);
        began.delete(db);
        running.delete(who);
        beginNext();
      }
    } finally {
      leave(who);
    }
  };

  return {
    run: (who, work, signal) => run(who, work, null, signal),
    async *pieces(who, db, pieces) {
      const from = pieces[Symbol.asyncIterator]();
      try {
        for (;;) {
          const { done, value } = await run(who, () => from.next(), db);
          if (done) return;
          yield value;
        }
      } finally {
        await from.return?.();
      }
    },
  };
}

const busy = (sentence: string, status: 429 | 503): Refusal =>
  new Refusal(status, status === 429 ? 'rate_limited' : 'unavailable', sentence, { retry_after: 5 });
