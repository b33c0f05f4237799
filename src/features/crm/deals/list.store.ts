// The two hot reads of deals, one query each: a list by filters, and the board of what is open with what each stage comes to.
// Both are served by an index at any size.
import type { Caller } from '../../../kernel/caller.ts';
import type { Reader } from '../../../kernel/database.ts';
import { allowedBy } from '../../access/policies/named.store.ts';
import type { DealState, ListedDeal, SORTS } from './contract.ts';
import type { Stage, Sum } from './pipeline.contract.ts';
import { listedColumns, type ListedRow, toListed } from './store.ts';

export type DealFilters = {
  /** A user's id, or `none`. */
  owner?: string | undefined;
  person?: string | undefined;
  company?: string | undefined;
  campaign?: string | undefined;
  /** A tsquery (kernel/words.ts). */
  words?: string | undefined;
};

/** The key of the last row of the page before: what it is sorted by, and its id. */
export type DealAfter = readonly [string | number, string] | null;

export type DealSearch = DealFilters & {
  state?: DealState | undefined;
  stage?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  sort: (typeof SORTS)[number];
  after: DealAfter;
  count: number;
};

function filtered(db: Reader, { owner, person, company, campaign, words }: DealFilters) {
  return db`
    ${owner === undefined ? db`` : owner === 'none' ? db`and d.owner is null` : db`and d.owner = ${owner}`}
    ${person === undefined ? db`` : db`and d.person_id = ${person}`}
    ${company === undefined ? db`` : db`and d.company_id = ${company}`}
    ${campaign === undefined ? db`` : db`and d.campaign_id = ${campaign}`}
    ${words === undefined ? db`` : db`and d.search @@ ${words}::tsquery`}`;
}

function sorted(db: Reader, sort: DealSearch['sort'], after: DealAfter) {
  const [key, id] = after ?? [null, null];
  if (sort === 'expected')
    return {
      from:
        after === null ? db`` : db`and (coalesce(d.expected_on, 'infinity'), d.id) > (${key}::date, ${id})`,
      by: db`coalesce(d.expected_on, 'infinity'), d.id`,
    };
  if (sort === 'amount')
    return {
      from: after === null ? db`` : db`and (coalesce(d.amount, -1), d.id) < (${key}::bigint, ${id})`,
      by: db`coalesce(d.amount, -1) desc, d.id desc`,
    };
  return {
    from: after === null ? db`` : db`and (d.updated_at, d.id) < (${key}::timestamptz, ${id})`,
    by: db`d.updated_at desc, d.id desc`,
  };
}

/** What a row of a list is sorted by. */
export const sortKey = (sort: DealSearch['sort'], row: ListedDeal): [string | number, string] => [
  sort === 'expected'
    ? (row.expected_on ?? 'infinity')
    : sort === 'amount'
      ? (row.amount ?? -1)
      : row.updated_at,
  row.id,
];

/** For `where`, of `deals d`: those for which the caller's policies allow the action. */
export const readable = (db: Reader, { rights }: Caller, action: string) =>
  allowedBy(db, rights, action, { 'crm:deal/': db`d.id` }) ?? db`true`;

/** As if those that the caller's policies deny were not there. */
export async function searchDeals(
  db: Reader,
  caller: Caller,
  action: string,
  { state, stage, since, until, sort, after, count, ...filters }: DealSearch,
): Promise<ListedDeal[]> {
  const order = sorted(db, sort, after);
  const rows = await db<ListedRow[]>`
    select ${listedColumns(db)} from (
      select * from deals d
      where true
        ${state === undefined ? db`` : db`and d.state = ${state}`}
        ${stage === undefined ? db`` : db`and d.stage = ${stage}`}
        ${since === undefined ? db`` : db`and d.updated_at >= ${since}::timestamptz`}
        ${until === undefined ? db`` : db`and d.updated_at < ${until}::timestamptz`}
        ${filtered(db, filters)} and ${readable(db, caller, action)} ${order.from}
      order by ${order.by} limit ${count}
    ) d order by ${order.by}`;
  return rows.map((row) => toListed(row, caller));
}

/** As many cards of a column as could ever fit into an answer. */
const CARDS_A_STAGE = 100;

type ColumnRow = Stage & { revision: number; count: number; sums: Sum[]; deals: ListedRow[] };

export type LoadedColumn = { stage: Stage; count: number; sums: Sum[]; cards: ListedDeal[] };

/** The stages in order with what is open in them: cards, counts and sums are of the deals that the caller may have. */
export async function loadBoard(
  db: Reader,
  caller: Caller,
  action: string,
  filters: DealFilters,
): Promise<{ revision: number; columns: LoadedColumn[] }> {
  const may = readable(db, caller, action);
  const rows = await db<ColumnRow[]>`
    select s.key, s.title, s.probability, (select revision from deal_pipeline) as revision,
      counted.count, counted.sums, listed.deals
    from deal_stages s
    cross join lateral (
      select coalesce(sum(c.count), 0)::int as count,
        coalesce(jsonb_agg(jsonb_build_object('currency', c.currency, 'amount', c.amount, 'weighted', c.weighted)
          order by c.currency) filter (where c.currency is not null), '[]') as sums
      from (
        select d.currency, count(*) as count, sum(d.amount) as amount,
          round(sum(d.amount::numeric * coalesce(d.probability, s.probability, 0) / 100)) as weighted
        from deals d where d.state = 'open' and d.stage = s.key and ${may} ${filtered(db, filters)}
        group by d.currency
      ) c
    ) counted
    cross join lateral (
      select coalesce(jsonb_agg(to_jsonb(c) order by c.position, c.id), '[]') as deals
      from (
        select ${listedColumns(db)}
        from (
          select * from deals d where d.state = 'open' and d.stage = s.key and ${may} ${filtered(db, filters)}
          order by d.position, d.id limit ${CARDS_A_STAGE}
        ) d
      ) c
    ) listed
    order by s.position`;
  const columns = rows.map(({ key, title, probability, count, sums, deals }) => ({
    stage: { key, title, probability },
    count,
    sums,
    cards: deals.map((row) => toListed(row, caller)),
  }));
  return { revision: rows[0]?.revision ?? 1, columns };
}
