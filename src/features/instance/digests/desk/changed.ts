// What changed in a span, for the digest of the instance: numbers of sending, replies, deals and work.
import type { ReadContext } from '../../../../kernel/context.ts';
import { outreachStats } from '../../../outreach/campaigns/metrics.contract.ts';
import { visibleIds } from '../../../work/work/projects.store.ts';
import { closedIn, openedIn } from '../people/people.store.ts';
import { readingsIn } from '../people/replies.ts';
import { section } from '../section.ts';
import { daysOf, type Span } from '../span.ts';
import { itemsIn } from './work.store.ts';

export async function changedIn(context: ReadContext, span: Span) {
  const { db, caller } = context;
  return {
    figures: await section(context, 'outreach.stats.read', null, async () => {
      const days = daysOf(span);
      const { totals } = await context.invoke(outreachStats, days);
      return { ...days, ...totals };
    }),
    replies: await section(
      context,
      'inbox.thread.read',
      null,
      async () => (await readingsIn(context, span)).by_reading,
    ),
    deals: await section(context, 'crm.deal.read', null, async () => {
      const closed = await closedIn(db, caller, span, undefined);
      const of = (state: string): number =>
        closed.reduce((sum, row) => sum + (row.state === state ? row.count : 0), 0);
      return { opened: await openedIn(db, caller, span), won: of('won'), lost: of('lost') };
    }),
    work: await section(context, 'work.item.read', null, async () =>
      itemsIn(db, caller, await visibleIds(db, caller, 'work.item.read'), span),
    ),
  };
}
