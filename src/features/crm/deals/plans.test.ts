// Checks that the reads of deals are served by indexes at 100,000 of them: the queries that the store really sends are
// caught on the way and explained.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, openPlans, type Plans, scansIn } from '../../../../test/support/plans.ts';
import type { Transaction } from '../../../kernel/database.ts';
import { dealsOfPerson } from './holder.store.ts';
import { loadBoard, searchDeals, type DealSearch } from './list.store.ts';
import { announceDeals } from './opened.store.ts';
import { countStanding } from './pipeline.store.ts';
import { listFacts } from './save.store.ts';
import { loadDeal } from './store.ts';

const DEALS = 100_000;

let plans: Plans;
let sql: Plans['sql'];

const person = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

beforeAll(async () => {
  plans = await openPlans();
  ({ sql } = plans);
  await plans.seed(`
    insert into people (id, name, name_key, search, created_by_kind, created_by_id, created_by_name, created_at, updated_at)
      select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'P' || n, 'p' || n, '', 'person', 'x', 'X', now(), now()
      from generate_series(1, 20000) n;
    insert into companies (id, name, name_key, search, created_at, updated_at)
      select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'C' || n, 'c' || n, '', now(), now()
      from generate_series(1, 5000) n;
    insert into deals (id, name, person_id, company_id, campaign_id, state, stage, amount, currency, expected_on, owner, opened_by,
        position, search, created_by_kind, created_by_id, created_by_name, created_at, updated_at, closed_at, lost_reason)
      select gen_random_uuid(), 'Deal ' || n,
        ('00000000-0000-4000-8000-' || lpad((1 + n % 20000)::text, 12, '0'))::uuid,
        ('00000000-0000-4000-8000-' || lpad((1 + n % 5000)::text, 12, '0'))::uuid,
        ('00000000-0000-4000-8000-' || lpad((1 + n % 50)::text, 12, '0'))::uuid,
        (array['open', 'won', 'lost'])[1 + n % 3], (array['new', 'qualified', 'proposal', 'negotiation'])[1 + n % 4],
        case when n % 5 > 0 then n end, case when n % 5 > 0 then 'EUR' end,
        case when n % 7 > 0 then current_date + n % 365 end,
        case when n % 2 = 0 then ('00000000-0000-4000-8000-' || lpad((n % 40)::text, 12, '0'))::uuid end,
        'person', n, array_to_tsvector(array['deal', 'word-' || n % 2000]), 'person', 'x', 'X', now(),
        now() - n * interval '1 minute', case when n % 3 > 0 then now() end, case when n % 3 = 2 then 'x' end
      from generate_series(1, ${DEALS}) n;
    insert into deal_facts (id, deal_id, kind, by_kind, by_id, by_name, at)
      select gen_random_uuid(), id, 'opened', 'person', 'x', 'X', now() from deals;
    insert into positive_readings (person_id, prospect_id, at)
      select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, gen_random_uuid(), now() from generate_series(1, 20000) n;
  `);
});
afterAll(async () => plans?.close());

/** A handful of rows each, on any instance; of people and users only those that the deals found name are looked up. */
const SMALL = ['deal_stages', 'deal_pipeline', 'users'];
const scans = async (read: () => Promise<unknown>): Promise<string[]> =>
  scansIn(await plans.ofRead(read), SMALL);

const read = 'crm.deal.read';

test('every list is read through an index, in every order', async () => {
  const filters: Partial<DealSearch>[] = [
    {},
    { state: 'open' },
    { state: 'won' },
    { stage: 'proposal' },
    { state: 'open', stage: 'new' },
    { owner: person(4) },
    { owner: 'none' },
    { state: 'open', owner: person(4) },
    { person: person(9) },
    { company: person(9) },
    { campaign: person(9) },
    { words: "'word-17':*" },
    { words: "'nothing':*" },
    { state: 'lost', words: "'deal':*" },
  ];
  const afters = {
    updated: [new Date(Date.now() - 86_400_000).toISOString(), person(7)],
    expected: ['2027-01-01', person(7)],
    amount: [500, person(7)],
  } as const;
  for (const sort of ['updated', 'expected', 'amount'] as const)
    for (const filter of filters)
      for (const after of [null, afters[sort]]) {
        const search = { ...filter, sort, after, count: 51 };
        expect(await scans(() => searchDeals(sql, ADMIN, read, search))).toEqual([]);
      }
});

test('the board and what its columns come to are read through an index', async () => {
  for (const filters of [{}, { owner: person(4) }, { words: "'word-17':*" }])
    expect(await scans(() => loadBoard(sql, ADMIN, read, filters))).toEqual([]);
});

test('a deal, its history, what a person has, what is told and what is in a stage are read through an index', async () => {
  const [row] = await sql<{ id: string }[]>`select id from deals limit 1`;
  const deal = await loadDeal(sql, ADMIN, read, row!.id);
  expect(await scans(() => loadDeal(sql, ADMIN, read, deal.id))).toEqual([]);
  expect(await scans(() => listFacts(sql, deal, null, 51))).toEqual([]);
  expect(await scans(async () => dealsOfPerson.timeline?.(sql, ADMIN, person(9), null, 51))).toEqual([]);
  expect(await scans(() => countStanding(sql, ['proposal']))).toEqual([]);
  const tell = (tx: Transaction) => announceDeals(tx, async () => undefined, person(9), new Date());
  expect(await scans(() => sql.begin(tell))).toEqual([]);
});
