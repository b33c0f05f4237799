// What digests count of conversations, campaigns of one person, and deals, each by an index.
import type { Caller } from '../../kernel/caller.ts';
import type { Reader } from '../../kernel/ground.ts';
import type { DealState, ListedDeal } from '../deals/contract.ts';
import { allows, listedColumns, type ListedRow, toListed } from '../deals/store.ts';

export type ReadingCount = { campaign_id: string | null; reading: string; automatic: boolean; count: number };

/** What came in since then, by campaign and reading. */
export async function repliesSince(
  db: Reader,
  since: Date,
  campaign: string | undefined,
): Promise<ReadingCount[]> {
  return await db<ReadingCount[]>`
    select x.campaign_id, coalesce(x.reading, 'unread') as reading, x.automatic, count(*)::int as count from touches x
    where x.at >= ${since} and x.channel <> 'chat' and x.direction = 'in'
      ${campaign === undefined ? db`` : db`and x.campaign_id = ${campaign}`}
    group by 1, 2, 3`;
}

export type InCampaign = {
  id: string;
  campaign_id: string;
  campaign: string;
  stage: string;
  stage_at: Date;
  ended: string | null;
  hold_by: string | null;
  hold_until: Date | null;
  due_at: Date | null;
};

export async function campaignsOfPerson(db: Reader, person: string): Promise<InCampaign[]> {
  return await db<InCampaign[]>`
    select p.id, p.campaign_id, c.name as campaign, p.stage, p.stage_at, p.ended, p.hold_by, p.hold_until, p.due_at
    from prospects p join campaigns c on c.id = p.campaign_id where p.person_id = ${person}
    order by p.stage_at desc, p.id desc limit 200`;
}

/** Nobody reads a larger number as anything but "many". */
const COUNTED_MAX = 1_000;

/** Open deals that nobody touched since then, the longest untouched first, as this caller may have them. */
export async function staleDeals(
  db: Reader,
  caller: Caller,
  before: Date,
  campaign: string | undefined,
  count: number,
): Promise<{ rows: ListedDeal[]; count: number }> {
  const stale = db`d.state = 'open' and d.updated_at < ${before}
    ${campaign === undefined ? db`` : db`and d.campaign_id = ${campaign}`}`;
  const rows = await db<ListedRow[]>`
    select ${listedColumns(db)} from (
      select * from deals d where ${stale} order by d.updated_at, d.id limit ${count}) d order by d.updated_at, d.id`;
  const [counted] = await db<{ count: number }[]>`
    select count(*)::int as count from (select from deals d where ${stale} limit ${COUNTED_MAX}) d`;
  const seen = rows.filter(({ id }) => allows(caller, 'crm.deal.read', id));
  return {
    rows: seen.map((row) => toListed(row, caller)),
    count: (counted?.count ?? 0) - (rows.length - seen.length),
  };
}

export type Closed = { state: DealState; currency: string | null; count: number; amount: number };

/** Won and lost since then, by currency. */
export async function closedSince(db: Reader, since: Date, campaign: string | undefined): Promise<Closed[]> {
  return await db<Closed[]>`
    select d.state, d.currency, count(*)::int as count, coalesce(sum(d.amount), 0)::float8 as amount from deals d
    where d.state in ('won', 'lost') and d.updated_at >= ${since} and d.closed_at >= ${since}
      ${campaign === undefined ? db`` : db`and d.campaign_id = ${campaign}`}
    group by 1, 2 order by 1, 2`;
}

export async function openedSince(db: Reader, since: Date): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from deals d where d.updated_at >= ${since} and d.created_at >= ${since}`;
  return row?.count ?? 0;
}

/** Open deals that came of a conversation, as this caller may have them. */
export async function dealsOfThread(
  db: Reader,
  caller: Caller,
  thread: string,
): Promise<{ id: string; expected_on: string | null }[]> {
  const rows = await db<{ id: string; expected_on: string | null }[]>`
    select d.id, d.expected_on::text as expected_on
    from threads t join deals d on d.person_id = t.person_id and d.thread_id = t.id
    where t.id = ${thread} and d.state = 'open' order by d.id limit 20`;
  return rows.filter(({ id }) => allows(caller, 'crm.deal.read', id));
}
