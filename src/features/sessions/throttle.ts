// How often somebody may be wrong: per account and per address, counted in the database, so that every node sees the same.
// Only failures count, and a refused try does not prolong the wait.
import { MINUTE_MS, after } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { WriteScene } from '../../kernel/scene.ts';
import { failuresSince, forgetFailures, recordFailures, takeTurn } from './throttle.store.ts';

export const WINDOW_MS = 15 * MINUTE_MS;
export const PER_ACCOUNT = 10;
export const PER_ADDRESS = 50;

const MOST = { account: PER_ACCOUNT, address: PER_ADDRESS };
type Counted = keyof typeof MOST;

export type Throttle = {
  /** The refusal, made to count although the act that throws it is undone. */
  failed(refusal: Refusal): Refusal;
  /** Forgets what this account got wrong before. */
  passed(): Promise<void>;
};

/**
 * Throws 429 where too many tries failed; otherwise the tries of one account go one after the other until the act ends, so
 * that a hundred parallel guesses do not all see the same count. `account` is null where only the address is known.
 */
export async function throttle(scene: WriteScene, account: string | null): Promise<Throttle> {
  const counted: [Counted, string][] = [];
  if (account !== null) counted.push(['account', account]);
  if (scene.request.address !== null) counted.push(['address', scene.request.address]);
  const names = counted.map(([kind, name]) => `${kind}:${name}`);
  if (account !== null) await takeTurn(scene.db, `account:${account}`);
  const since = after(scene.now, -WINDOW_MS);
  for (const [at, [kind]] of counted.entries()) {
    const waits = waitUntil(await failuresSince(scene.db, names[at] ?? '', since), MOST[kind]);
    if (waits) throw tooMany(waits, scene.now);
  }
  return {
    failed: (refusal) => refusal.keeping((tx) => recordFailures(tx, names, scene.now, since)),
    passed: () => (account === null ? Promise.resolve() : forgetFailures(scene.db, `account:${account}`)),
  };
}

/** When the oldest failure that must be forgotten leaves the window; null where another try is free. Times are sorted. */
export function waitUntil(failures: Date[], most: number): Date | null {
  const oldest = failures[failures.length - most];
  return oldest ? after(oldest, WINDOW_MS) : null;
}

function tooMany(until: Date, now: Date): Refusal {
  const retry_after = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  const minutes = Math.ceil(retry_after / 60);
  return new Refusal(
    429,
    'rate_limited',
    `too many failed tries: wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and try again`,
    {
      retry_after,
    },
  );
}
