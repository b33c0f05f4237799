// Saved views through the doors: whose one is, how many there may be, and what is none.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestHouse, type PersonClient, type TestHouse } from '../../../../test/support/house.ts';

let house: TestHouse;
let ben: PersonClient;

beforeAll(async () => {
  house = await openTestHouse();
  ben = await house.person();
});
afterAll(() => house?.close());

const save = (who: PersonClient, name: string, query: string, list = 'people') =>
  who.rest('PUT', '/api/me/views', { list, name, query });
const viewsOf = async (who: PersonClient, list = 'people') =>
  (await who.rest('GET', `/api/me/views?list=${list}`)).body.items;

test('a view is its person’s alone, of one list, by its name; the same name takes the place of the former', async () => {
  expect((await save(house.admin, 'Buyers', 'tag=buyer')).status).toBe(200);
  const { view } = (await save(house.admin, 'Buyers', 'sort=updated&tag=buyer')).body;
  expect(await viewsOf(house.admin)).toMatchObject([{ name: 'Buyers', query: 'sort=updated&tag=buyer' }]);
  expect(await viewsOf(house.admin, 'companies')).toEqual([]);
  expect(await viewsOf(ben)).toEqual([]);
  const one = `/api/me/views/${view.id}`;
  expect((await ben.rest('PATCH', one, { name: 'Mine now' })).status).toBe(404);
  expect((await ben.rest('DELETE', one)).status).toBe(404);
  expect((await house.admin.rest('DELETE', one)).status).toBe(200);
  expect(await viewsOf(house.admin)).toEqual([]);
});

test('a view gets another name, and none that another of the list has', async () => {
  const first = (await save(house.admin, 'First', 'tag=a')).body.view;
  await save(house.admin, 'Second', 'tag=b');
  await save(house.admin, 'Third', '', 'companies');
  const rename = (name: string) => house.admin.rest('PATCH', `/api/me/views/${first.id}`, { name });
  const taken = await rename('Second');
  expect(taken.status).toBe(409);
  expect(taken.body.error.message).toContain('a view of this list with that name already exists');
  expect((await rename('First')).status).toBe(200);
  expect((await rename('Third')).body.view).toMatchObject({ name: 'Third', query: 'tag=a' });
  expect((await viewsOf(house.admin)).map((view: { name: string }) => view.name)).toEqual([
    'Second',
    'Third',
  ]);
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
