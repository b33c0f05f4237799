// The span that a digest looks at: up to now and so many days long where no one says so, never further back than an index is
// good for; and the span of the same length before it.
import { DAY_MS, after } from '../../../kernel/clock.ts';
import { invalid } from '../../../kernel/refusal.ts';

/** It has the moment `since` in it, and not the moment `until`. */
export type Span = { since: Date; until: Date };

const FURTHEST_MS = 90 * DAY_MS;

export function spanOf(
  { since, until }: { since?: string | undefined; until?: string | undefined },
  now: Date,
  days: number,
): Span {
  const furthest = after(now, -FURTHEST_MS);
  // What happens at this very moment has happened.
  const open = after(now, 1);
  const end = until === undefined ? open : earlier(new Date(until), open);
  const begin =
    since === undefined ? after(end === open ? now : end, -days * DAY_MS) : earlier(new Date(since), now);
  const says = 'until must be after since';
  if (until !== undefined && end <= begin) throw invalid(says, { until: says });
  const tooOld = 'digests look back 90 days: give a later until';
  if (end <= furthest) throw invalid(tooOld, { until: tooOld });
  return { since: begin < furthest ? furthest : begin, until: end };
}

const earlier = (a: Date, b: Date): Date => (a < b ? a : b);

/** The span of the same length that ends where this one begins. */
export const before = ({ since, until }: Span): Span => ({
  since: new Date(since.getTime() - (until.getTime() - since.getTime())),
  until: since,
});

export const spoken = ({ since, until }: Span, now: Date): { since: string; until: string } => ({
  since: since.toISOString(),
  until: earlier(until, now).toISOString(),
});

/** The days (UTC) that it touches: what is counted by day is counted for these. */
export const daysOf = ({ since, until }: Span): { from: string; to: string } => ({
  from: since.toISOString().slice(0, 10),
  to: new Date(Math.max(since.getTime(), until.getTime() - 1)).toISOString().slice(0, 10),
});
