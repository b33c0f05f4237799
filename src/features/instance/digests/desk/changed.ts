// What changed since a moment, for the digest of the instance: numbers of sending, answers, deals and work.
import type { ReadContext } from '../../../../kernel/context.ts';
import { outreachStats } from '../../../outreach/campaigns/metrics.contract.ts';
import { visibleIds } from '../../../work/work/projects.store.ts';
import { closedSince, openedSince } from '../people/people.store.ts';
import { readingsSince } from '../people/replies.ts';
import { section } from '../section.ts';
import { itemsSince } from './work.store.ts';

const day = (at: Date): string => at.toISOString().slice(0, 10);

export async function changedOf(context: ReadContext, since: Date) {
  const { db, caller, now } = context;
  return {
    /** By whole days in UTC, the one of `since` among them. */
    figures: await section(context, 'outreach.stats.read', null, async () => {
      const { totals } = await context.invoke(outreachStats, { from: day(since), to: day(now) });
      return { ...totals };
    }),
    replies: await section(
      context,
      'inbox.thread.read',
      null,
      async () => (await readingsSince(context, since)).by_reading,
    ),
    deals: await section(context, 'crm.deal.read', null, async () => {
      const closed = await closedSince(db, caller, since, undefined);
      const of = (state: string): number =>
        closed.reduce((sum, row) => sum + (row.state === state ? row.count : 0), 0);
      return { opened: await openedSince(db, caller, since), won: of('won'), lost: of('lost') };
    }),
    work: await section(context, 'work.item.read', null, async () =>
      itemsSince(db, caller, await visibleIds(db, caller, 'work.item.read'), since),
    ),
  };
}
