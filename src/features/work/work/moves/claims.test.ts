// Owns claims through the entry points: who holds a card, until when, and who takes the next one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { move, newItem, newProject, parkedBy, read } from '../../../../../test/support/board.ts';
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

describe('claims', () => {
  test('another worker is refused, naming the holder, until the lease has run out', async () => {
    const { key } = await newProject(app);
    const item = await newItem(dana, key);
    const second = await app.token({ name: 'second', user_id: dana.id });
    const before = await second.tool('work_comment', { item_id: item.id, text: 'Shall I?' });
    const mine = await scout.tool('work_claim', { item_id: item.id });
    expect(mine.json.item.claim.holder).toMatchObject({ kind: 'agent', id: scout.id, name: 'scout' });
    const held = new RegExp(`^${item.key} is held by scout \\(token\\), until \\d\\d:\\d\\dZ$`);
    expect((await other.tool('work_claim', { item_id: item.id })).text).toMatch(held);
    const refused = [
      await other.tool('work_move', { item_id: item.id, status: 'todo' }),
      await other.tool('work_update', { item_id: item.id, revision: 1, title: 'Mine now' }),
      await other.tool('work_release', { item_id: item.id }),
      await other.tool('work_comment', { item_id: item.id, text: 'May I help?' }),
    ];
    for (const answer of refused)
      expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(held) });
    const own = `/api/work/items/${item.id}/comments/${before.json.comment.id}`;
    for (const call of [{ method: 'PATCH', body: { text: 'I shall.' } }, { method: 'DELETE' }]) {
      const { text } = await second.tool('api_request', { path: own, ...call });
      expect(text).toMatch(/^HTTP 409: .* is held by scout \(token\), until/);
    }
    const comments = await dana.rest('GET', `/api/work/items/${item.id}/comments`);
    expect(comments.body.items).toMatchObject([{ text: 'Shall I?', edited_at: null }]);
    const deleted = await second.tool('api_request', {
      method: 'DELETE',
      path: `/api/work/items/${item.id}`,
    });
    expect(deleted.text).toMatch(/^HTTP 409: .* is held by scout \(token\)/);
    app.clock.advance(31 * 60_000);
    expect((await read(dana, item)).claim).toBeNull();
    expect((await other.tool('work_claim', { item_id: item.id })).json.item.claim.holder.name).toBe('other');
  });

  test('claiming again, and any write of the holder, renews the lease', async () => {
    const { key } = await newProject(app);
    const item = await newItem(dana, key);
    await scout.tool('work_claim', { item_id: item.id });
    for (const [tool, args] of [
      ['work_claim', {}],
      ['work_comment', { text: 'still here' }],
      ['work_move', { status: 'in_progress' }],
      ['work_update', { revision: 2, title: 'Write to eleven' }],
    ] as const) {
      app.clock.advance(20 * 60_000);
      expect((await scout.tool(tool, { item_id: item.id, ...args })).isError).toBe(false);
    }
    const { claim } = await read(dana, item);
    expect(new Date(claim?.expires_at ?? 0).getTime() - app.clock.now().getTime()).toBeGreaterThan(
      29 * 60_000,
    );
    const history = (await dana.rest('GET', `/api/work/items/${item.id}/history`)).body.items;
    expect(history.filter((c: { field: string }) => c.field === 'claim')).toHaveLength(1);
  });

  test('a person is not stopped by a claim, and may break one, which the audit log says', async () => {
    const { key } = await newProject(app);
    const item = await newItem(dana, key);
    await scout.tool('work_claim', { item_id: item.id });
    expect((await dana.rest('POST', `/api/work/items/${item.id}/claim`, {})).status).toBe(409);
    expect(
      (await dana.rest('PATCH', `/api/work/items/${item.id}`, { revision: 1, priority: 'high' })).status,
    ).toBe(200);
    const comments = `/api/work/items/${item.id}/comments`;
    expect((await dana.rest('POST', comments, { text: 'How is it?' })).status).toBe(201);
    const byAgent = await other.rest('POST', `/api/work/items/${item.id}/claim`, { break: true });
    expect([byAgent.status, byAgent.body.error.code]).toEqual([403, 'people_only']);
    const broken = await dana.rest('POST', `/api/work/items/${item.id}/claim`, { break: true });
    expect(broken.body.item.claim.holder).toMatchObject({ kind: 'person', id: dana.id });
    expect((await other.tool('work_claim', { item_id: item.id })).text).toMatch(
      / is held by Dana Roe \(person\), until /,
    );
    const [audit] =
      await app.sql`select principal_id from audit where act = 'item_claim' and resource = ${`work:item/${item.id}`} and principal_id = ${dana.id} and outcome = 'done'`;
    expect(audit).toBeDefined();
  });

  test("claiming the next takes the most urgent and then the oldest todo that is free, unblocked and no one else's", async () => {
    const { key } = await newProject(app);
    const todo = (title: string, more = {}) => newItem(dana, key, { title, status: 'todo', ...more });
    const blocker = await newItem(dana, key, { title: 'blocker' });
    await todo('oldest');
    await todo('blocked', { priority: 'urgent', blocked_by: [blocker.id] });
    await todo("Dana's", { priority: 'urgent', assignee: dana.id });
    await todo('urgent', { priority: 'urgent' });
    await todo('newest');
    const another = () => scout.rest('POST', `/api/work/projects/${key}/claim-next`, { another: true });
    const next = async () => (await another()).body.item?.title ?? null;
    expect([await next(), await next(), await next(), await next()]).toEqual([
      'urgent',
      'oldest',
      'newest',
      null,
    ]);
    await move(dana, blocker, 'done');
    expect(await next()).toBe('blocked');
    expect((await scout.tool('work_claim', {})).text).toMatch(/^give item_id, or give project/);
  });

  test("an agent's claim is refused while as many items wait as the project allows, and the sentence says how many", async () => {
    const { key } = await newProject(app, { review_limit: 2 });
    const free = await newItem(dana, key, { status: 'todo' });
    const held = (await scout.tool('work_claim', { item_id: (await newItem(dana, key)).id })).json.item;
    await parkedBy(scout, key);
    await parkedBy(scout, key);
    const says = `2 items of ${key} are in review and its limit is 2: a person must decide before agents claim more`;
    expect((await scout.tool('work_claim', { item_id: free.id })).text).toBe(says);
    const another = await scout.rest('POST', `/api/work/projects/${key}/claim-next`, { another: true });
    expect(another.body.error.message).toBe(says);
    expect((await scout.tool('work_claim', { item_id: held.id })).isError).toBe(false);
    expect((await dana.rest('POST', `/api/work/items/${free.id}/claim`, {})).status).toBe(200);
  });
});
