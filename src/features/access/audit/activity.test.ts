// What agents read is written down in batches beside what they did, and both are listed together, newest first.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newItem, newProject } from '../../../../test/support/board.ts';
import {
  openTestApp,
  type RestClient,
  type TestApp,
  type TokenClient,
} from '../../../../test/support/app.ts';
import { DAY_MS } from '../../../kernel/clock.ts';

let app: TestApp;
let agent: TokenClient;
beforeAll(async () => {
  app = await openTestApp();
  agent = await app.token({ name: 'scout' });
});
afterAll(() => app?.close());

const listed = async (query = ''): Promise<any[]> => {
  const answer = await app.admin.rest('GET', `/api/admin/activity?${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.items;
};
const READS = 'show=reads';

async function newPerson(
  by: RestClient,
  given: { name: string } = { name: 'Dana Roe' },
): Promise<{ id: string }> {
  const made = await by.rest('POST', '/api/admin/crm/people', given);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.person;
}

test('an agent’s reads are in the activity, alike ones in one row, about the thing that was read', async () => {
  const person = await newPerson(app.admin, { name: 'Dana Roe' });
  for (let n = 0; n < 3; n += 1)
    await agent.tool('api_request', { method: 'GET', path: `/api/admin/crm/people/${person.id}` });
  await agent.tool('work_search', {});
  await expect.poll(() => listed(`${READS}&actor=${agent.id}`)).toHaveLength(2);
  const [search, read] = await listed(`${READS}&actor=${agent.id}`);
  expect(search).toMatchObject({
    kind: 'read',
    act: 'item_list',
    count: 1,
    outcome: 'done',
    surface: 'mcp',
    turn: 'agent',
  });
  expect(read).toMatchObject({
    act: 'person_read',
    count: 3,
    resource: `crm:person/${person.id}`,
    record: { noun: 'person', id: person.id, title: 'Dana Roe' },
    token: { id: agent.id, name: 'scout' },
    on_behalf_of: { id: app.admin.id },
  });
  expect(await listed(`${READS}&noun=person&id=${person.id}`)).toHaveLength(1);
});

test('what a person reads is not written down', async () => {
  const ben = await app.person({ name: 'Ben Okafor' });
  await ben.rest('GET', '/api/work/projects');
  await agent.tool('api_request', { method: 'GET', path: '/api/work/projects' });
  await expect.poll(() => listed(`${READS}&act=project_list`)).toHaveLength(1);
  expect(await listed(`actor=${ben.id}`)).toEqual([]);
});

test('acts, refusals and reads are in one order, and are paged by key', async () => {
  const project = await newProject(app);
  const other = await app.token({ name: 'carrier' });
  const item = await newItem(other, project.key, { title: 'Write to Ghent' });
  await other.tool('work_get', { item_id: item.id });
  await expect.poll(() => listed(`${READS}&actor=${other.id}`)).toHaveLength(1);
  await other.tool('admin_request', {
    method: 'POST',
    path: '/api/admin/users/invite',
    body: { email: 'x@example.com' },
  });
  const all = await listed(`actor=${other.id}`);
  expect(all.map(({ act, kind, outcome }) => [act, kind, outcome])).toEqual([
    ['user_invite', 'act', 'refused'],
    ['item_get', 'read', 'done'],
    ['item_create', 'act', 'done'],
  ]);
  expect(all[2].record).toMatchObject({ noun: 'item', key: item.key, title: 'Write to Ghent' });
  const first = await app.admin.rest('GET', `/api/admin/activity?actor=${other.id}&limit=2`);
  const rest = await listed(`actor=${other.id}&limit=2&cursor=${first.body.next_cursor}`);
  expect([...first.body.items, ...rest]).toEqual(all);
  expect((await listed(`actor=${other.id}&outcome=refused`)).map(({ act }) => act)).toEqual(['user_invite']);
  const about = await listed(`noun=item&id=${item.id}`);
  expect(about.map(({ act }) => act)).toEqual(['item_get', 'item_create']);
  expect(await listed(`actor=${other.id}&to=2020-01-01`)).toEqual([]);
  expect(await listed(`actor=${other.id}&from=2020-01-01`)).toHaveLength(3);
});

test('a refused act is about what its path names, whoever was refused', async () => {
  const person = await newPerson(app.admin);
  const bare = await app.token({ name: 'bare', mode: 'service' });
  expect((await bare.rest('DELETE', `/api/admin/crm/people/${person.id}`)).status).toBe(403);
  const nobody = await app.token({ name: 'late' });
  await nobody.rest('PATCH', `/api/admin/crm/people/${person.id}`, { revision: 99, name: 'X' });
  expect(
    (await listed(`noun=person&id=${person.id}&outcome=refused`)).map(({ token }) => token.name),
  ).toEqual(['late']);
});

test('an id without its noun is refused in one sentence', async () => {
  const answer = await app.admin.rest('GET', '/api/admin/activity?id=x');
  expect(answer.status).toBe(400);
  expect(answer.body.error.message).toContain('noun');
});

test('whoever may read the log and not a person sees the act without the name', async () => {
  const person = await newPerson(app.admin, { name: 'Cleo Secret' });
  const made = await app.admin.rest('POST', '/api/admin/policies', {
    version: 1,
    name: 'auditors',
    statements: [{ effect: 'allow', actions: ['admin.audit.read'], resources: ['*'] }],
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const auditor = await app.person({ name: 'Ann', policies: ['auditors'] });
  const answer = await auditor.rest('GET', `/api/admin/activity?noun=person&id=${person.id}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body.items).toHaveLength(1);
  expect(answer.body.items[0].record).toBeNull();
  expect(JSON.stringify(answer.body)).not.toContain('Cleo');
});

test('reads are kept for 30 days', async () => {
  await agent.tool('work_search', {});
  await expect.poll(async () => (await listed(READS)).length).toBeGreaterThan(0);
  app.clock.advance(29 * DAY_MS);
  await app.instance.jobs.run('activity_expiry');
  expect((await app.sql`select from activity_reads`).length).toBeGreaterThan(0);
  app.clock.advance(2 * DAY_MS);
  await app.instance.jobs.run('activity_expiry');
  expect((await app.sql`select from activity_reads`).length).toBe(0);
});
