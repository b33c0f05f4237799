// The digest of deals: what is open by stage, what no one touched for long, and what was won and lost lately.
import { DAY_MS, after } from '../../../../kernel/clock.ts';
import { bind } from '../../../../kernel/context.ts';
import { pipelineBoard } from '../../../crm/deals/pipeline.contract.ts';
import { dealsDigest } from '../people.contract.ts';
import { type Closed, closedSince, staleDeals } from './people.store.ts';
import { fewOf, framed, LINES_MAX, section, short, shortOrNull } from '../section.ts';

const READ = 'crm.deal.read';
const CLOSED_DAYS = 30;

export const deals = bind(dealsDigest, async (context, { campaign, stale_days }) => {
  const { db, caller, now } = context;
  const stages = await section(context, READ, null, async () => {
    const { columns } = await context.invoke(pipelineBoard, campaign === undefined ? {} : { campaign });
    return columns.map(({ stage, count, sums }) => ({
      stage: stage.key,
      title: short(stage.title),
      count,
      sums,
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
      }),
      { count: found.count },
    );
  });
  const since = after(now, -CLOSED_DAYS * DAY_MS);
  const closed = await section(context, READ, null, async () => {
    const rows = await closedSince(db, caller, since, campaign);
    return { since: since.toISOString(), won: sumsOf(rows, 'won'), lost: sumsOf(rows, 'lost') };
  });
  return framed(context, { stages, stale, closed }, [
    {
      what: 'Change a stale deal, or move it to another stage.',
      with: 'PATCH /api/admin/crm/deals/:deal',
      who: 'agent',
    },
    {
      what: 'Close a deal as won or lost.',
      with: 'POST /api/admin/crm/deals/:deal/state',
      who: 'agent',
    },
    { what: 'Read the person a deal is with.', with: 'person_digest {"person_id": …}', who: 'agent' },
  ]);
});

function sumsOf(rows: readonly Closed[], state: 'won' | 'lost') {
  const mine = rows.filter((row) => row.state === state);
  return {
    count: mine.reduce((sum, { count }) => sum + count, 0),
    sums: mine.flatMap(({ currency, amount }) => (currency === null ? [] : [{ currency, amount }])),
  };
}
