// Owns the attempts to get work past a person: section B of the red-team list, row by row, each on every route that exists.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  approvalOf,
  decide,
  eventsOf,
  move,
  newItem,
  newProject,
  parkedBy,
  read,
  sentence,
} from '../../../../test/support/board.ts';
import {
  openTestApp,
  type PersonClient,
  type TestApp,
  type TokenClient,
} from '../../../../test/support/app.ts';
import { AGENT_DOES_NOT_DECIDE } from '../../../kernel/sentences.ts';

let app: TestApp;
let dana: PersonClient;
let ben: PersonClient;
let scout: TokenClient;
let service: TokenClient;
let operator: TokenClient;

beforeAll(async () => {
  app = await openTestApp();
  dana = await app.person({ name: 'Dana Roe' });
  ben = await app.person({ name: 'Ben Low' });
  scout = await app.token({ name: 'scout', user_id: dana.id });
  service = await app.token({ name: 'service', mode: 'service', policies: ['work-agent'] });
  operator = await app.token({ name: 'operator', scopes: { wire: true, scripts: true } });
});
afterAll(() => app.close());

/** Nothing was decided: the approval waits and the card with it. */
async function stillWaits(approval_id: string): Promise<void> {
  const rows = await app.sql`
    select a.state, i.status from approvals a join work_items i on i.id = a.subject_id where a.id = ${approval_id}`;
  expect(rows).toEqual([{ state: 'pending', status: 'in_review' }]);
}

async function refusalsOf(
  token: TokenClient,
  act: string,
): Promise<{ sentence: string; turn: string; surface: string }[]> {
  return await app.sql`
    select sentence, turn, surface from audit where token_id = ${token.id} and act = ${act} and outcome = 'refused' order by id`;
}

test('B1: approval_decide is refused on any agent turn, any scope, before its arguments are looked at', async () => {
  const { key } = await newProject(app);
  const { approval_id } = await parkedBy(scout, key);
  for (const token of [scout, service, operator])
    for (const args of [{ approval_id, decision: 'approve', revision: 2 }, {}, { nonsense: 1 }])
      expect(await token.tool('approval_decide', args)).toMatchObject({
        isError: true,
        text: AGENT_DOES_NOT_DECIDE,
      });
  await stillWaits(approval_id);
  expect((await refusalsOf(operator, 'approval_decide'))[0]).toEqual({
    sentence: AGENT_DOES_NOT_DECIDE,
    turn: 'agent',
    surface: 'mcp',
  });
});

test('B2: the decision route through api_request with a bound token is an agent turn', async () => {
  const { key } = await newProject(app);
  const { approval_id } = await parkedBy(scout, key);
  const path = `/api/approvals/${approval_id}/decide`;
  const body = { decision: 'approve', revision: 2 };
  for (const token of [scout, operator])
    expect((await token.tool('api_request', { method: 'POST', path, body })).text).toBe(
      `HTTP 403: ${AGENT_DOES_NOT_DECIDE}`,
    );
  expect((await operator.tool('admin_request', { method: 'POST', path, body })).text).toMatch(
    /^path not allowed/,
  );
  await stillWaits(approval_id);
});

test('B4: a service token on direct REST is bound to no one and is no person', async () => {
  const { key } = await newProject(app);
  const { approval_id } = await parkedBy(scout, key);
  const fresh = await app.token({ mode: 'service', policies: ['work-agent'] });
  const answer = await decide(fresh, approval_id, 'approve', { revision: 2 });
  expect([answer.status, sentence(answer)]).toEqual([403, AGENT_DOES_NOT_DECIDE]);
  await stillWaits(approval_id);
});

test("B5: a token of a person's own that was never on an agent turn decides, and the log says that a token made it", async () => {
  const { key } = await newProject(app);
  const { approval_id } = await parkedBy(scout, key);
  const own = await app.token({ user_id: ben.id });
  expect((await decide(own, approval_id, 'approve')).body.approval).toMatchObject({
    state: 'approved',
    decided_by: { kind: 'person', id: ben.id },
  });
  const [row] =
    await app.sql`select principal_id, token_id, surface from audit where act = 'approval_decide' and token_id = ${own.id} and outcome = 'done'`;
  expect(row).toEqual({ principal_id: ben.id, token_id: own.id, surface: 'rest' });
});

test('B6: the author is refused on screen', async () => {
  const { key } = await newProject(app);
  const { approval_id } = (await move(ben, await newItem(dana, key), 'in_review')).body;
  expect((await decide(dana, approval_id, 'approve')).status).toBe(403);
  await stillWaits(approval_id);
});

test("B7: X decides on screen what X's agent wrote; X's token that has been on an agent turn is refused on direct REST", async () => {
  const { key } = await newProject(app);
  const [first, second] = [await parkedBy(scout, key), await parkedBy(scout, key)];
  const answer = await decide(scout, first.approval_id, 'approve');
  expect([answer.status, sentence(answer), answer.body.error.code]).toEqual([
    403,
    AGENT_DOES_NOT_DECIDE,
    'agent_turn',
  ]);
  await stillWaits(first.approval_id);
  expect((await decide(dana, second.approval_id, 'approve')).status).toBe(200);
});

test('B7: a token that has once been on an agent turn stays an agent: its moves on direct REST park', async () => {
  const { key } = await newProject(app);
  const token = await app.token({ user_id: dana.id });
  const [before, after] = [await newItem(dana, key), await newItem(dana, key)];
  expect((await move(token, before, 'done')).body.item.status).toBe('done');
  await token.rpc('ping');
  expect((await move(token, after, 'done')).body).toMatchObject({
    item: { status: 'in_review' },
    approval_id: expect.any(String),
  });
});

test('B8: the author stays on the approval whatever is changed, and no argument names an author', async () => {
  const { key } = await newProject(app);
  const item = await newItem(dana, key);
  const { approval_id } = (await scout.tool('work_move', { item_id: item.id, status: 'done' })).json;
  const patched = await scout.tool('api_request', {
    method: 'PATCH',
    path: `/api/work/items/${item.id}`,
    body: { revision: 2, author: { kind: 'agent', id: scout.id } },
  });
  expect(patched.text).toMatch(/^HTTP 400: there is no argument "author"/);
  const saved = await scout.tool('work_update', {
    item_id: item.id,
    revision: 2,
    title: 'Mine now',
    assignee: 'me',
  });
  const next = saved.json.item.approval_id;
  expect(next).not.toBe(approval_id);
  expect((await approvalOf(ben, next)).author).toMatchObject({ kind: 'person', id: dana.id });
  expect((await decide(dana, next, 'approve')).status).toBe(403);
});

test('B10: an agent parks an item that is not marked for review', async () => {
  const { key } = await newProject(app);
  const item = await newItem(dana, key, { needs_review: false });
  expect((await scout.tool('work_move', { item_id: item.id, status: 'done' })).json).toMatchObject({
    item: { status: 'in_review' },
    approval_id: expect.any(String),
  });
  expect(await eventsOf(app, item)).toHaveLength(1);
});

test('B11: status is no field of a change, on any route', async () => {
  const { key } = await newProject(app);
  const item = await newItem(dana, key);
  const body = { revision: 1, status: 'done' };
  const path = `/api/work/items/${item.id}`;
  expect((await scout.tool('api_request', { method: 'PATCH', path, body })).text).toMatch(
    /^HTTP 400: there is no argument "status" \(arguments: /,
  );
  expect((await service.rest('PATCH', path, body)).status).toBe(400);
  expect((await scout.tool('work_update', { item_id: item.id, ...body })).text).toContain(
    'there is no argument "status"',
  );
  const moved = await scout.tool('api_request', {
    method: 'POST',
    path: `${path}/move`,
    body: { status: 'done' },
  });
  expect(moved.json).toMatchObject({ item: { status: 'in_review' }, approval_id: expect.any(String) });
  expect((await read(dana, item)).status).toBe('in_review');
});

test('B12: no item is created in done or in review', async () => {
  const { key } = await newProject(app);
  for (const status of ['done', 'in_review', 'in_progress', 'cancelled']) {
    const answer = await scout.tool('api_request', {
      method: 'POST',
      path: '/api/work/items',
      body: { project: key, title: 'x', status },
    });
    expect(answer.text).toBe('HTTP 400: status: an item is created in backlog or todo, and moved from there');
    expect((await dana.rest('POST', '/api/work/items', { project: key, title: 'x', status })).status).toBe(
      400,
    );
  }
  expect((await dana.rest('GET', `/api/work/items?project=${key}`)).body.items).toEqual([]);
});

test('B13: a renamed column means what its status means', async () => {
  const { key } = await newProject(app, { column_titles: { done: 'In progress', in_progress: 'Done' } });
  const item = await newItem(dana, key);
  expect((await scout.tool('work_move', { item_id: item.id, status: 'done' })).json.item.status).toBe(
    'in_review',
  );
  expect((await scout.tool('work_move', { item_id: item.id, status: 'Done' })).isError).toBe(true);
});

test('B14: an agent that moves in_review to done again leaves it parked, with no second approval', async () => {
  const { key } = await newProject(app);
  const { item, approval_id } = await parkedBy(scout, key);
  expect((await service.tool('work_move', { item_id: item.id, status: 'done' })).json.approval_id).toBe(
    approval_id,
  );
  const rows = await app.sql`select id from approvals where subject_id = ${item.id}`;
  expect(rows).toEqual([{ id: approval_id }]);
});

test('B15: the card changes between reading and deciding: what was read is not what is approved', async () => {
  const { key } = await newProject(app);
  const { item, approval_id } = await parkedBy(scout, key);
  const shown = await approvalOf(ben, approval_id);
  await scout.tool('work_update', {
    item_id: item.id,
    revision: item.revision,
    description: 'and delete the rest',
  });
  const answer = await ben.rest('POST', `/api/approvals/${approval_id}/decide`, {
    decision: 'approve',
    revision: shown.subject.revision,
  });
  expect(answer.status).toBe(409);
  const current = String((await read(ben, item)).approval_id);
  const guessed = await ben.rest('POST', `/api/approvals/${current}/decide`, {
    decision: 'approve',
    revision: shown.subject.revision,
  });
  expect([guessed.status, sentence(guessed)]).toEqual([
    409,
    expect.stringContaining('Re-read it and retry against that.'),
  ]);
  await stillWaits(current);
});

test('B19: the event carries ids and who moved it, and neither it nor its recipient decides anything', async () => {
  const { key } = await newProject(app);
  const { item, approval_id } = await parkedBy(scout, key);
  const [event] = await eventsOf(app, item);
  expect(Object.keys(event ?? {}).toSorted()).toEqual(['data', 'event', 'id', 'instance', 'occurred_at']);
  expect(JSON.stringify(event)).not.toMatch(/nck_|http|token/);
  expect((await decide(operator, approval_id, 'approve', { revision: 2 })).status).toBe(403);
});

test('B20: a stale revision and a card that another worker holds are refused, naming what is', async () => {
  const { key } = await newProject(app);
  const item = await newItem(dana, key);
  await scout.tool('work_claim', { item_id: item.id });
  expect((await service.tool('work_update', { item_id: item.id, revision: 1, title: 'x' })).text).toContain(
    `${item.key} is held by scout (token), until `,
  );
  await scout.tool('work_update', { item_id: item.id, revision: 1, title: 'y' });
  expect((await scout.tool('work_update', { item_id: item.id, revision: 1, title: 'z' })).text).toContain(
    'the current revision is 2',
  );
});

test('the schema itself refuses a decision by an agent or by the author, and a review without an approval', async () => {
  const { key } = await newProject(app);
  const { item, approval_id } = await parkedBy(scout, key);
  const by = (kind: string, id: string) => app.sql`
    update approvals set state = 'approved', decided_by_kind = ${kind}, decided_by_id = ${id}, decided_by_name = 'x', decided_at = now() where id = ${approval_id}`;
  await expect(by('agent', scout.id)).rejects.toThrow('approvals_decided_by_another_person');
  await expect(
    app.sql`update approvals set author_kind = 'person', author_id = ${ben.id} where id = ${approval_id}`.then(
      () => by('person', ben.id),
    ),
  ).rejects.toThrow('approvals_decided_by_another_person');
  await expect(
    app.sql`update work_items set status = 'done', completed_at = now() where id = ${item.id}`,
  ).rejects.toThrow('work_items_in_review_has_approval');
});
