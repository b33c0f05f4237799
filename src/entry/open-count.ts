// How many of something costly are open at a time, of one user or place and of this process: live streams, uploads, calls of
// no one. One too many is refused, and nothing that is open ends for it.
import type { Refusal } from '../kernel/refusal.ts';

type Bounds = {
  of_one: number;
  of_all: number;
  /** For one too many of `who`, and of the process. */
  yours(): Refusal;
  everybodys(): Refusal;
};

/** Runs what is counted while it runs: `who` is a user, with all sessions and tokens, or a place. Throws 429 or 503. */
export type OpenCount = <T>(who: string, work: () => Promise<T>) => Promise<T>;

export function openCount({ of_one, of_all, yours, everybodys }: Bounds): OpenCount {
  const open = new Map<string, number>();
  let all = 0;
  return async (who, work) => {
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
