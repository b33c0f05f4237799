// Owns moves through the entry points: what lands, what parks, and what is told, as the specification says it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventsOf, move, newItem, newProject, sentence } from '../../../../../test/support/board.ts';
import {
  openTestApp,
  type PersonClient,
  type TestApp,
  type TokenClient,
} from '../../../../../test/support/app.ts';

let app: TestApp;
let dana: PersonClient;
let scout: TokenClient;
let other: TokenClient;

beforeAll(async () => {
  app = await openTestApp();
  dana = await app.person({ name: 'Dana Roe' });
  scout = await app.token({ name: 'scout', user_id: dana.id });
  other = await app.token({ name: 'other', mode: 'service', policies: ['work-agent'] });
});
afterAll(() => app.close());

describe('moves', () => {
  test("an agent's move to done parks the item, with a non-null approval_id and the event once", async () => {
    const { key, id } = await newProject(app);
    const item = await newItem(scout, key);
    const first = await scout.tool('work_move', { item_id: item.id, status: 'done' });
    expect(first.json).toMatchObject({
      item: { status: 'in_review', completed_at: null },
      approval_id: expect.any(String),
    });
    const second = await scout.tool('work_move', { item_id: item.id, status: 'done' });
    expect(second.json.approval_id).toBe(first.json.approval_id);
    const events = await eventsOf(app, item);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      event: 'work.review_parked',
      data: {
        item_id: item.id,
        project_id: id,
        title: item.title,
        approval_id: first.json.approval_id,
        moved_by: { kind: 'agent', id: scout.id, name: 'scout' },
      },
    });
    expect(Object.keys(events[0]?.data ?? {}).toSorted()).toEqual([
      'approval_id',
      'item_id',
      'moved_by',
      'project_id',
      'title',
    ]);
  });

  test("an agent's move to done parks an item that is done already", async () => {
    const { key } = await newProject(app);
    const item = await newItem(dana, key);
    expect((await move(dana, item, 'done')).body).toMatchObject({
      item: { status: 'done', completed_at: expect.any(String) },
      approval_id: null,
    });
    const parked = await scout.tool('work_move', { item_id: item.id, status: 'done' });
    expect(parked.json).toMatchObject({
      item: { status: 'in_review', completed_at: null },
      approval_id: expect.any(String),
    });
    expect(await eventsOf(app, item)).toHaveLength(1);
  });

  test("a service token's move to done on direct REST parks as well", async () => {
    const { key } = await newProject(app);
    const item = await newItem(dana, key);
    expect((await move(other, item, 'done')).body).toMatchObject({
      item: { status: 'in_review' },
      approval_id: expect.any(String),
    });
  });

  test("a person's move to done lands where no approval is required, and parks where one is", async () => {
    const { key } = await newProject(app);
    expect((await move(dana, await newItem(dana, key), 'done')).body).toMatchObject({
      item: { status: 'done' },
      approval_id: null,
    });
    const marked = await newItem(dana, key, { needs_review: true });
    const parked = await move(dana, marked, 'done');
    expect(parked.body).toMatchObject({ item: { status: 'in_review' }, approval_id: expect.any(String) });
    expect(await eventsOf(app, marked)).toHaveLength(1);
    expect((await move(app.admin, marked, 'done')).body).toMatchObject({
      item: { status: 'in_review' },
      approval_id: parked.body.approval_id,
    });
  });

  test('anyone parks by a move to in_review, without an event; out of review the approval is withdrawn', async () => {
    const { key } = await newProject(app);
    const item = await newItem(dana, key);
    const parked = await scout.tool('work_move', { item_id: item.id, status: 'in_review' });
    expect(parked.json.approval_id).not.toBeNull();
    expect(await eventsOf(app, item)).toHaveLength(0);
    const out = await move(dana, item, 'in_progress');
    expect(out.body).toMatchObject({ item: { status: 'in_progress', approval_id: null }, approval_id: null });
    const [approval] =
      await app.sql`select state, decided_by_name from approvals where id = ${parked.json.approval_id}`;
    expect(approval).toEqual({ state: 'withdrawn', decided_by_name: 'Dana Roe' });
  });

  test("what was parked by a plain move is announced when an agent's move to done finds it waiting", async () => {
    const { key } = await newProject(app);
    const item = await newItem(dana, key);
    const { approval_id } = (await move(dana, item, 'in_review')).body;
    for (let times = 0; times < 3; times += 1)
      expect((await scout.tool('work_move', { item_id: item.id, status: 'done' })).json).toMatchObject({
        item: { status: 'in_review' },
        approval_id,
      });
    expect(await eventsOf(app, item)).toHaveLength(1);
    await move(dana, item, 'todo');
    await scout.tool('work_move', { item_id: item.id, status: 'done' });
    expect(await eventsOf(app, item)).toHaveLength(2);
  });

  test('a move to the status it already has succeeds and leaves no history', async () => {
    const { key } = await newProject(app);
    const item = await newItem(dana, key);
    expect((await move(dana, item, 'backlog')).body.item).toMatchObject({
      status: 'backlog',
      revision: item.revision,
    });
    expect((await dana.rest('GET', `/api/work/items/${item.id}/history`)).body.items).toEqual([]);
  });

  test('a person takes their own item out of review and finishes it', async () => {
    const { key } = await newProject(app);
    const item = await newItem(dana, key);
    await scout.tool('work_move', { item_id: item.id, status: 'done' });
    expect((await move(dana, item, 'in_progress')).status).toBe(200);
    expect((await move(dana, item, 'done')).body).toMatchObject({
      item: { status: 'done' },
      approval_id: null,
    });
  });

  test('a note becomes a comment, and the history names every move and who made it', async () => {
    const { key } = await newProject(app);
    const item = await newItem(dana, key);
    await scout.tool('work_move', {
      item_id: item.id,
      status: 'in_progress',
      note: 'I begin with the oldest.',
    });
    const comments = await dana.rest('GET', `/api/work/items/${item.id}/comments`);
    expect(comments.body.items).toMatchObject([
      { text: 'I begin with the oldest.', author: { kind: 'agent', name: 'scout' } },
    ]);
    const history = await dana.rest('GET', `/api/work/items/${item.id}/history`);
    expect(history.body.items).toMatchObject([
      { field: 'status', from: 'backlog', to: 'in_progress', by: { kind: 'agent', name: 'scout' } },
    ]);
  });

  test("an item_id that is no UUID, or is a project's, is refused in the sentence of the specification", async () => {
    const project = await newProject(app);
    for (const item_id of ['OUT-1', project.key, project.id, '../../admin/users', ''])
      for (const tool of ['work_move', 'work_get', 'work_claim', 'work_release'])
        expect(
          await scout.tool(tool, { item_id, ...(tool === 'work_move' && { status: 'todo' }) }),
        ).toMatchObject({
          isError: true,
          text: 'item_id must be a work item uuid',
        });
    const unknown = await scout.rest('GET', '/api/work/items/0198c0de-0000-7000-8000-00000000dead');
    expect([unknown.status, sentence(unknown)]).toEqual([
      404,
      'no work item on your board has that id: work_search searches items',
    ]);
  });

  test('finished work arrives on top of its column, a queue grows at its end', async () => {
    const { key } = await newProject(app);
    const items = [
      await newItem(dana, key, { title: 'one' }),
      await newItem(dana, key, { title: 'two' }),
    ] as const;
    const titles = async (status: string) => {
      const board = (await dana.rest('GET', `/api/work/projects/${key}/board`)).body;
      return board.columns
        .find((c: { status: string }) => c.status === status)
        .cards.map((c: { title: string }) => c.title);
    };
    expect(await titles('backlog')).toEqual(['one', 'two']);
    for (const item of items) await move(dana, item, 'done');
    expect(await titles('done')).toEqual(['two', 'one']);
    await move(dana, items[0], 'done', { position: -1e6 });
    expect(await titles('done')).toEqual(['one', 'two']);
  });
});
