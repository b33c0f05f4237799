// Counts limited acts, in one statement per call, for all processes together. A caller over the limit is remembered
// here until the window ends, so that a flood costs the database nothing more.
import type postgres from 'postgres';
import { after, SECOND_MS, type Clock } from '../kernel/clock.ts';
import type { Parsed } from '../kernel/database.ts';
import type { Full, Limits, LimitTable } from '../kernel/limits.ts';

/** Remembered at once; beyond it the oldest is forgotten, and asked of the database again. */
const MOST_REMEMBERED = 20_000;

/** So many counts, and what has ended is removed. */
const TIDY_EVERY = 500;
const TIDIED_AT_ONCE = 2_000;

export function openLimits(writer: postgres.Sql<Parsed>, clock: Clock, table: LimitTable): Limits {
  const full = new Map<string, Date>();
  let taken = 0;

  const count = async (name: string, who: string, now: Date, until: Date, most: number) => {
    const [row] = await writer<{ count: number; until: Date }[]>`
      insert into rate_counts (name, who, until, count) values (${name}, ${who}, ${until}, 1)
      on conflict (name, who) do update set
        count = case when rate_counts.until <= ${now} then 1 else least(rate_counts.count + 1, ${most + 1}) end,
        until = case when rate_counts.until <= ${now} then excluded.until else rate_counts.until end
      returning count, until`;
    return row ?? { count: 1, until };
  };

  const tidyNowAndThen = (now: Date): void => {
    taken += 1;
    if (taken % TIDY_EVERY !== 0) return;
    void writer`
      delete from rate_counts where (name, who) in (
        select name, who from rate_counts where until <= ${now} limit ${TIDIED_AT_ONCE} for update skip locked)`.catch(
      () => undefined,
    );
  };

  return {
    of: (name) => table.get(name) ?? null,
    async take(name, who, times = 1) {
      const set = table.get(name);
      if (!set) return null;
      const limit = { ...set, most: set.most * times };
      const now = clock.now();
      const key = `${name} ${who}`;
      const wait = (until: Date): Full => ({
        ...limit,
        retry_after: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / SECOND_MS)),
      });
      const known = full.get(key);
      if (known && known > now) return wait(known);
      full.delete(key);
      tidyNowAndThen(now);
      const { count: so_far, until } = await count(name, who, now, after(now, limit.per_ms), limit.most);
      if (so_far <= limit.most) return null;
      if (full.size >= MOST_REMEMBERED) full.delete(full.keys().next().value ?? '');
      full.set(key, until);
      return wait(until);
    },
  };
}
