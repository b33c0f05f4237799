// From when on a digest looks, where no one says so; and never further back than an index is good for.
import { DAY_MS, after } from '../../../kernel/clock.ts';

const FURTHEST_MS = 90 * DAY_MS;

export function sinceOf(said: string | undefined, now: Date, days: number): Date {
  const wanted = said === undefined ? after(now, -days * DAY_MS) : new Date(said);
  const furthest = after(now, -FURTHEST_MS);
  return wanted < furthest ? furthest : wanted > now ? now : wanted;
}
