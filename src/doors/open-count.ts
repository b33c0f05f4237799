// How many of something costly are open at a time, of one user and of this process: live streams, uploads. One too many is refused,
// and nothing that is open ends for it.
import { accountOf, type Caller } from '../kernel/caller.ts';
import type { Refusal } from '../kernel/refusal.ts';

type Bounds = {
  of_one: number;
  of_all: number;
  /** For one too many of a user, and of the process. */
  yours(): Refusal;
  everybodys(): Refusal;
};

/** Runs what is counted while it runs; all sessions and tokens of one user count as one. Throws 429 or 503. */
export type OpenCount = <T>(caller: Caller, work: () => Promise<T>) => Promise<T>;

export function openCount({ of_one, of_all, yours, everybodys }: Bounds): OpenCount {
  const open = new Map<string, number>();
  let all = 0;
  return async (caller, work) => {
    const who = accountOf(caller);
    const mine = open.get(who) ?? 0;
    if (mine >= of_one) throw yours();
    if (all >= of_all) throw everybodys();
    all += 1;
    open.set(who, mine + 1);
    try {
      return await work();
    } finally {
      all -= 1;
      const left = (open.get(who) ?? 1) - 1;
      if (left > 0) open.set(who, left);
      else open.delete(who);
    }
  };
}
