// Saved views through the entry points: whose one is, how many there may be, and what is none.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type PersonClient, type TestApp } from '../../../../test/support/app.ts';

let app: TestApp;
let ben: PersonClient;

beforeAll(async () => {
  app = await openTestApp();
  ben = await app.person();
});
afterAll(() => app?.close());

const save = (who: PersonClient, name: string, query: string, list = 'people') =>
  who.rest('PUT', '/api/me/views', { list, name, query });
const viewsOf = async (who: PersonClient, list = 'people') =>
  (await who.rest('GET', `/api/me/views?list=${list}`)).body.items;

test('a view is its person’s alone, of one list, by its name; the same name takes the place of the former', async () => {
  expect((await save(app.admin, 'Buyers', 'tag=buyer')).status).toBe(200);
  const { view } = (await save(app.admin, 'Buyers', 'sort=updated&tag=buyer')).body;
  expect(await viewsOf(app.admin)).toMatchObject([{ name: 'Buyers', query: 'sort=updated&tag=buyer' }]);
  expect(await viewsOf(app.admin, 'companies')).toEqual([]);
  expect(await viewsOf(ben)).toEqual([]);
  const one = `/api/me/views/${view.id}`;
  expect((await ben.rest('PATCH', one, { name: 'Mine now' })).status).toBe(404);
  expect((await ben.rest('DELETE', one)).status).toBe(404);
  expect((await app.admin.rest('DELETE', one)).status).toBe(200);
  expect(await viewsOf(app.admin)).toEqual([]);
});

test('a view gets another name, and none that another of the list has', async () => {
  const first = (await save(app.admin, 'First', 'tag=a')).body.view;
  await save(app.admin, 'Second', 'tag=b');
  await save(app.admin, 'Third', '', 'companies');
  const rename = (name: string) => app.admin.rest('PATCH', `/api/me/views/${first.id}`, { name });
  const taken = await rename('Second');
  expect(taken.status).toBe(409);
  expect(taken.body.error.message).toContain('a view of this list with that name already exists');
  expect((await rename('First')).status).toBe(200);
  expect((await rename('Third')).body.view).toMatchObject({ name: 'Third', query: 'tag=a' });
  expect((await viewsOf(app.admin)).map((view: { name: string }) => view.name)).toEqual(['Second', 'Third']);
});

test('fifty of a list are kept and no more, saved at once or one by one', async () => {
  const all = await Promise.all(Array.from({ length: 52 }, (_, n) => save(ben, `View ${n}`, '')));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(50);
  const refused = all.find(({ status }) => status !== 200);
  expect(refused?.status).toBe(409);
  expect(refused?.body.error.message).toContain('you have 50 views of this list');
  const [{ name }] = await viewsOf(ben);
  expect((await save(ben, name, 'tag=buyer')).status).toBe(200);
  expect((await save(ben, 'Of another', '', 'deals')).status).toBe(200);
});

test('what is no name, no list or no query string is refused', async () => {
  for (const name of ['', '   ', 'x'.repeat(81), 'nul\0', '\ud800'])
    expect((await save(ben, name, 'tag=buyer')).status, JSON.stringify(name)).toBe(400);
  for (const query of ['<script>', 'tag=a b', 'tag=ä', 'javascript:"x"', 'x'.repeat(2_001)])
    expect((await save(ben, 'View 7', query)).status, query.slice(0, 20)).toBe(400);
  expect((await save(ben, 'View 7', '', 'secrets')).status).toBe(400);
});
