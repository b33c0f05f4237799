// Checks that every filter of the audit log is served by an index at 100,000 rows: the queries that the store really
// sends are caught on the way and explained.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, nodesOf, openPlans, type Plans } from '../../../../test/support/plans.ts';
import { type ActivityFilter, activityRows } from './activity.store.ts';
import { type AuditFilter, auditRows } from './store.ts';

let plans: Plans;
let sql: Plans['sql'];

beforeAll(async () => {
  plans = await openPlans();
  ({ sql } = plans);
  // Rare ones are the oldest, so that reading from the newest end until enough are found would read everything.
  await sql`
    insert into audit (id, at, principal_kind, principal_id, principal_name, on_behalf_of_id, on_behalf_of_name, token_id,
      token_name, surface, turn, act, outcome, code, sentence, request_id, resource)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, now(), 'agent',
      case when n <= 5 then 'rare' else 'often' end, 'p', case when n between 4 and 8 then 'rare' else 'often' end, 'p',
      case when n between 8 and 10 then 'rare' else 'often' end, 't', case when n <= 5 then 'setup' else 'mcp' end, 'agent',
      case when n <= 5 then 'auth_setup' else 'item_get' end, case when n <= 5 then 'fault' else 'done' end,
      case when n <= 5 then 'fault' end, case when n <= 5 then 'x' end, 'r',
      case when n <= 5 then 'crm:person/rare' else 'work:item/' || n % 2000 end
    from generate_series(1, 100000) n`;
  await sql`
    insert into activity_reads (id, at, until, count, principal_kind, principal_id, principal_name, on_behalf_of_id,
      on_behalf_of_name, token_id, token_name, surface, turn, act, request_id, resource)
    select id, at, at, 1, principal_kind, principal_id, principal_name, on_behalf_of_id, on_behalf_of_name, token_id, token_name,
      'mcp', 'agent', 'item_get', 'r', resource from audit`;
  await sql`analyze audit, activity_reads`;
});
afterAll(async () => plans?.close());

const FILTERS: Omit<AuditFilter, 'before' | 'count'>[] = [
  {},
  { act: 'auth_setup' },
  { outcome: 'fault' },
  { outcome: 'done' },
  { surface: 'setup' },
  { surface: 'mcp' },
  { actor: 'rare' },
  { actor: 'often' },
  { actor: 'rare', surface: 'setup' },
];

test.each(FILTERS)('who did what, by %o, is read through an index', async (filter) => {
  for (const before of [null, '00000000-0000-7000-8000-000000090000']) {
    const [asked] = await plans.ofRead(
      () => auditRows(sql, ADMIN, { ...filter, before, count: 51 }),
      'analyze',
    );
    const nodes = asked ? nodesOf(asked.plan) : [];
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    // An index of everything, read until enough rows match, is no better.
    for (const node of nodes) expect(node['Rows Removed by Filter'] ?? 0).toBeLessThan(100);
  }
});

test('an actor is who did it, the token it was done with, or whom it was done for: each row once, newest first', async () => {
  const rows = await auditRows(sql, ADMIN, { actor: 'rare', before: null, count: 51 });
  expect(rows.map((row) => Number(row.id.slice(-12)))).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  const page = await auditRows(sql, ADMIN, { actor: 'rare', before: rows[3]!.id, count: 3 });
  expect(page.map((row) => row.id)).toEqual(rows.slice(4, 7).map((row) => row.id));
});

const TIMES: Omit<ActivityFilter, 'count'>[] = [
  { show: 'all' },
  { show: 'acts' },
  { show: 'reads' },
  { show: 'all', outcome: 'fault' },
  { show: 'all', actor: 'rare' },
  { show: 'all', actor: 'often' },
  { show: 'all', noun: 'crm:person' },
  { show: 'all', noun: 'work:item' },
  { show: 'all', noun: 'crm:person', resource: 'crm:person/rare' },
  { show: 'all', noun: 'work:item', resource: 'work:item/7' },
  { show: 'reads', noun: 'work:item', resource: 'work:item/7' },
];

test.each(TIMES)('what was done and read, by %o, is read through an index', async (filter) => {
  const first = '00000000-0000-7000-8000-000000000002';
  for (const at of [{}, { before: '00000000-0000-7000-8000-000000090000' }, { first }]) {
    const [asked] = await plans.ofRead(
      () => activityRows(sql, ADMIN, { ...filter, ...at, count: 51 }),
      'analyze',
    );
    const nodes = asked ? nodesOf(asked.plan) : [];
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    for (const node of nodes) expect(node['Rows Removed by Filter'] ?? 0).toBeLessThan(100);
  }
});
