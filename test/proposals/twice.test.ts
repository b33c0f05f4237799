// Calls that come twice: an agent whose connection broke sends its call again, and nothing is done twice.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newItem, newProject } from '../support/board.ts';
import { openTestApp, type TestApp, type TokenClient } from '../support/app.ts';

let app: TestApp;
let agent: TokenClient;
let project: string;

beforeAll(async () => {
  app = await openTestApp();
  agent = await app.token({ name: 'scout' });
  project = (await newProject(app)).key;
});
afterAll(() => app.close());

const cards = async (title: string): Promise<number> =>
  (await app.sql`select 1 from work_items where title = ${title}`).length;

test('an equal call within ten minutes is the same one, unless it says that it is not', async () => {
  const card = { project, title: 'Call the yard' };
  const first = (await agent.tool('work_create', card)).json;
  // In any order of its arguments.
  const second = (await agent.tool('work_create', { title: card.title, project })).json;
  expect([second.item.id, second.repeated, first.repeated]).toEqual([first.item.id, true, undefined]);
  expect(await cards(card.title)).toBe(1);
  expect((await agent.tool('work_create', { ...card, again: true })).json.repeated).toBeUndefined();
  expect(await cards(card.title)).toBe(2);
  const other = await app.token({ name: 'other' });
  expect((await other.tool('work_create', card)).json.repeated).toBeUndefined();
  app.clock.advance(11 * 60_000);
  expect((await agent.tool('work_create', card)).json.repeated).toBeUndefined();
  expect(await cards(card.title)).toBe(4);
});

test('a key names a call of any tool that writes, and of a request', async () => {
  const item = await newItem(app.admin, project);
  const change = { item_id: item.id, revision: item.revision, title: 'Renamed', key: 'one' };
  const first = (await agent.tool('work_update', change)).json;
  const again = (await agent.tool('work_update', change)).json;
  expect([again.item.revision, again.repeated]).toEqual([first.item.revision, true]);
  const other = await agent.tool('work_update', { ...change, title: 'Renamed again' });
  expect([other.isError, other.text]).toEqual([
    true,
    expect.stringContaining('already used for another call'),
  ]);
  const request = {
    method: 'POST',
    path: '/api/work/items',
    body: { project, title: 'By a request' },
    key: 'two',
  };
  const one = (await agent.tool('api_request', request)).json;
  const two = (await agent.tool('api_request', request)).json;
  expect([two.item.id, two.repeated]).toEqual([one.item.id, true]);
  expect(await cards('By a request')).toBe(1);
  expect((await agent.tool('work_move', { item_id: item.id, status: 'todo', key: 'ä' })).text).toContain(
    'key: 1 to 200',
  );
});

test('what is refused may be sent again, and calls at once make one', async () => {
  const card = { project: 'NONE', title: 'Elsewhere' };
  expect((await agent.tool('work_create', card)).isError).toBe(true);
  expect((await agent.tool('work_create', card)).isError).toBe(true);
  const calls = Array.from({ length: 20 }, () =>
    agent.tool('work_create', { project, title: 'All at once' }),
  );
  const made = await Promise.all(calls);
  expect(new Set(made.map(({ json }) => json.item.id)).size).toBe(1);
  expect(made.filter(({ json }) => json.repeated !== true)).toHaveLength(1);
  expect(await cards('All at once')).toBe(1);
});
