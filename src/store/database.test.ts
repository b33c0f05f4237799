// Checks that an act and its audit row are one: the row goes out just before the commit, which does not wait for it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../test/support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const make = (key: string) => app.admin.rest('POST', '/api/work/projects', { key, name: key });
const made = async (): Promise<string[]> =>
  (await app.sql<{ key: string }[]>`select key from work_projects order by key`).map(({ key }) => key);

test('an act whose audit row cannot be written leaves nothing, and is no success', async () => {
  expect((await make('ONE')).status).toBe(201);
  await app.sql`
    create function no_audit() returns trigger language plpgsql as
      $$ begin if new.outcome = 'done' then raise exception 'no room'; end if; return new; end $$`;
  await app.sql`create trigger no_audit before insert on audit for each row execute function no_audit()`;
  expect(await make('TWO')).toMatchObject({ status: 500, body: { error: { code: 'fault' } } });
  expect(await made()).toEqual(['ONE']);
  await app.sql`drop trigger no_audit on audit`;
  expect((await make('THREE')).status).toBe(201);
  expect(await made()).toEqual(['ONE', 'THREE']);
  expect(
    await app.sql`select outcome, count(*)::int as rows from audit where act = 'project_create' group by 1 order by 1`,
  ).toEqual([
    { outcome: 'done', rows: 2 },
    { outcome: 'fault', rows: 1 },
  ]);
});

test('of an act that another in a circle of locks undid at its audit row, the second try is kept once', async () => {
  await app.sql`create sequence tries`;
  await app.sql`
    create function undo_once() returns trigger language plpgsql as
      $$ begin if nextval('tries') = 1 then raise exception 'undone' using errcode = '40P01'; end if; return new; end $$`;
  await app.sql`create trigger undo_once before insert on audit for each row execute function undo_once()`;
  expect((await make('FOUR')).status).toBe(201);
  await app.sql`drop trigger undo_once on audit`;
  expect(await made()).toContain('FOUR');
  expect(await app.sql`select last_value::int as tries from tries`).toEqual([{ tries: 2 }]);
});
