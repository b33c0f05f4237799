// Owns finding and reading through the entry points: search, the board, comments, and who sees what of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decide, move, newItem, newProject, sentence } from '../../../../../test/support/board.ts';
import {
  openTestApp,
  type PersonClient,
  type TestApp,
  type TokenClient,
} from '../../../../../test/support/app.ts';

let app: TestApp;
let dana: PersonClient;
let scout: TokenClient;

beforeAll(async () => {
  app = await openTestApp();
  dana = await app.person({ name: 'Dana Roe' });
  scout = await app.token({ name: 'scout', user_id: dana.id });
});
afterAll(() => app.close());

describe('finding and reading', () => {
  test('search goes by project, status, assignee, label, words and key, newest change first, in pages', async () => {
    const { key, id } = await newProject(app);
    const first = await newItem(dana, key, {
      title: 'Call the Über-Kunden',
      labels: ['calls'],
      status: 'todo',
    });
    const second = await newItem(dana, key, { title: 'Write a letter' });
    const third = await newItem(dana, key, { title: 'Write two letters', assignee: dana.id });
    const found = async (query: string) =>
      (await dana.rest('GET', `/api/work/items?project=${key}${query}`)).body.items.map(
        (it: { id: string }) => it.id,
      );
    expect(await found('')).toEqual([third.id, second.id, first.id]);
    expect(await found('&status=todo')).toEqual([first.id]);
    expect(await found('&label=calls')).toEqual([first.id]);
    expect(await found('&assignee=me')).toEqual([third.id]);
    expect(await found('&assignee=none')).toEqual([second.id, first.id]);
    expect(await found('&query=writ%20lett')).toEqual([third.id, second.id]);
    expect(await found(`&query=${encodeURIComponent('ÜBER')}`)).toEqual([first.id]);
    expect(await found(`&query=${second.key.toLowerCase()}`)).toEqual([second.id]);
    expect(await found('&query=%21%21')).toEqual([]);
    const byId = (await scout.tool('work_search', { project: id, limit: 2 })).json;
    const rest = (await scout.tool('work_search', { project: id, limit: 2, cursor: byId.next_cursor })).json;
    expect([...byId.items, ...rest.items].map((it: { id: string }) => it.id)).toEqual([
      third.id,
      second.id,
      first.id,
    ]);
    expect(rest.next_cursor).toBeNull();
    expect((await dana.rest('GET', '/api/work/items?cursor=nonsense')).status).toBe(400);
  });

  test('a list goes by priority, and by one whole key in any letter case, on the boards one sees', async () => {
    const [{ key }, other] = [await newProject(app), await newProject(app)];
    const urgent = await newItem(dana, key, { priority: 'urgent', title: 'About OUT-1' });
    const plain = await newItem(dana, key);
    await newItem(dana, other.key, { priority: 'urgent' });
    const keys = async (who: PersonClient, query: string): Promise<unknown> => {
      const { status, body } = await who.rest('GET', `/api/work/items?${query}`);
      return status === 200 ? body.items.map((it: { key: string }) => it.key) : status;
    };
    expect(await keys(dana, `project=${key}&priority=urgent`)).toEqual([urgent.key]);
    expect(await keys(dana, `project=${key}&priority=low`)).toEqual([]);
    expect(await keys(dana, `project=${key}&priority=asap`)).toBe(400);
    expect(await keys(dana, `key=${plain.key.toLowerCase()}`)).toEqual([plain.key]);
    expect(await keys(dana, `key=${key}-3`)).toEqual([]);
    expect(await keys(dana, `key=${key}-`)).toBe(400);
    expect(await keys(dana, `project=${other.key}&key=${plain.key}`)).toEqual([]);
    const eve = await app.person({ name: 'Eve', projects: [other.key] });
    expect(await keys(eve, `key=${plain.key}`)).toEqual([]);
  });

  test('projects are listed with how many items are in each column', async () => {
    const [busy, empty] = [await newProject(app), await newProject(app)];
    await newItem(dana, busy.key);
    await newItem(dana, busy.key, { status: 'todo' });
    await move(dana, await newItem(dana, busy.key), 'in_review');
    await move(dana, await newItem(dana, busy.key), 'in_review');
    const { items } = (await dana.rest('GET', '/api/work/projects?limit=200')).body;
    const counts = ({ id }: { id: string }) => items.find((it: { id: string }) => it.id === id)?.counts;
    const none = { backlog: 0, todo: 0, in_progress: 0, in_review: 0, done: 0, cancelled: 0 };
    expect(counts(busy)).toEqual({ ...none, backlog: 1, todo: 1, in_review: 2 });
    expect(counts(empty)).toEqual(none);
  });

  test('a card says whether it needs a review, on boards and in lists', async () => {
    const { key } = await newProject(app);
    const item = await newItem(dana, key, { needs_review: true });
    const { columns } = (await dana.rest('GET', `/api/work/projects/${key}/board`)).body;
    expect(columns[0].cards).toMatchObject([{ id: item.id, needs_review: true }]);
    expect((await dana.rest('GET', `/api/work/items?key=${item.key}`)).body.items).toMatchObject([
      { id: item.id, needs_review: true },
    ]);
  });

  test('an item is made where it was asked for, and else at the end of its column', async () => {
    const { key } = await newProject(app);
    const first = await newItem(dana, key);
    const last = await newItem(dana, key);
    const above = await newItem(dana, key, { position: first.position - 1 });
    const { columns } = (await dana.rest('GET', `/api/work/projects/${key}/board`)).body;
    expect(columns[0].cards.map((card: { id: string }) => card.id)).toEqual([above.id, first.id, last.id]);
  });

  test('a board has its columns in order, titled as the project says, and is a readable resource', async () => {
    const { key } = await newProject(app, { column_titles: { todo: 'Up next' } });
    const item = await newItem(dana, key, { status: 'todo', description: 'not on a card' });
    const { body } = await dana.rest('GET', `/api/work/projects/${key.toLowerCase()}/board`);
    expect(body.columns.map((c: { status: string }) => c.status)).toEqual([
      'backlog',
      'todo',
      'in_progress',
      'in_review',
      'done',
      'cancelled',
    ]);
    expect(body.columns[1]).toMatchObject({
      title: 'Up next',
      count: 1,
      more: 0,
      cards: [{ id: item.id, key: item.key, claim: null, approval_id: null }],
    });
    expect(body.columns[1].cards[0]).not.toHaveProperty('description');
    const resource = await scout.rpc('resources/read', { uri: `service://work/${key}/board` });
    expect(JSON.parse(resource.result.contents[0].text)).toEqual(body);
  });

  test('a board of thousands of cards stays whole under 48,000 characters and says what it left out', async () => {
    const { key, id } = await newProject(app);
    await app.sql`
      insert into work_items (id, project_id, number, title, status, priority, author_kind, author_id, author_name, needs_review, position, created_at, updated_at, search)
      select gen_random_uuid(), ${id}, n, 'A card with a title as people write it, number ' || n, 'todo', 'none', 'person', 'x', 'X', false, n, now(), now(), ''
      from generate_series(1, 3000) n`;
    await app.sql`update work_projects set next_number = 3001 where id = ${id}`;
    const late = await newItem(dana, key, { title: 'in progress' });
    await move(dana, late, 'in_progress');
    const { body } = await dana.rest('GET', `/api/work/projects/${key}/board`);
    expect(JSON.stringify(body).length).toBeLessThan(48_000);
    expect(body.columns[2].cards).toHaveLength(1);
    expect(body.columns[1].cards.length + body.columns[1].more).toBe(3000);
    const page = await scout.tool('work_search', { project: key, limit: 200 });
    expect(page.text.length).toBeLessThan(48_000);
    expect(page.json.next_cursor).not.toBeNull();
  });
});

describe('comments', () => {
  test('whoever wrote a comment edits it; they or an administrator in person delete it', async () => {
    const { key } = await newProject(app);
    const item = await newItem(dana, key);
    const { comment } = (await scout.tool('work_comment', { item_id: item.id, text: 'Ready.' })).json;
    const path = `/api/work/items/${item.id}/comments/${comment.id}`;
    expect((await dana.rest('PATCH', path, { text: 'Not ready.' })).status).toBe(403);
    expect((await dana.rest('DELETE', path)).status).toBe(403);
    const edited = await scout.tool('api_request', { method: 'PATCH', path, body: { text: 'Ready now.' } });
    expect(edited.json.comment).toMatchObject({ text: 'Ready now.', edited_at: expect.any(String) });
    expect((await app.admin.rest('DELETE', path)).status).toBe(200);
    expect((await dana.rest('GET', `/api/work/items/${item.id}/comments`)).body.items).toEqual([]);
  });
});

describe('who sees what', () => {
  const NO_ITEM = 'no work item on your board has that id: work_search searches items';

  test('a project that is not on a board is not there, for items, lists, boards and approvals alike', async () => {
    const [mine, theirs] = [await newProject(app), await newProject(app)];
    const eve = await app.person({ name: 'Eve', projects: [mine.key] });
    const hidden = await newItem(dana, theirs.key);
    const shown = await newItem(dana, mine.key);
    const { approval_id } = (await move(dana, hidden, 'in_review')).body;
    const paths = [
      `/api/work/items/${hidden.id}`,
      `/api/work/projects/${theirs.key}`,
      `/api/work/projects/${theirs.id}/board`,
      `/api/approvals/${approval_id}`,
    ];
    for (const path of paths) expect((await eve.rest('GET', path)).status, path).toBe(404);
    expect((await eve.rest('GET', '/api/work/items')).body.items.map((it: { id: string }) => it.id)).toEqual([
      shown.id,
    ]);
    expect(
      (await eve.rest('GET', '/api/work/projects')).body.items.map((p: { key: string }) => p.key),
    ).toEqual([mine.key]);
    expect((await eve.rest('GET', '/api/approvals')).body.items).toEqual([]);
    expect((await move(eve, hidden, 'done')).status).toBe(404);
    expect((await decide(eve, String(approval_id), 'approve')).status).toBe(404);
  });

  test('policies narrow by project and by item, and a deny on one item hides it everywhere', async () => {
    const [open, closed] = [await newProject(app), await newProject(app)];
    const [seen, denied] = [await newItem(dana, open.key), await newItem(dana, open.key)];
    const outside = await newItem(dana, closed.key);
    const made = await app.admin.rest('POST', '/api/admin/policies', {
      name: 'one-project',
      version: 1,
      statements: [
        { effect: 'allow', actions: ['work.item.read'], resources: [`work:project/${open.key}`] },
        { effect: 'deny', actions: ['work.item.*'], resources: [`work:item/${denied.id}`] },
      ],
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const reader = await app.token({ name: 'reader', mode: 'service', policies: ['one-project'] });
    expect(
      (await reader.rest('GET', '/api/work/items')).body.items.map((it: { id: string }) => it.id),
    ).toEqual([seen.id]);
    expect((await reader.tool('work_get', { item_id: seen.id })).isError).toBe(false);
    for (const item of [denied, outside])
      expect((await reader.tool('work_get', { item_id: item.id })).text).toBe(NO_ITEM);
    const board = (await reader.rest('GET', `/api/work/projects/${open.key}/board`)).body;
    expect(board.columns[0].cards.map((c: { id: string }) => c.id)).toEqual([seen.id]);
    expect(board.columns[0]).toMatchObject({ count: 1, more: 0 });
    expect((await reader.tool('work_move', { item_id: seen.id, status: 'todo' })).text).toMatch(
      /^no policy lets "reader" do work\.item\.move/,
    );
  });

  test('a project that no statement lets the caller read is absent, and one they may read is named by the refusal', async () => {
    const [open, closed] = [await newProject(app), await newProject(app)];
    const [seen, hidden] = [await newItem(dana, open.key), await newItem(dana, closed.key)];
    const { approval_id } = (await move(dana, hidden, 'in_review')).body;
    const resources = [`work:project/${open.key}`];
    await app.admin.rest('POST', '/api/admin/policies', {
      name: 'one-seen',
      version: 1,
      statements: [
        { effect: 'allow', actions: ['work.*.read', 'approval.read'], resources },
        {
          effect: 'allow',
          actions: ['work.item.move', 'work.project.write'],
          resources: ['work:project/NONE'],
        },
      ],
    });
    const reader = await app.token({ name: 'reader', mode: 'service', policies: ['one-seen'] });
    const nothing = '0198c0de-0000-7000-8000-00000000dead';
    const said = async (method: string, path: string, body?: unknown) => {
      const answer = await reader.rest(method, path, body);
      return [answer.status, sentence(answer)];
    };
    for (const path of [
      (it: { item: string }) => `/api/work/items/${it.item}`,
      (it: { item: string }) => `/api/work/items/${it.item}/comments`,
      (it: { project: string }) => `/api/work/items/${it.project}`,
      (it: { project: string }) => `/api/work/projects/${it.project}`,
      (it: { project: string }) => `/api/work/projects/${it.project}/board`,
      (it: { project: string }) => `/api/work/items?project=${it.project}`,
      (it: { approval: string }) => `/api/approvals/${it.approval}`,
    ]) {
      const absent = await said('GET', path({ item: nothing, project: nothing, approval: nothing }));
      expect(absent[0]).toBe(404);
      const there = { item: hidden.id, project: closed.id, approval: String(approval_id) };
      expect(await said('GET', path(there)), path(there)).toEqual(absent);
    }
    const moved = (id: string) => said('POST', `/api/work/items/${id}/move`, { status: 'todo' });
    expect(await moved(hidden.id)).toEqual([404, NO_ITEM]);
    expect((await moved(seen.id))[0]).toBe(403);
    expect((await moved(seen.id))[1]).toMatch(
      `no policy lets "reader" do work.item.move on work:project/${open.key}`,
    );
    expect(await moved(open.id)).toEqual([400, 'item_id must be a work item uuid']);
    const renamed = (id: string) => said('PATCH', `/api/work/projects/${id}`, { revision: 1, name: 'Mine' });
    expect((await renamed(closed.id))[0]).toBe(404);
    expect((await renamed(open.id))[0]).toBe(403);
  });

  test('a project is made and changed by administrators, against its revision', async () => {
    expect((await dana.rest('POST', '/api/work/projects', { key: 'DANA', name: 'Mine' })).status).toBe(403);
    const { key, revision } = await newProject(app, { lead: dana.id, members: [dana.id] });
    expect((await app.admin.rest('POST', '/api/work/projects', { key, name: 'Again' })).status).toBe(409);
    const change = (more: object) =>
      app.admin.rest('PATCH', `/api/work/projects/${key}`, { revision, ...more });
    expect(
      (await change({ name: 'Renamed', column_titles: { done: 'Shipped' } })).body.project,
    ).toMatchObject({ name: 'Renamed', revision: 2, lead: dana.id, members: [dana.id] });
    expect(sentence(await change({ name: 'Again' }))).toBe(
      `project ${key} changed since you read it: the current revision is 2. Re-read it and retry against that.`,
    );
    expect(
      (
        await app.admin.rest('PATCH', `/api/work/projects/${key}`, {
          revision: 2,
          members: [app.admin.id, '0198c0de-0000-7000-8000-00000000dead'],
        })
      ).body.error.details.fields,
    ).toEqual({ members: 'members: no user has that id' });
  });
});
