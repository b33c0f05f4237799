// An instance that was made before version 0.2.0, when migrations were still edited: one whose schema can be brought to the
// baseline is taken over where it exists, and any other is told in one sentence what to do.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describe as describeSchema } from '../../src/store/describe.ts';
import { migrate, schemaIsCurrent } from '../../src/store/migrate.ts';
import { migrationsIn } from '../../src/store/migration-files.ts';
import { planAndWrite } from '../imports/support.ts';
import { dunnock } from '../commands/dunnock.ts';
import { temporaryFolder } from '../commands/holding.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { openTestApp } from '../support/app.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');
const BEFORE = join(MIGRATIONS, 'before-0.2.0');
/** Columns of the first rows that no two databases share. */
const DRAWN = new Set(['created_at', 'updated_at']);
/** What the last version before the change to 0.2.0 had. */
const LAST_OF_0_1_0 = '0056_quarantine_rules_of_a_person.sql';

const chain = migrationsIn(BEFORE).map(({ name }) => name);
const of_0_1_0 = new Set(chain.filter((name) => name <= LAST_OF_0_1_0));
const baseline = migrationsIn(MIGRATIONS)[0]!;

let database: FreshDatabase;
let sql: postgres.Sql;

beforeEach(async () => {
  database = await freshDatabase();
  sql = postgres({ ...database.options, onnotice: () => undefined });
  await sql.unsafe('drop schema public cascade; create schema public');
});

afterEach(async () => {
  await sql.end();
  await database.drop();
});

const names = async (): Promise<string[]> =>
  (await sql<{ name: string }[]>`select name from schema_migrations order by name`).map(({ name }) => name);

test('the baseline makes the same schema as the chain before it', async () => {
  await migrate(sql, BEFORE);
  const before = await describeSchema(sql);
  const seeds = await seeded();
  await sql.unsafe('drop schema public cascade; create schema public');
  await migrate(sql, MIGRATIONS, undefined, new Set([baseline.name]));
  expect(await describeSchema(sql)).toEqual(before);
  expect(before.length).toBeGreaterThan(2_000);
  expect(await seeded()).toEqual(seeds);
});

/** The rows that each table begins with, but for what is drawn and when. */
async function seeded(): Promise<Record<string, Record<string, unknown>[]>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname <> 'schema_migrations' order by relname`;
  const begun: Record<string, Record<string, unknown>[]> = {};
  for (const { name } of tables) {
    const rows = await sql<{ row: Record<string, unknown> }[]>`
      select to_jsonb(t) as row from ${sql(name)} t order by to_jsonb(t) - ${[...DRAWN]}::text[]`;
    if (rows.length > 0)
      begun[name] = rows.map(({ row }) =>
        Object.fromEntries(Object.entries(row).filter(([column]) => !DRAWN.has(column))),
      );
  }
  return begun;
}

test('an instance of 0.1.0 is taken over with what is in it', async () => {
  await migrate(sql, BEFORE, undefined, of_0_1_0);
  const user = {
    id: '0198c0de-0000-7000-8000-000000000001',
    name: 'Ada',
    name_key: 'ada',
    created_at: new Date(),
  };
  await sql`insert into users ${sql({ ...user, email: 'ada@old.example', email_key: 'ada@old.example', state: 'invited' })}`;
  expect(await schemaIsCurrent(sql, MIGRATIONS)).toMatchObject({ ok: false });
  expect(await migrate(sql, MIGRATIONS)).toContain(baseline.name);
  expect(await names()).toEqual(migrationsIn(MIGRATIONS).map(({ name }) => name));
  expect(await sql`select name from users`).toEqual([{ name: 'Ada' }]);
  expect(await schemaIsCurrent(sql, MIGRATIONS)).toEqual({ ok: true });
  expect(await migrate(sql, MIGRATIONS)).toEqual([]);
});

test('so is one whose migrations were edited since, where they made the same schema', async () => {
  await migrate(sql, BEFORE);
  await sql`update schema_migrations set sha256 = 'other' where name = '0009_outreach.sql'`;
  expect(await migrate(sql, MIGRATIONS)).toContain(baseline.name);
});

test('so is one to which an operator gave rights and an extension', async () => {
  await migrate(sql, BEFORE, undefined, of_0_1_0);
  await sql.unsafe('grant select on people to public; create extension pg_trgm');
  expect(await migrate(sql, MIGRATIONS)).toContain(baseline.name);
});

test('one that has had the last of that chain, which took columns away, is not told that a newer version has been here', async () => {
  await migrate(sql, BEFORE);
  expect(await schemaIsCurrent(sql, MIGRATIONS)).toEqual({
    ok: false,
    reason: `Migration ${baseline.name} has not been applied: restart the product.`,
  });
});

test('what says nothing about the schema is told as it is', async () => {
  await migrate(sql, BEFORE, undefined, of_0_1_0);
  await sql.unsafe(
    "create function full_disk() returns event_trigger language plpgsql as $$ begin raise exception 'no space left' using errcode = '53100'; end $$",
  );
  await sql.unsafe('create event trigger full_disk on ddl_command_start execute function full_disk()');
  const refused = await migrate(sql, MIGRATIONS).then(
    () => '',
    (error: Error) => error.message,
  );
  expect(refused).toContain('no space left');
  expect(refused).not.toContain('no release has had');
});

test('no file of the chain of 0.1.0 is another: its hashes are in backups', () => {
  const now = Object.fromEntries(migrationsIn(BEFORE).map(({ name, sha256 }) => [name, sha256]));
  expect(now).toEqual(JSON.parse(readFileSync(join(import.meta.dirname, 'before-0.2.0.json'), 'utf8')));
});

test('a backup of 0.1.0 is restored and taken over', async () => {
  await migrate(sql, BEFORE, undefined, of_0_1_0);
  const env = {
    DATABASE_URL: database.url,
    SERVICE_INSTANCE: 'test',
    SERVICE_MASTER_KEY: 'the key of before 0.2.0',
  };
  const file = join(temporaryFolder(), 'old.backup');
  expect(await dunnock(env, ['backup', file])).toMatchObject({ status: 0 });
  await sql.unsafe('drop schema public cascade; create schema public');
  const restored = await dunnock(env, ['restore', file]);
  expect(restored.status, restored.lines.join('\n')).toBe(0);
  expect(await schemaIsCurrent(sql, MIGRATIONS)).toEqual({ ok: true });
});

test.for([
  ['has a column of its own', 'alter table people add column shoe_size int', 'column people.shoe_size'],
  ['lacks an index', 'drop index audit_by_act', 'index audit_by_act'],
  [
    'checks less',
    'alter table sends drop constraint sends_state_check',
    'constraint sends.sends_state_check',
  ],
  [
    'has an index over more',
    'drop index approvals_one_open; create unique index approvals_one_open on approvals (subject_id, id)',
    'index approvals_one_open',
  ],
])('one that %s is told what to do, and stays as it was', async ([, change = '', named]) => {
  await migrate(sql, BEFORE, undefined, of_0_1_0);
  await sql.unsafe(change);
  const before = [await describeSchema(sql), await names()];
  const refused = await migrate(sql, MIGRATIONS).then(
    () => '',
    (error: Error) => error.message,
  );
  expect(refused).toContain(`with a schema that no release has had (${named}): export`);
  expect(refused).toMatch(/^[A-Z][^\n]{20,299}\.$/);
  expect([await describeSchema(sql), await names()]).toEqual(before);
});

test('what that sentence says works: exported as CSV, people are imported into a new instance', async () => {
  const [old, made] = [await openTestApp(), await openTestApp()];
  const person = { name: 'Ann Lee', addresses: [{ value: 'ann@old.example' }], tags: ['fair'] };
  expect((await old.admin.rest('POST', '/api/admin/crm/people', person)).status).toBe(201);
  const csv = await (
    await fetch(`${old.url}/api/admin/crm/people/export`, { headers: { cookie: old.admin.cookie } })
  ).text();
  expect(csv).toContain('ann@old.example');
  await planAndWrite(made.admin, { file: csv });
  const found = await made.admin.rest('GET', '/api/admin/crm/people');
  expect(JSON.stringify(found.body)).toContain('ann@old.example');
  await old.close();
  await made.close();
});

test('a process of 0.1.0 is refused where a newer one has been', async () => {
  await migrate(sql, MIGRATIONS);
  await expect(migrate(sql, BEFORE)).rejects.toThrow(
    `migration ${baseline.name}, which this version of the product does not know`,
  );
});
