// Every reference between tables has an index that finds its rows, since deleting the row that is referred to looks for them
// all. Those that have none are listed with the reason.
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';

const FEW = 'a table of some hundreds of rows: reading it whole takes no longer than an index';
const SAMPLES = 'its rows are deleted with the sample desk alone, once in the life of an instance';

/** Why a reference has no index. */
const WITHOUT: Readonly<Record<string, string>> = {
  'answers(answers_touch) → touches': SAMPLES,
  'campaigns(owner) → users': FEW,
  'campaigns(postal_address_id) → postal_addresses': FEW,
  'forms(campaign_id) → campaigns': FEW,
  'forms(identity_id) → identities': FEW,
  'prospects(identity_id) → identities': SAMPLES,
  'sent_copies(identity_id) → identities': SAMPLES,
  'snippets(owner_id) → users': FEW,
  'touches(send_id) → sends': SAMPLES,
  'work_projects(lead) → users': FEW,
  'workflow_runs(workflow_id,version) → workflow_versions':
    'versions go with their workflow, whose runs an index finds',
};

let database: FreshDatabase;
let sql: postgres.Sql;

beforeAll(async () => {
  database = await freshDatabase();
  sql = postgres({ ...database.options, max: 1, onnotice: () => undefined });
});

afterAll(async () => {
  await sql.end();
  await database.drop();
});

/** An index serves that begins with the columns of the reference, or with the last of them, and leaves out nulls at most. */
async function unindexed(): Promise<string[]> {
  const rows = await sql<{ reference: string }[]>`
    with refs as (
      select c.oid, c.conrelid, c.confrelid, c.conkey,
        (select string_agg(a.attname, ',' order by k.o) from unnest(c.conkey) with ordinality k(n, o)
         join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.n) as columns,
        (select array_agg(format('(%s IS NOT NULL)', a.attname)) from pg_attribute a
         where a.attrelid = c.conrelid and a.attnum = any (c.conkey)) as not_null
      from pg_constraint c where c.contype = 'f')
    select format('%s(%s) → %s', conrelid::regclass, columns, confrelid::regclass) as reference from refs r
    where not exists (
      select from pg_index i
      where i.indrelid = r.conrelid and i.indisvalid
        and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = any (r.not_null))
        and (i.indkey[0] = r.conkey[array_upper(r.conkey, 1)]
          or (select bool_and(k.n = any ((i.indkey::int2[])[0:array_length(r.conkey, 1) - 1])) from unnest(r.conkey) k(n))))
    order by 1`;
  return rows.map(({ reference }) => reference);
}

test('every reference has an index, but for those that are listed with a reason', async () => {
  expect(await unindexed()).toEqual(Object.keys(WITHOUT).toSorted());
});

test('a reference without an index is found', async () => {
  await sql`create table probe_of_users (id int primary key, user_id uuid references users, at timestamptz)`;
  expect(await unindexed()).toContain('probe_of_users(user_id) → users');
  await sql`create index on probe_of_users (user_id) where at is not null`;
  expect(await unindexed()).toContain('probe_of_users(user_id) → users');
  await sql`create index on probe_of_users (at, user_id)`;
  expect(await unindexed()).toContain('probe_of_users(user_id) → users');
  await sql`create index on probe_of_users (user_id) where user_id is not null`;
  expect(await unindexed()).not.toContain('probe_of_users(user_id) → users');
  await sql`drop table probe_of_users`;
});
