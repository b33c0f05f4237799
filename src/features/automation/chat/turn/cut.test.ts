// A turn's end is told as it was: an answer that was cut, broke off or was too long never looks whole, and what a model or a
// tool failed by is said in the sentence that is true.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { endOf, openChatApp, stream, type ChatApp } from '../../../../../test/support/chat.ts';
import type { TestApp } from '../../../../../test/support/app.ts';
import type { ModelStub } from '../../../../../test/support/model.ts';
import { stalledTurns } from './stalled.pass.ts';

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

const say = async (message: string, more: object = {}) =>
  endOf(await stream(app, app.admin, { message, ...more }));
const lastSaid = (): string => JSON.stringify(model.asked.at(-1)?.body.messages.at(-1));
const turnOf = async (thread_id: string) =>
  (await app.admin.rest('GET', `/api/chat/turns?thread_id=${thread_id}`)).body.items[0];

test('R2: an answer that was cut at its length says so, and does not look whole', async () => {
  model.next.push({ text: 'The first half of', ends: 'length' }, { text: 'the second half.' });
  const end = await say('Tell me all');
  expect(end).toMatchObject({ state: 'failed', text: 'The first half of' });
  expect(end.sentence).toBe(
    'the answer was cut off at 4,096 tokens, the longest that one answer can be: say "go on" to get the rest',
  );
  const next = await say('go on', { thread_id: end.thread_id });
  expect(next).toMatchObject({ state: 'done', text: 'the second half.' });
});

test('R2: calls of an answer that was cut are not done', async () => {
  const call = { name: 'work_create', input: { project: 'OUT', title: 'Half a card' } };
  model.next.push({ text: 'I make it', calls: [call], ends: 'length' });
  expect((await say('Make a card')).state).toBe('failed');
  expect(await app.sql`select 1 from work_items where title = 'Half a card'`).toHaveLength(0);
});

test('R2: an answer that the provider withheld says so', async () => {
  model.next.push({ text: 'I would', ends: 'content_filter' });
  const end = await say('Tell me');
  expect(end.state).toBe('failed');
  expect(end.sentence).toContain('withheld the rest of the answer');
});

test('R2: a model that fails by an error of its own is not said to be asked too much', async () => {
  model.next.push(...[1, 2, 3].map(() => ({ status: 500, retry_after: '0' })));
  const end = await say('Hello');
  expect(end.state).toBe('failed');
  expect(end.sentence).toMatch(
    /^OpenAI-compatible server returned an error: try again in \d+ seconds, or choose another model$/,
  );
  const calls = await app.admin.rest('POST', '/api/chat/turns', { message: 'Hello' });
  expect(calls.status).toBe(200);
});

test('R2: whoever waits for a turn is told how it ended, and a retry is a turn of its own', async () => {
  model.next.push({ breaks: 'Half of it' }, { text: 'All of it.' });
  const broke = await app.admin.rest('POST', '/api/chat/turns', { message: 'Tell me' });
  expect(broke.body).toMatchObject({
    state: 'failed',
    sentence: expect.stringContaining('stopped in the middle'),
  });
  expect(broke.body.text).toContain('Half of it');
  const { thread_id } = broke.body;
  const again = await app.admin.rest('POST', '/api/chat/turns', { message: 'Tell me', thread_id });
  expect(again.body).toMatchObject({ state: 'done', text: 'All of it.', sentence: null });
  expect(again.body.turn_id).not.toBe(broke.body.turn_id);
});

test('R2: a turn whose process was killed is stalled, and says so to whoever asks for it again', async () => {
  model.next.push({ hangs: 'Wait' });
  const asked = stream(app, app.admin, { message: 'Wait for me' }, (changes) => changes.type === 'text');
  const { thread_id, turn_id } = (await asked).changes[0] as { thread_id: string; turn_id: string };
  await app.sql`update chat_turns set beat_at = beat_at - interval '5 minutes', lease = gen_random_uuid() where id = ${turn_id}`;
  await app.instance.jobs.run(stalledTurns.name);
  expect(await turnOf(thread_id)).toMatchObject({
    state: 'stalled',
    sentence: expect.stringContaining('Say "go on"'),
  });
});

test('R10: no more than 200 kB of an answer are read and stored, and the turn says so', async () => {
  model.next.push({ text: 'wörter '.repeat(500_000) }, { text: 'Never asked.' });
  const end = await say('Tell me everything');
  expect(end.state).toBe('failed');
  expect(Buffer.byteLength(end.text)).toBeLessThanOrEqual(200_000);
  expect(Buffer.byteLength(end.text)).toBeGreaterThan(190_000);
  expect(end.sentence).toBe(
    'the answer was longer than 200 kB, and the rest was not read: ask for a shorter one',
  );
  const [row] =
    await app.sql`select octet_length(text) as text, octet_length(said::text) as said from chat_turns where id = ${end.turn_id}`;
  expect(row?.['text']).toBeLessThanOrEqual(200_000);
  expect(row?.['said']).toBeLessThan(250_000);
});

test('R10: arguments of a call count as well, and a call that was cut is not done', async () => {
  const call = {
    name: 'work_create',
    input: { project: 'OUT', title: 'Huge', description: 'x'.repeat(300_000) },
  };
  model.next.push({ calls: [call] });
  const end = await say('Make a huge card');
  expect(end.state).toBe('failed');
  expect(end.sentence).toContain('longer than 200 kB');
  expect(await app.sql`select 1 from work_items where title = 'Huge'`).toHaveLength(0);
});

test('R10: what the tools of one step gave is bounded too', async () => {
  const description = 'x'.repeat(20_000);
  const made = await app.admin.rest('POST', '/api/work/items', {
    project: 'OUT',
    title: 'Long',
    description,
  });
  const read = { name: 'work_get', input: { item_id: made.body.item.id } };
  model.next.push({ calls: Array.from({ length: 20 }, () => read) }, { text: 'Read.' });
  const end = await say('Read it twenty times');
  expect(end).toMatchObject({ state: 'done' });
  const tools = model.asked.at(-1)?.body.messages.filter(({ role }: { role: string }) => role === 'tool') as {
    content: string;
  }[];
  expect(tools).toHaveLength(20);
  expect(Buffer.byteLength(tools.map(({ content }) => content).join(''))).toBeLessThan(210_000);
  expect(tools.at(-1)?.content).toContain('call it again in the next step');
});

test('a tool that is not on the list of an agent is told from one that there is not', async () => {
  await app.admin.rest('POST', '/api/admin/agents', { name: 'Narrow', tools: ['work_search'] });
  model.next.push({ calls: [{ name: 'work_create', input: {} }] }, { text: 'I may not.' });
  await say('Make a card', { agent: 'Narrow' });
  expect(lastSaid()).toContain('that tool is not on this agent’s list: an administrator can add it');
  model.next.push({ calls: [{ name: 'launch_rocket', input: {} }] }, { text: 'I may not.' });
  await say('Launch', { agent: 'Narrow' });
  expect(lastSaid()).toContain('you have no tool with that name');
});
