// Owns for whom an agent acts, through the entry points: wherever a principal is named, the person behind an agent's token is too.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  approvalOf,
  decide,
  move,
  newItem,
  newProject,
  parkedBy,
  read,
} from '../../../../test/support/board.ts';
import {
  openTestApp,
  type PersonClient,
  type TestApp,
  type TokenClient,
} from '../../../../test/support/app.ts';

let app: TestApp;
let dana: PersonClient;
let ben: PersonClient;
let scout: TokenClient;
let robot: TokenClient;

beforeAll(async () => {
  app = await openTestApp();
  dana = await app.person({ name: 'Dana Roe' });
  ben = await app.person({ name: 'Ben Low' });
  scout = await app.token({ name: 'scout', user_id: dana.id });
  const made = await app.admin.rest('POST', '/api/admin/policies', {
    name: 'work-board',
    version: 1,
    statements: [{ effect: 'allow', actions: ['work.*'], resources: ['work:*'] }],
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  robot = await app.token({ name: 'robot', mode: 'service', policies: ['work-board'] });
});
afterAll(() => app.close());

const agent = () => ({
  kind: 'agent',
  id: scout.id,
  name: 'scout',
  on_behalf_of: { kind: 'person', id: dana.id, name: 'Dana Roe' },
});
const service = () => ({ kind: 'service', id: robot.id, name: 'robot' });
const person = () => ({ kind: 'person', id: dana.id, name: 'Dana Roe' });

test('the author, the assignee and the holder of an item', async () => {
  const { key } = await newProject(app);
  const mine = await newItem(scout, key, { assignee: 'me', status: 'todo' });
  await scout.tool('work_claim', { item_id: mine.id });
  expect(await read(ben, mine)).toMatchObject({
    author: agent(),
    assignee: agent(),
    claim: { holder: agent() },
  });
  const { columns } = (await ben.rest('GET', `/api/work/projects/${key}/board`)).body;
  expect(columns[1].cards).toMatchObject([{ assignee: agent(), claim: { holder: agent() } }]);
  const given = await newItem(ben, key, { assignee: scout.id });
  expect(given.assignee).toEqual(agent());
  const other = await newItem(robot, key, { assignee: 'me' });
  expect([other.author, other.assignee]).toEqual([service(), service()]);
  expect((await newItem(dana, key)).author).toEqual(person());
});

test('giving an agent what it has already is no change', async () => {
  const { key } = await newProject(app);
  const item = await newItem(scout, key, { assignee: 'me' });
  const again = await ben.rest('PATCH', `/api/work/items/${item.id}`, { revision: 1, assignee: scout.id });
  expect(again.body.item.revision).toBe(1);
});

test('who wrote a comment and who changed what', async () => {
  const { key } = await newProject(app);
  const item = await newItem(dana, key);
  await scout.tool('work_comment', { item_id: item.id, text: 'Ready.' });
  await scout.tool('work_move', { item_id: item.id, status: 'todo' });
  await dana.rest('POST', `/api/work/items/${item.id}/comments`, { text: 'Thank you.' });
  const list = async (of: string) => (await ben.rest('GET', `/api/work/items/${item.id}/${of}`)).body.items;
  expect((await list('comments')).map((it: { author: unknown }) => it.author)).toEqual([agent(), person()]);
  expect((await list('history')).map((it: { by: unknown }) => it.by)).toEqual([agent()]);
});

test('who wrote what waits, who asked for its review and who took it out again; asked again after a change too', async () => {
  const { key } = await newProject(app);
  const { item, approval_id } = await parkedBy(scout, key);
  expect(await approvalOf(ben, approval_id)).toMatchObject({
    author: agent(),
    requested_by: agent(),
    decided_by: null,
  });
  const changed = await ben.rest('PATCH', `/api/work/items/${item.id}`, {
    revision: item.revision,
    title: 'Other',
  });
  const next = changed.body.item.approval_id;
  expect(await approvalOf(ben, next)).toMatchObject({ author: agent(), requested_by: agent() });
  await scout.tool('work_move', { item_id: item.id, status: 'todo' });
  expect((await approvalOf(ben, next)).decided_by).toEqual(agent());
});

test('a returned item goes back to the agent with its person, and a decision is a person’s own', async () => {
  const { key } = await newProject(app);
  const { item, approval_id } = await parkedBy(scout, key);
  const returned = await decide(ben, approval_id, 'return', { note: 'Two are missing.' });
  expect(returned.body.approval.decided_by).toEqual({ kind: 'person', id: ben.id, name: 'Ben Low' });
  expect((await read(ben, item)).assignee).toEqual(agent());
});

test('those whom an item can be given to, without the tokens of people who left', async () => {
  const gone = await app.person({ name: 'Gone Away' });
  const theirs = await app.token({ name: 'ghost', user_id: gone.id });
  const { key } = await newProject(app);
  await newItem(theirs, key);
  const workers = async () => (await ben.rest('GET', '/api/work/assignees?limit=200')).body.items;
  expect(await workers()).toEqual(expect.arrayContaining([agent(), service(), person()]));
  expect(await workers()).toContainEqual(expect.objectContaining({ id: theirs.id }));
  const left = await app.admin.rest('POST', `/api/admin/users/${gone.id}/disable`);
  expect(left.status, JSON.stringify(left.body)).toBe(200);
  expect(await workers()).not.toContainEqual(expect.objectContaining({ id: theirs.id }));
  const refused = await ben.rest('POST', '/api/work/items', {
    project: key,
    title: 'x',
    assignee: theirs.id,
  });
  expect(refused.status).toBe(400);
});

test('what was ever decided about one item is listed by the item, newest first, on the boards one sees', async () => {
  const { key } = await newProject(app);
  const { item, approval_id } = await parkedBy(scout, key);
  await parkedBy(scout, key);
  await decide(ben, approval_id, 'return', { note: 'Two are missing.' });
  const again = (await move(dana, item, 'in_review')).body.approval_id;
  const list = async (who: PersonClient, more: string) =>
    (await who.rest('GET', `/api/approvals?subject=${item.id}${more}`)).body;
  const all = await list(dana, '&state=any');
  expect(all.items).toMatchObject([
    { id: again, state: 'pending' },
    { id: approval_id, state: 'returned', note: 'Two are missing.' },
  ]);
  const first = await list(dana, '&state=any&limit=1');
  const second = await list(dana, `&state=any&limit=1&cursor=${first.next_cursor}`);
  expect([first.items[0].id, second.items[0].id, second.next_cursor]).toEqual([again, approval_id, null]);
  expect((await list(dana, '')).items).toMatchObject([{ id: again }]);
  const eve = await app.person({ name: 'Eve', projects: [] });
  expect((await list(eve, '&state=any')).items).toEqual([]);
});
