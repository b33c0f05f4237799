// Change notifications for open screens: sent after the commit, a few at a time, and received by one listening
// connection per process, which passes them to all followers. After a lost connection, followers get `everything`,
// since what was sent in between is gone.
import type postgres from 'postgres';
import type { ChangeNotification, Parsed } from '../kernel/database.ts';
import type { ChangeFeed } from '../kernel/app.ts';
import type { Pools } from './connect.ts';

const CHANGES_CHANNEL = 'dunnock_news';

/** Notifies that arises within this is told at once, each only once. */
const GATHER_MS = 10;

/** A follower that reads slower than this many change notifications behind is told `everything` instead, so that memory stays bounded. */
const MOST_WAITING = 200;

export const EVERYTHING: ChangeNotification = { topic: 'everything', id: '' };

/**
 * Tells what changed, in a transaction of its own. NOTIFY inside the act's transaction would hold a lock of the whole
 * database over its commit, and so make every act wait for every other's write to disk.
 */
export function openTeller(
  writer: postgres.Sql<Parsed>,
  log: (error: unknown) => void,
): (changes: readonly ChangeNotification[]) => void {
  let gathered = new Set<string>();
  const flush = (): void => {
    const texts = [...gathered];
    gathered = new Set();
    // One statement is its own transaction; named in its `from`, the setting comes before what it is for.
    writer`
      with unhurried as materialized (select set_config('synchronous_commit', 'off', true))
      select pg_notify(${CHANGES_CHANNEL}, text) from unhurried, unnest(${texts}::text[]) text`.catch(log);
  };
  return (changes) => {
    if (changes.length === 0) return;
    if (gathered.size === 0) setTimeout(flush, GATHER_MS);
    for (const { topic, id } of changes) gathered.add(JSON.stringify({ topic, id }));
  };
}

export async function openChangeFeed({ listen }: Pick<Pools, 'listen'>): Promise<ChangeFeed> {
  const followers = new Set<(changes: ChangeNotification) => void>();
  let listening = false;
  const hand = (changes: ChangeNotification): void => followers.forEach((tell) => tell(changes));
  await listen(
    CHANGES_CHANNEL,
    (text) => hand(JSON.parse(text) as ChangeNotification),
    () => {
      // It listens again on its own after a loss; the first time nothing was missed.
      if (listening) hand(EVERYTHING);
      listening = true;
    },
  );
  return { follow: (signal) => follow(followers, signal) };
}

async function* follow(
  followers: Set<(changes: ChangeNotification) => void>,
  signal: AbortSignal,
): AsyncGenerator<ChangeNotification> {
  let waiting: ChangeNotification[] = [];
  let wake: () => void = () => undefined;
  const hear = (changes: ChangeNotification): void => {
    waiting = waiting.length >= MOST_WAITING ? [EVERYTHING] : [...waiting, changes];
    wake();
  };
  const stop = (): void => wake();
  followers.add(hear);
  signal.addEventListener('abort', stop);
  try {
    while (!signal.aborted) {
      if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const ready = waiting;
      waiting = [];
      yield* ready;
    }
  } finally {
    followers.delete(hear);
    signal.removeEventListener('abort', stop);
  }
}
