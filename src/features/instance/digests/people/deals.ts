// The digest of deals: what is open by stage, what no one touched for long, and what was won and lost lately.
import { DAY_MS, after } from '../../../../kernel/clock.ts';
import { bind } from '../../../../kernel/context.ts';
import { screenUrl } from '../../../../kernel/links.rules.ts';
import { dealGet, dealList } from '../../../crm/deals/contract.ts';
import { withUnit } from '../../../crm/deals/units.rules.ts';
import { pipelineBoard } from '../../../crm/deals/pipeline.contract.ts';
import { dealsDigest } from '../people.contract.ts';
import { type Closed, closedIn, staleDeals } from './people.store.ts';
import { fewOf, framed, LINES_MAX, section, short, shortOrNull, within } from '../section.ts';
import { before, type Span, spanOf, spoken } from '../span.ts';

const READ = 'crm.deal.read';
const CLOSED_DAYS = 30;

export const deals = bind(dealsDigest, async (context, { campaign, stale_days, compare, ...said }) => {
  const { db, caller, now, app } = context;
  const stages = await section(context, READ, null, async () => {
    const { columns } = await context.invoke(pipelineBoard, campaign === undefined ? {} : { campaign });
    return columns.map(({ stage, count, sums }) => ({
      stage: stage.key,
      title: short(stage.title),
      count,
      sums: sums.map(({ currency, amount, weighted }) => ({
        ...moneyOf(amount, currency),
        weighted: withUnit(weighted, currency),
        weighted_minor: weighted,
      })),
    }));
  });
  const stale = await section(context, READ, null, async () => {
    const found = await staleDeals(db, caller, after(now, -stale_days * DAY_MS), campaign, LINES_MAX);
    return fewOf(
      found.rows,
      ({ id, name, person_name, stage, owner_name, expected_on, updated_at }) => ({
        deal_id: id,
        name: short(name),
        person: shortOrNull(person_name),
        stage,
        owner: shortOrNull(owner_name),
        expected_on,
        untouched_since: updated_at,
        open_at: screenUrl(app.instance, 'deal', id),
      }),
      { count: found.count },
    );
  });
  const span = spanOf(said, now, CLOSED_DAYS);
  const closed = await section(context, READ, null, async () => {
    const of = async (one: Span) => {
      const rows = await closedIn(db, caller, one, campaign);
      return { ...spoken(one, now), won: sumsOf(rows, 'won'), lost: sumsOf(rows, 'lost') };
    };
    return { ...(await of(span)), ...(compare && { previous: await of(before(span)) }) };
  });
  const [first] = within(stale, ({ lines }) => lines, []);
  return framed(context, { stages, stale, closed }, [
    first && {
      what: 'Read the deal that was left longest, to change it, move it or close it.',
      does: dealGet,
      with: { deal: first.deal_id },
      open_at: first.open_at,
    },
    {
      what: 'List open deals.',
      does: dealList,
      with: { state: 'open', limit: 20 },
      open_at: screenUrl(app.instance, 'deals'),
    },
  ]);
});

export const moneyOf = (amount: number, currency: string) => ({
  currency,
  amount: withUnit(amount, currency),
  amount_minor: amount,
});

function sumsOf(rows: readonly Closed[], state: 'won' | 'lost') {
  const mine = rows.filter((row) => row.state === state);
  return {
    count: mine.reduce((sum, { count }) => sum + count, 0),
    sums: mine.flatMap(({ currency, amount }) => (currency === null ? [] : [moneyOf(amount, currency)])),
  };
}
