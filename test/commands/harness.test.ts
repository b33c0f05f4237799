// Checks that test files do not see each other.
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { freshDatabase } from '../support/database.ts';

test('every test file has a database of its own, by socket and by address', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()]);
  const here = postgres(one.options);
  const there = postgres(other.url);
  await here`create table mark (number int)`;
  expect(await there`select to_regclass('mark')::text as mark`).toEqual([{ mark: null }]);
  expect(await here`select to_regclass('mark')::text as mark`).toEqual([{ mark: 'mark' }]);
  await other.drop();
  await one.drop();
});
