// What digests count of conversations, campaigns of one person, and deals, each by an index.
import type { Caller } from '../../../../kernel/caller.ts';
import type { Reader } from '../../../../kernel/database.ts';
import type { DealState, ListedDeal } from '../../../crm/deals/contract.ts';
import { readable } from '../../../crm/deals/list.store.ts';
import { allows, listedColumns, type ListedRow, toListed } from '../../../crm/deals/store.ts';
import { readable as readableThreads } from '../../../inbox/threads/read/list.store.ts';

const READ = 'crm.deal.read';

/** So many of the newest rows are gone through at most, in the order of an index: no sum of a digest takes long. */
export const NEWEST_MAX = 20_000;

export type ReadingCount = { campaign_id: string | null; reading: string; automatic: boolean; count: number };

/** What came in since then, by campaign and reading, in conversations that the caller may read. */
export async function repliesSince(
  db: Reader,
  caller: Caller,
  since: Date,
  campaign: string | undefined,
): Promise<ReadingCount[]> {
  const theirs = caller.rights.admin ? null : readableThreads(db, caller);
  return await db<ReadingCount[]>`
    select x.campaign_id, coalesce(x.reading, 'unread') as reading, x.automatic, count(*)::int as count
    from (
      select m.campaign_id, m.reading, m.automatic, m.direction from touches m
      where m.at >= ${since} and m.channel <> 'chat' ${campaign === undefined ? db`` : db`and m.campaign_id = ${campaign}`}
        and ${theirs === null ? db`true` : db`(select ${theirs} from threads t where t.id = m.thread_id)`}
      order by m.at desc, m.id desc limit ${NEWEST_MAX}) x
    where x.direction = 'in' group by 1, 2, 3`;
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

/** No one reads a larger number as anything but "many". */
const COUNTED_MAX = 1_000;

/** Open deals that no one touched since then, the longest untouched first, as this caller may have them. */
export async function staleDeals(
  db: Reader,
  caller: Caller,
  before: Date,
  campaign: string | undefined,
  count: number,
): Promise<{ rows: ListedDeal[]; count: number }> {
  const stale = db`${readable(db, caller, READ)} and d.state = 'open' and d.updated_at < ${before}
    ${campaign === undefined ? db`` : db`and d.campaign_id = ${campaign}`}`;
  const rows = await db<ListedRow[]>`
    select ${listedColumns(db)} from (
      select * from deals d where ${stale} order by d.updated_at, d.id limit ${count}) d order by d.updated_at, d.id`;
  const [counted] = await db<{ count: number }[]>`
    select count(*)::int as count from (select from deals d where ${stale} limit ${COUNTED_MAX}) d`;
  return { rows: rows.map((row) => toListed(row, caller)), count: counted?.count ?? 0 };
}

export type Closed = { state: DealState; currency: string | null; count: number; amount: number };

/** Won and lost since then, by currency, of the deals that the caller may have. */
export async function closedSince(
  db: Reader,
  caller: Caller,
  since: Date,
  campaign: string | undefined,
): Promise<Closed[]> {
  return await db<Closed[]>`
    select d.state, d.currency, count(*)::int as count, coalesce(sum(d.amount), 0)::float8 as amount
    from unnest(array['won', 'lost']) t (state) cross join lateral (
      select d.state, d.currency, d.amount, d.closed_at from deals d
      where d.state = t.state and d.updated_at >= ${since} ${campaign === undefined ? db`` : db`and d.campaign_id = ${campaign}`}
        and ${readable(db, caller, READ)}
      order by d.updated_at desc, d.id desc limit ${NEWEST_MAX}) d
    where d.closed_at >= ${since} group by 1, 2 order by 1, 2`;
}

export async function openedSince(db: Reader, caller: Caller, since: Date): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select d.created_at from deals d where d.updated_at >= ${since} and ${readable(db, caller, READ)}
      order by d.updated_at desc, d.id desc limit ${NEWEST_MAX}) d
    where d.created_at >= ${since}`;
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
