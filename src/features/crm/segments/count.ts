// How many people filters have. What a count costs is its asker's choice, so it runs among the long reads, equal ones that are
// asked for at once run once, and where one takes too long the answer says that no one knows.
import { accountOf, type Caller } from '../../../kernel/caller.ts';
import type { Reader } from '../../../kernel/database.ts';
import type { App } from '../../../kernel/app.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { ReadContext } from '../../../kernel/context.ts';
import { SECOND_MS } from '../../../kernel/clock.ts';
import { troubleOf } from '../../../kernel/trouble.ts';
import type { Match } from '../people/filter.rules.ts';
import { countPeople } from '../people/store.ts';

const READ = 'crm.person.read';

type Asking = Pick<ReadContext, 'app' | 'caller' | 'now'>;

const running = new WeakMap<App, Map<string, Promise<number>>>();

/** What an answer depends on: whom the caller may read, and the conditions. */
const keyOf = ({ rights }: Caller, match: Match): string =>
  JSON.stringify([rights.admin || rights.policies, match]);

/** Waits for the caller's turn among the long reads; must not be called from within one. */
export async function countOnce({ app, caller, now }: Asking, match: Match): Promise<number> {
  const mine = running.get(app) ?? new Map<string, Promise<number>>();
  running.set(app, mine);
  const key = keyOf(caller, match);
  const same = mine.get(key);
  // That whoever asked first has too many waiting says nothing of who asks now: they wait in a turn of their own.
  if (same) return await same.catch((error: unknown) => again(error, { app, caller, now }, match));
  // No one's hanging up ends it: others may wait for it too.
  const counting = app.database.long
    .run(accountOf(caller), (db) => countPeople(db, caller, READ, [match], now))
    .finally(() => mine.delete(key));
  mine.set(key, counting);
  return await counting;
}

function again(error: unknown, asking: Asking, match: Match): Promise<number> {
  if (!isBusy(error)) throw error;
  return countOnce(asking, match);
}

/** Null where it takes too long, or too many others wait. */
export const countOrNull = (context: Asking, match: Match): Promise<number | null> =>
  countOnce(context, match).catch(unknown);

/** All counts of one page together take no longer than this, and the last of them. */
const PAGE_WITHIN_MS = 4 * SECOND_MS;

/** From within a long read: each in turn, equal ones once, and null for those for which no time is left. */
export function openCounts(db: Reader, caller: Caller, now: Date): (match: Match) => Promise<number | null> {
  const known = new Map<string, number | null>();
  const began = performance.now();
  return async (match) => {
    const key = JSON.stringify(match);
    const found = known.get(key);
    if (found !== undefined) return found;
    const isLate = performance.now() - began > PAGE_WITHIN_MS;
    const count = isLate ? null : await countPeople(db, caller, READ, [match], now).catch(unknown);
    known.set(key, count);
    return count;
  };
}

function unknown(error: unknown): null {
  if (isBusy(error) || troubleOf(error) === 'slow') return null;
  throw error;
}

const isBusy = (error: unknown): boolean =>
  error instanceof Refusal && (error.status === 429 || error.status === 503);
