// Two acts that meet in a circle of locks: the database undoes one, and it runs again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(async () => app.close());

test('no 500 is ever an answer to two acts that took the same rows in different orders', async () => {
  const { database } = app.instance.app;
  await app.sql`insert into settings values ('one', '0'), ('two', '0')`;
  const add = (first: string, second: string) =>
    database.transact(async (tx) => {
      await tx`update settings set value = to_jsonb((value::text)::int + 1) where section = ${first}`;
      await new Promise((resolve) => setTimeout(resolve, 50));
      await tx`update settings set value = to_jsonb((value::text)::int + 1) where section = ${second}`;
    });
  await Promise.all([add('one', 'two'), add('two', 'one')]);
  const rows = await app.sql`select value from settings where section in ('one', 'two')`;
  expect(rows.map((row) => row['value'])).toEqual([2, 2]);
});
