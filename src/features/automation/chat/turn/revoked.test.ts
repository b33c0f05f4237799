// A turn ends with the standing of whoever drives it: looked up before every act, and while the model still speaks.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { endOf, openChatApp, stream, type ChatApp } from '../../../../../test/support/chat.ts';
import type { PersonClient, TestApp, TokenClient } from '../../../../../test/support/app.ts';
import type { ModelStub } from '../../../../../test/support/model.ts';

let desk: ChatApp;
let app: TestApp;
let model: ModelStub;

beforeAll(async () => {
  desk = await openChatApp();
  ({ app, model } = desk);
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});
afterAll(() => desk[Symbol.asyncDispose]());
beforeEach(() => {
  model.next.length = 0;
  model.asked.length = 0;
});

const ACTS = 100;
const many = {
  calls: Array.from({ length: ACTS }, (_, n) => ({
    name: 'work_create',
    input: { project: 'OUT', title: `Card ${n}` },
  })),
};

/** Acts of the turn by when they began: before the revocation was answered, and after it. */
async function actsAround(who: PersonClient | TokenClient, revoke: () => Promise<{ status: number }>) {
  const first = await app.sql`select 1 from work_items`;
  model.next.length = 0;
  model.next.push(many, { text: 'All done.' });
  const turn = stream(app, who, { message: 'Make a hundred cards' });
  await expect
    .poll(async () => (await app.sql`select 1 from work_items`).length)
    .toBeGreaterThan(first.length + 2);
  const answer = await revoke();
  expect(answer.status, JSON.stringify(answer)).toBeLessThan(300);
  const answeredAt = app.clock.now();
  const end = endOf(await turn);
  const late =
    await app.sql`select 1 from audit where act = 'item_create' and outcome = 'done' and at > ${answeredAt}`;
  return { end, late: late.length, made: (await app.sql`select 1 from work_items`).length - first.length };
}

test('hole A8, R3: a token that is deleted while its turn acts does not one act more', async () => {
  const token = await app.token({ name: 'busy' });
  const { end, late, made } = await actsAround(token, () =>
    app.admin.rest('DELETE', `/api/admin/tokens/${token.id}`),
  );
  expect([end.state, late]).toEqual(['stopped', 0]);
  expect(made).toBeLessThan(ACTS);
  expect(end.sentence).toContain('the person who started this turn signed out or lost access');
  expect(model.asked).toHaveLength(1);
});

test('hole A8, R3: nor does a user who is disabled, nor one who signs out', async () => {
  for (const [name, revoke] of [
    ['Dan Dee', (dan: PersonClient) => app.admin.rest('POST', `/api/admin/users/${dan.id}/disable`, {})],
    ['Eve Roe', (eve: PersonClient) => eve.rest('POST', '/api/auth/logout', {})],
  ] as const) {
    const person = await app.person({ name });
    const { end, late, made } = await actsAround(person, () => revoke(person));
    expect([end.state, late]).toEqual(['stopped', 0]);
    expect(made).toBeLessThan(ACTS);
  }
});

test('hole A8, R3: a policy that is taken away ends what it allowed at the next act', async () => {
  const made = await app.admin.rest('POST', '/api/admin/policies', {
    name: 'cards',
    version: 1,
    statements: [{ effect: 'allow', actions: ['work.*', 'chat.create', 'inbox.thread.*'], resources: ['*'] }],
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const token = await app.token({ mode: 'service', policies: ['cards'] });
  const narrowed = await actsAround(token, () =>
    app.admin.rest('PATCH', '/api/admin/policies/cards', {
      version: 1,
      statements: [{ effect: 'allow', actions: ['chat.create', 'inbox.thread.*'], resources: ['*'] }],
    }),
  );
  expect([narrowed.end.state, narrowed.late]).toEqual(['done', 0]);
  expect(JSON.stringify(model.asked.at(-1)?.body.messages.at(-1))).toContain('work.item.create');
});

test('hole A8, R3: whoever may talk to no agent any more is not worked for any more', async () => {
  await app.admin.rest('POST', '/api/admin/policies', {
    name: 'talks',
    version: 1,
    statements: [{ effect: 'allow', actions: ['work.*', 'chat.create', 'inbox.thread.*'], resources: ['*'] }],
  });
  const token = await app.token({ mode: 'service', policies: ['talks'] });
  const { end, late } = await actsAround(token, () =>
    app.admin.rest('PATCH', '/api/admin/policies/talks', {
      version: 1,
      statements: [{ effect: 'allow', actions: ['work.*'], resources: ['*'] }],
    }),
  );
  expect([end.state, late]).toEqual(['stopped', 0]);
});

test('hole A8, R3: a model that is still speaking is hung up on as soon as the caller is gone', async () => {
  const token = await app.token({ name: 'listening' });
  model.next.push({ hangs: 'Let me think' });
  const turn = stream(app, token, { message: 'Think' });
  await expect.poll(() => model.asked.length).toBe(1);
  await expect
    .poll(async () => (await app.sql`select 1 from chat_turns where text = 'Let me think'`).length)
    .toBe(1);
  const left = model.left();
  await app.admin.rest('DELETE', `/api/admin/tokens/${token.id}`);
  const began = performance.now();
  const end = endOf(await turn);
  expect(performance.now() - began).toBeLessThan(2_500);
  expect(end).toMatchObject({
    state: 'stopped',
    sentence: expect.stringContaining('the person who started this turn'),
  });
  await expect.poll(() => model.left()).toBe(left + 1);
});
