// Checks that the schema only ever goes forward, once, whoever boots.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, schemaIsCurrent } from '../../src/store/migrate.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';

let folder: string;
let database: FreshDatabase;
let sql: postgres.Sql;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dunnock-migrations-'));
  database = await freshDatabase();
  sql = postgres({ ...database.options, onnotice: () => undefined });
  await sql`drop table if exists schema_migrations`; // these tests bring migrations of their own
});

afterEach(async () => {
  await sql.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

test('files are applied in order, once', async () => {
  file('0001_first.sql', 'create table probe_numbers (number int); insert into probe_numbers values (1);');
  file('0002_second.sql', 'insert into probe_numbers select number + 1 from probe_numbers;');
  expect(await migrate(sql, folder)).toEqual(['0001_first.sql', '0002_second.sql']);
  expect(await migrate(sql, folder)).toEqual([]);
  expect(await sql`select number from probe_numbers order by 1`).toEqual([{ number: 1 }, { number: 2 }]);
  expect(await schemaIsCurrent(sql, folder)).toEqual({ ok: true });
});

test('two processes that boot at once apply each file once between them', async () => {
  file(
    '0001_slow.sql',
    'create table probe_race (number int); select pg_sleep(0.3); insert into probe_race values (1);',
  );
  const other = postgres({ ...database.options, onnotice: () => undefined });
  const applied = await Promise.all([migrate(sql, folder), migrate(other, folder)]);
  await other.end();
  expect(applied.flat()).toEqual(['0001_slow.sql']);
  expect(await sql`select number from probe_race`).toEqual([{ number: 1 }]);
});

test('a file that fails is undone whole and named', async () => {
  file('0001_good.sql', 'create table probe_good ();');
  file('0002_bad.sql', 'create table probe_bad (); select 1 / 0;');
  await expect(migrate(sql, folder)).rejects.toThrow(
    'Migration 0002_bad.sql failed and was undone: division by zero.',
  );
  expect(await sql`select to_regclass('probe_good')::text as good, to_regclass('probe_bad') as bad`).toEqual([
    { good: 'probe_good', bad: null },
  ]);
  expect(await schemaIsCurrent(sql, folder)).toEqual({
    ok: false,
    reason: 'Migration 0002_bad.sql has not been applied: restart the product.',
  });
});

test('a file that was changed after it was applied is refused', async () => {
  file('0001_first.sql', 'create table probe_changed ();');
  await migrate(sql, folder);
  file('0001_first.sql', 'create table probe_changed (more int);');
  const sentence =
    'Migration 0001_first.sql has been changed since it was applied to this database: restore the file as it was and put the change into a new migration.';
  await expect(migrate(sql, folder)).rejects.toThrow(sentence);
  expect(await schemaIsCurrent(sql, folder)).toEqual({ ok: false, reason: sentence });
});

test('a process older than the schema still runs and starts, as long as what is newer only adds', async () => {
  file('0001_first.sql', 'create table probe_older ();');
  file('0002_newer.sql', 'create table probe_more ();');
  await migrate(sql, folder);
  rmSync(join(folder, '0002_newer.sql'));
  expect(await schemaIsCurrent(sql, folder)).toEqual({ ok: true });
  expect(await migrate(sql, folder)).toEqual([]);
});

test('a database from which a newer version took something is refused', async () => {
  file('0001_first.sql', 'create table probe_newer ();');
  file('0002_newer.sql', '-- not additive\nselect 1;');
  await migrate(sql, folder);
  rmSync(join(folder, '0002_newer.sql'));
  await expect(migrate(sql, folder)).rejects.toThrow(
    'The database has had migration 0002_newer.sql, which this version of the product does not know: a newer version has been here, so start that one.',
  );
});

test('a file that comes too late for its number is refused', async () => {
  file('0002_second.sql', 'select 1;');
  await migrate(sql, folder);
  file('0001_late.sql', 'select 1;');
  await expect(migrate(sql, folder)).rejects.toThrow(
    'Migration 0001_late.sql comes before 0002_second.sql, which this database has had already: give it the next free number.',
  );
});

test('a database that has had no migration is not current, and asking changes nothing', async () => {
  file('0001_first.sql', 'select 1;');
  expect((await schemaIsCurrent(sql, folder)).ok).toBe(false);
  expect(await sql`select to_regclass('schema_migrations') as found`).toEqual([{ found: null }]);
});

test('a user who may not change the schema is told what to do', async () => {
  file('0001_first.sql', 'create table probe_rights ();');
  const { user, password, ...rest } = database.options;
  expect(user && password).toBeTruthy();
  const name = `dunnock_reader_${process.pid}`;
  await sql.unsafe(`create role ${name} login password 'reader'`);
  const reader = postgres({ ...rest, user: name, password: 'reader', max: 1 });
  await expect(migrate(reader, folder)).rejects.toThrow(
    /make it the owner of the database, then start again\.$/,
  );
  await reader.end();
  await sql.unsafe(`drop role ${name}`);
});
