// Checks that reads of people are served by indexes at 100,000 of them: the queries that the stores really send are
// caught on the way and explained with generic plans, as the product runs them, so the test cannot drift from the code.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, openPlans, type Plans, scansIn } from '../../../../test/support/plans.ts';
import type { Caller } from '../../../kernel/caller.ts';
import { searchQuery } from '../../../kernel/words.ts';
import { listCompanies, loadCompany } from '../companies/store.ts';
import { listFacts } from './history.store.ts';
import type { Check } from './filter.rules.ts';
import { addressesOf, holderOf } from './save.store.ts';
import { listPeople, loadPerson, type PeopleSearch } from './store.ts';

const PEOPLE = 100_000;

let plans: Plans;
let sql: Plans['sql'];

const NOW = new Date('2026-06-01T00:00:00Z');

beforeAll(async () => {
  plans = await openPlans('generic');
  ({ sql } = plans);
  await plans.seed(`
    insert into users (id, name, name_key, email, email_key, state, password_hash, created_at)
      select gen_random_uuid(), 'User ' || n, 'user ' || n, n || '@x.example', n || '@x.example', 'active', 'x', now()
      from generate_series(1, 20) n;
    insert into companies (id, name, name_key, domain, search, created_at, updated_at)
      select gen_random_uuid(), 'Company ' || n, 'company ' || n, 'c' || n || '.example', array_to_tsvector(array['company', 'c' || n]),
        now(), now() - n * interval '1 minute'
      from generate_series(1, 20000) n;
    insert into people (id, name, name_key, title, company_id, country, source, basis, tags, owner, search,
        created_by_kind, created_by_id, created_by_name, created_at, updated_at)
      select gen_random_uuid(), 'Person ' || n, 'person ' || md5(n::text), 'Title ' || n % 50, c.id,
        case when n % 3 = 0 then (array['DE', 'AT', 'CH', 'FR'])[1 + n % 4] end, 'source-' || n % 30,
        (array['legitimate_interest', 'consent', 'customer', 'none'])[1 + n % 4], array['tag-' || n % 200],
        case when n % 5 = 0 then u.id end, array_to_tsvector(array['person', 'word' || n % 5000]),
        'person', 'x', 'X', '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second', '2026-02-01T00:00:00Z'::timestamptz + n * interval '1 second'
      from generate_series(1, ${PEOPLE}) n
      join (select id, row_number() over () - 1 as at from companies) c on c.at = n % 20000
      join (select id, row_number() over () - 1 as at from users) u on u.at = n % 20;
    insert into person_addresses (id, person_id, value, normalised, domain, hash, is_primary, position, verdict, verdict_reason, rungs, verified_at)
      select gen_random_uuid(), id, name_key || '@d.example', name_key || '@d.example', 'd' || right(name_key, 2) || '.example', md5(name_key), true, 0,
        case when country is not null then 'DELIVERABLE' end, case when country is not null then 'x' end,
        case when country is not null then '[]'::jsonb end, case when country is not null then now() end
      from people;
    insert into person_facts (id, person_id, kind, by_kind, by_id, by_name, at)
      select gen_random_uuid(), id, 'created', 'person', 'x', 'X', created_at from people;
    insert into suppressions (id, kind, value, value_hash, reason, source, created_by_kind, created_by_id, created_by_name, created_at)
      select gen_random_uuid(), 'address', normalised, hash, 'manual', 'person', 'person', 'x', 'X', now() from person_addresses limit 30000;
  `);
});
afterAll(async () => plans?.close());

/** A handful of rows each, on any instance. */
const SMALL = ['users', 'custom_fields'];
const scans = async (read: () => Promise<unknown>): Promise<string[]> =>
  scansIn(await plans.ofRead(read), SMALL);

const AFTER = {
  name: ['person 8', '0198c0de-0000-7000-8000-000000000001'],
  updated: ['2026-02-01T12:00:00.000Z', '0198c0de-0000-7000-8000-000000000001'],
  created: ['2026-01-01T12:00:00.000Z', '0198c0de-0000-7000-8000-000000000001'],
} as const;

test('every filter of people, in every order, on the first page and on a later one', async () => {
  const [person] = await sql<{ company_id: string; owner: string }[]>`
    select company_id, owner from people where owner is not null limit 1`;
  const choice = (column: string, ...values: string[]) => ({ on: 'choice', column, values, none: false });
  const filters: object[][] = [
    [],
    [{ on: 'words', query: searchQuery('word17') }],
    [{ on: 'words', query: searchQuery('person') }],
    [{ on: 'tags', how: 'any', values: ['tag-3'] }],
    [{ on: 'tags', how: 'any', values: ['no-such', 'tag-9'] }],
    [choice('company_id', person!.company_id)],
    [choice('owner', person!.owner)],
    [{ ...choice('owner'), none: true }],
    [choice('country', 'DE')],
    [choice('country', 'DE', 'FR')],
    [choice('source', 'source-7')],
    [choice('basis', 'consent')],
    [{ on: 'address', normalised: 'nobody@d.example' }],
    [{ on: 'suppressed' }],
    [{ on: 'suppressed', not: true }],
    [{ on: 'has_address', not: true }],
    [{ on: 'verdict', values: ['RISKY'], none: false }],
    [{ on: 'verdict', values: ['DELIVERABLE'], none: true }],
    [{ on: 'email_domain', domains: ['dff.example'] }],
    [{ on: 'time', column: 'created_at', how: 'from', at: '2026-01-01T20:00:00Z' }],
    [{ on: 'time', column: 'updated_at', how: 'until', at: '2026-02-01T20:00:00Z' }],
    [choice('country', 'DE'), { on: 'suppressed', not: true }, { on: 'tags', how: 'any', values: ['tag-3'] }],
  ];
  for (const filter of filters)
    for (const sort of ['name', 'updated', 'created'] as const)
      for (const after of [null, AFTER[sort]]) {
        const all = filter.map((each) => ({ not: false, ...each })) as Check[];
        const search: PeopleSearch = { matches: [{ all }], sort, after, count: 51 };
        expect(
          await scans(() => listPeople(sql, ADMIN, 'crm.person.read', search, NOW)),
          `${JSON.stringify(filter)} by ${sort}`,
        ).toEqual([]);
      }
});

/** A policy keeps one record of each kind from them. */
const DENIED: Caller = {
  ...ADMIN,
  rights: {
    admin: false,
    policies: [
      {
        name: 'most',
        statements: [
          { effect: 'allow', actions: ['*'], resources: ['*'] },
          {
            effect: 'deny',
            actions: ['*'],
            resources: ['person', 'company'].map((each) => `crm:${each}/${AFTER.name[1]}`),
          },
        ],
      },
    ],
    projects: null,
  },
};

test('a policy that denies single records leaves every order to its index', async () => {
  for (const sort of ['name', 'updated', 'created'] as const)
    for (const after of [null, AFTER[sort]]) {
      const search: PeopleSearch = { matches: [], sort, after, count: 51 };
      const asked = () => listPeople(sql, DENIED, 'crm.person.read', search, NOW);
      expect(await asked()).not.toHaveLength(0);
      expect(await scans(asked)).toEqual([]);
      if (sort !== 'created')
        expect(await scans(() => listCompanies(sql, DENIED, { sort, after, count: 51 }))).toEqual([]);
    }
});

test('one person, their timeline, who has an address, and companies are read through indexes', async () => {
  const [person] = await sql<{ id: string; company_id: string }[]>`select id, company_id from people limit 1`;
  const { id } = person!;
  expect(await scans(() => loadPerson(sql, ADMIN, 'crm.person.read', id, NOW))).toEqual([]);
  expect(await scans(() => listFacts(sql, id, null, 51))).toEqual([]);
  expect(await scans(() => listFacts(sql, id, [NOW.toISOString(), id], 51))).toEqual([]);
  expect(await scans(() => addressesOf(sql, id))).toEqual([]);
  expect(await scans(() => holderOf(sql, ['a@d.example', 'b@d.example'], id))).toEqual([]);
  expect(await scans(() => loadCompany(sql, ADMIN, 'crm.company.read', person!.company_id))).toEqual([]);
  const after = ['company 9', id] as const;
  for (const more of [{}, { after }, { words: searchQuery('c17') ?? '' }, { domain: 'c17.example' }])
    for (const sort of ['name', 'updated'] as const) {
      if (sort === 'updated' && 'after' in more) continue;
      const search = { sort, after: null, count: 51, ...more };
      expect(await scans(() => listCompanies(sql, ADMIN, search))).toEqual([]);
    }
});
