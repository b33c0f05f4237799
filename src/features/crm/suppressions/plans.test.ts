// Checks that every filter of the list of suppressions, and asking who among many is suppressed, is served by an
// index at 100,000 rows: the queries that the store really sends are caught on the way and explained.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodesOf, openPlans, type Plans } from '../../../../test/support/plans.ts';
import { addressHash } from '../../../mail/address.ts';
import { foundRows, newestRows, type SuppressionFilter } from './list.store.ts';
import { standingAmong } from './store.ts';

const NOW = new Date('2026-03-02T12:00:00Z');
let plans: Plans;
let sql: Plans['sql'];

beforeAll(async () => {
  plans = await openPlans();
  ({ sql } = plans);
  // Rare ones are the oldest, so that reading from the newest end until enough are found would read everything.
  await sql`
    insert into suppressions (id, kind, value, value_hash, reason, source, created_by_kind, created_by_id, created_by_name,
      created_at, expires_at, lifted_by_kind, lifted_by_id, lifted_by_name, lifted_at)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, case when n <= 20 then 'domain' else 'address' end,
      value, encode(sha256(value::bytea), 'hex'),
      case when n <= 30 then 'manual' when n between 31 and 40 then 'legal' else 'unsubscribe' end, 'person', 'person', 'x', 'x',
      ${NOW}::timestamptz - interval '1 year' + n * interval '1 minute',
      case when n between 21 and 30 then ${NOW}::timestamptz - interval '10 days' end,
      case when lifted then 'person' end, case when lifted then 'x' end, case when lifted then 'x' end,
      case when lifted then ${NOW}::timestamptz end
    from (select n, n between 41 and 50 as lifted,
      case when n <= 20 then 'd' || n || '.example' else 'p' || lpad(n::text, 6, '0') || '@many.example' end as value
      from generate_series(1, 100000) n) rows`;
  await sql`analyze suppressions`;
});
afterAll(async () => plans?.close());

async function expectIndexed(ask: () => Promise<unknown>): Promise<void> {
  const [asked] = await plans.ofRead(ask, 'analyze');
  const nodes = asked ? nodesOf(asked.plan) : [];
  expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
  // An index of everything, read until enough rows match, is no better.
  for (const node of nodes)
    expect(node['Rows Removed by Filter'] ?? 0, JSON.stringify(node)).toBeLessThan(150);
}

const FILTERS: SuppressionFilter[] = [
  {},
  { state: 'standing' },
  { state: 'lifted' },
  { state: 'ended' },
  { reason: 'legal' },
  { reason: 'unsubscribe', state: 'standing' },
  { reason: 'unsubscribe', state: 'lifted' },
  { reason: 'manual', state: 'ended' },
  { kind: 'domain' },
  { kind: 'domain', state: 'standing' },
  { kind: 'address', reason: 'legal', state: 'standing' },
];

test.each(FILTERS)('suppressions, by %o, are read through an index', async (filter) => {
  for (const before of [null, ['2025-06-01T00:00:00.000Z', '00000000-0000-7000-8000-000000090000']] as const)
    await expectIndexed(() => newestRows(sql, filter, before && [...before], 51, NOW));
});

test.each(['p0999', 'P099999@many.example', 'd1', 'nobody@nowhere.example'])(
  'what begins with "%s", or is that address, is found through an index',
  (question) => expectIndexed(() => foundRows(sql, question, {}, null, 51, NOW)),
);

test('five hundred addresses are asked about through an index', () =>
  expectIndexed(() =>
    standingAmong(
      sql,
      Array.from({ length: 500 }, (_, n) => ({
        hash: addressHash(`p${String(n * 150).padStart(6, '0')}@many.example`),
        domain: 'many.example',
      })),
      NOW,
    ),
  ));
