// Finding a route by words, as an agent does that has the list of tools and no API document: thirty questions in everyday words,
// and what someone is told who guessed a path or an argument.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp, type TokenClient } from '../../../../test/support/app.ts';

let app: TestApp;
let agent: TokenClient;
beforeAll(async () => {
  app = await openTestApp();
  // It may do nothing: whoever is refused an act still learns which route it is.
  agent = await app.token({ mode: 'service', policies: [] });
});
afterAll(() => app?.close());

const ASKED: [words: string, operation: string][] = [
  ['private note on a thread', 'touch_create'],
  ['letters returned in review', 'send_list'],
  ['held letters', 'send_list'],
  ['cancel a letter', 'send_cancel'],
  ['approve several letters at once', 'sends_approve'],
  ['read one letter with every gate', 'send_read'],
  ['preview a letter for one person', 'campaign_preview'],
  ['assign a conversation to a colleague', 'thread_update'],
  ['snooze a thread until next week', 'thread_update'],
  ['correct the reading of a reply', 'thread_reading'],
  ['mail that belongs to no conversation', 'quarantine_list'],
  ['saved replies', 'snippet_list'],
  ['close a deal as won', 'deal_state'],
  ['move a deal to another stage', 'deal_update'],
  ['who can a card be assigned to', 'assignee_list'],
  ['due date of a task', 'item_update'],
  ['overdue cards of a project', 'work_digest'],
  ['comment on a card', 'comment_create'],
  ['delete a work item', 'item_delete'],
  ['pause a campaign', 'campaign_pause'],
  ['is the campaign ready to start', 'campaign_preflight'],
  ['campaign metrics by day', 'outreach_stats'],
  ['change the review policy', 'campaign_review_policy'],
  ['take somebody out of a campaign', 'prospect_remove'],
  ['why was the domain paused', 'domain_evidence'],
  ['dns records to publish', 'domain_records'],
  ['stop writing to an address', 'suppression_add'],
  ['undo an import', 'import_rollback'],
  ['merge two duplicate contacts', 'person_merge'],
  ['note on a person', 'person_note'],
  ['people of a segment', 'segment_people'],
  ['what did agents do yesterday', 'activity_list'],
  ['retry a failed workflow run', 'run_retry'],
  ['invite a teammate', 'user_invite'],
  ['send a failed event again', 'events_redeliver'],
];

const routeOf = (name: string): string => {
  const op = app.instance.app.operations.find((each) => each.name === name);
  return `${op?.method} ${op?.path}`;
};

test('api_routes finds what everyday words mean among its first three, in under 1,500 characters', async () => {
  for (const [query, operation] of ASKED) {
    const { text, json } = await agent.tool('api_routes', { query });
    const found: { method: string; path: string }[] = json.routes;
    expect([query, text.length < 1_500]).toEqual([query, true]);
    const first = found.slice(0, 3).map(({ method, path }) => `${method} ${path}`);
    expect(first, query).toContain(routeOf(operation));
  }
});

test('a route comes with its arguments in one line: types, required ones marked, choices, no patterns', async () => {
  const { json } = await agent.tool('api_routes', { query: 'move a card to a column', limit: 1 });
  expect(json.routes).toEqual([
    {
      method: 'POST',
      path: '/api/work/items/:item_id/move',
      does: expect.stringContaining('Moves a work item to a column') as string,
      arguments: expect.stringContaining(
        'item_id* id, status* backlog|todo|in_progress|in_review|done|cancelled, revision int, note text',
      ) as string,
    },
  ]);
  const { json: activate } = await agent.tool('api_routes', { query: 'activate campaign', limit: 1 });
  expect(activate.routes[0]).toMatchObject({ needs: 'wire' });
  const { json: decide } = await agent.tool('api_routes', { query: 'decide an approval', limit: 1 });
  expect(decide.routes[0]).toMatchObject({ needs: 'a person' });
});

test('every argument that is required is in the line, however many routes are asked for', async () => {
  const { json } = await agent.tool('api_routes', { query: 'create', limit: 20 });
  for (const { method, path, arguments: line } of json.routes) {
    const op = app.instance.app.operations.find((each) => each.method === method && each.path === path);
    const required = Object.entries(op?.takes.shape ?? {}).filter(
      ([, each]) => !each.safeParse(undefined).success,
    );
    for (const [name] of required) expect(`${path}: ${line}`).toContain(`${name}* `);
  }
});

test('a path that no route has is told the nearest ones', async () => {
  const asked = { method: 'GET', path: '/api/admin/campaigns' };
  const { text } = await agent.tool('api_request', asked);
  expect(text).toMatch(/^HTTP 404: no route matches GET \/api\/admin\/campaigns: the nearest are /);
  expect(text).toContain('GET /api/admin/outreach/campaigns');
  expect(text.length).toBeLessThan(320);
  const { status, body } = await agent.rest('GET', '/api/threads/x/notes');
  expect([status, body.error.code]).toEqual([404, 'not_found']);
  expect(body.error.message).toContain('GET /api/threads/:thread');
  const none = await agent.rest('GET', '/api/zzz');
  expect(none.body.error.message).toContain('GET /api/routes');
});

test('an argument that is not there is answered with those that are', async () => {
  const scout = await app.token({ name: 'scout' });
  const query = { colour: 'red' };
  const { text } = await scout.tool('api_request', { method: 'GET', path: '/api/work/items', query });
  expect(text).toBe(
    'HTTP 400: there is no argument "colour" (arguments: project, status, priority, assignee, label, overdue, query, key, limit, cursor)',
  );
  const long = await scout.rest('POST', '/api/admin/outreach/campaigns', { name: 'Ropes', colour: 'red' });
  expect(long.body.error.message).toMatch(/^there is no argument "colour" \(arguments: name, .*…\d+ more\)$/);
  expect(long.body.error.message.length).toBeLessThan(300);
  expect(long.body.error.details.arguments).toContain('channel_mix');
  const tool = await scout.tool('work_search', query);
  expect(tool.text).toContain('(arguments: project, status, ');
});
