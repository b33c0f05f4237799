// What an agent reads with a card: its last comments, what its claim comes to, the claim it has already, and none after parking.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newItem, newProject, read } from '../../../../test/support/board.ts';
import { openTestApp, type TestApp, type TokenClient } from '../../../../test/support/app.ts';

let app: TestApp;
let scout: TokenClient;
beforeAll(async () => {
  app = await openTestApp();
  scout = await app.token({ name: 'scout' });
});
afterAll(() => app?.close());

test('a card that is read or claimed carries its last five comments, long ones cut, and how many there are', async () => {
  const { key } = await newProject(app);
  const item = await newItem(app.admin, key, { status: 'todo' });
  for (const text of ['1', '2', '3', '4', '5', 'x'.repeat(3_000)])
    await app.admin.rest('POST', `/api/work/items/${item.id}/comments`, { text });
  for (const answer of [
    (await scout.tool('work_get', { item_id: item.id })).json,
    (await scout.tool('work_claim', { item_id: item.id })).json,
  ]) {
    expect(answer.comment_count).toBe(6);
    const texts = answer.comments.map(({ text }: { text: string }) => text);
    expect(texts.slice(0, 4)).toEqual(['2', '3', '4', '5']);
    expect(texts[4]).toBe(`${'x'.repeat(1_000)} […]`);
  }
});

test('a claim says until when it lasts, and that the card stays in its column', async () => {
  const { key } = await newProject(app);
  const item = await newItem(app.admin, key, { status: 'todo' });
  const { item: claimed, says } = (await scout.tool('work_claim', { item_id: item.id })).json;
  expect(claimed.status).toBe('todo');
  expect(says).toMatch(
    new RegExp(
      `^${item.key} is yours until \\d\\d:\\d\\dZ\\. A claim doesn’t move a card, so it stays in todo: move it to in_progress when you start\\.$`,
    ),
  );
});

test('claiming in a project gives the claim that the caller has there, unless another is asked for', async () => {
  const { key, id } = await newProject(app);
  const one = await newItem(app.admin, key, { status: 'todo', priority: 'low' });
  const first = (await scout.tool('work_claim', { project: key })).json.item;
  const two = await newItem(app.admin, key, { status: 'todo', priority: 'urgent' });
  const again = (await scout.tool('work_claim', { project: key })).json.item;
  expect([first.id, again.id]).toEqual([one.id, one.id]);
  const more = await scout.rest('POST', `/api/work/projects/${id}/claim-next`, { another: true });
  expect(more.body.item.id).toBe(two.id);
  // Another worker has none there.
  const other = await app.token({ name: 'other' });
  expect((await other.tool('work_claim', { project: key })).json.item).toBeNull();
});

test('a parked card is claimed by no one', async () => {
  const { key } = await newProject(app);
  const item = await newItem(scout, key, { status: 'todo' });
  await scout.tool('work_claim', { item_id: item.id });
  await scout.tool('work_move', { item_id: item.id, status: 'done' });
  expect(await read(app.admin, item)).toMatchObject({ status: 'in_review', claim: null });
});
