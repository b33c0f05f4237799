// The way to a model fails in every way that ways fail: the turn ends in a sentence for the person, what was done is not done
// again, what was heard is paid for, and the conversation goes on. Readings fall back to what the rules said.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LIMITS } from '../../src/features/automation/agents/speak.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { endOf, saveModelKey, stream } from '../support/chat.ts';
import { faultProxy, type Fault, type FaultProxy } from '../support/fault-proxy.ts';
import { openTestApp, type PersonClient, type TestApp } from '../support/app.ts';
import { comesIn } from '../support/inbound.ts';
import { aCampaign, aDesk } from '../support/letters.ts';
import { modelStub, type ModelStub } from '../support/model.ts';
import { withPatience } from '../support/patience.ts';
import { sentLetter } from '../support/sent.ts';

const LONG = 'A sentence of the model. '.repeat(80);
const UNREACHABLE = /^OpenAI-compatible server could not be reached: try again/;
const BROKE_OFF = /^OpenAI-compatible server stopped in the middle of its answer: ask again$/;

let model: ModelStub;
let proxy: FaultProxy;
let app: TestApp;
let dana: PersonClient;

beforeAll(async () => {
  model = await modelStub();
  proxy = await faultProxy(Number(new URL(model.url).port));
  app = await openTestApp({ allowHosts: '127.0.0.1' });
  await saveModelKey(app, { ...model, url: `http://127.0.0.1:${proxy.port}/v1` });
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  dana = await app.person({ name: 'Dana Roe', admin: true });
  // Which models there are is asked once.
  expect(endOf(await stream(app, dana, { message: 'Hello' }))).toMatchObject({ state: 'done' });
});
afterAll(async () => {
  await app?.close();
  await proxy?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await proxy.set({ kind: 'none' });
  model.next.length = 0;
  model.asked.length = 0;
});

const spent = async (thread_id: string): Promise<number[]> =>
  (
    await app.sql<{ tokens: number }[]>`
      select tokens::int as tokens from chat_turns where thread_id = ${thread_id} order by created_at, id`
  ).map(({ tokens }) => tokens);

async function goesOn(thread_id: string): Promise<void> {
  await proxy.set({ kind: 'none' });
  model.next.length = 0;
  model.next.push({ text: 'Here I am again.' });
  const end = endOf(await stream(app, dana, { message: 'Go on', thread_id }));
  expect(end).toMatchObject({ state: 'done', text: 'Here I am again.', thread_id });
}

test.each<[string, Fault, RegExp]>([
  ['is down', { kind: 'down' }, UNREACHABLE],
  ['swallows the question', { kind: 'swallow' }, UNREACHABLE],
  ['hears the question and says nothing', { kind: 'swallow', from: 'POST', heard: true }, UNREACHABLE],
  ['ends before the answer', { kind: 'cut', after_bytes: 0 }, UNREACHABLE],
  ['breaks before the answer', { kind: 'reset', after_bytes: 0 }, UNREACHABLE],
  ['ends in the middle of the answer', { kind: 'cut', after_bytes: 1_500 }, BROKE_OFF],
  ['breaks in the middle of the answer', { kind: 'reset', after_bytes: 1_500 }, BROKE_OFF],
])('a model that %s ends the turn in a sentence, and the conversation goes on', async (_, fault, says) => {
  model.next.push({ text: LONG });
  await proxy.set(fault);
  const short = fault.kind === 'swallow' ? { firstMs: 400, idleMs: 400 } : {};
  const end = endOf(await withPatience(LIMITS, short, () => stream(app, dana, { message: 'Tell me all' })));
  expect(end).toMatchObject({ state: 'failed', sentence: expect.stringMatching(says) });
  // What was said until then exists, and was paid for.
  const begun = says === BROKE_OFF;
  expect(end.text.startsWith('A sentence of the model.')).toBe(begun);
  const [tokens] = await spent(end.thread_id);
  expect(tokens! > 0).toBe(begun);
  await goesOn(end.thread_id);
});

test('a model that falls silent in the middle of its answer is left, and what it said is paid for', async () => {
  model.next.push({ hangs: LONG });
  const end = endOf(
    await withPatience(LIMITS, { idleMs: 400 }, () => stream(app, dana, { message: 'Tell me all' })),
  );
  expect(end).toMatchObject({ state: 'failed', sentence: expect.stringMatching(BROKE_OFF) });
  expect((await spent(end.thread_id))[0]).toBeGreaterThan(0);
  await goesOn(end.thread_id);
});

test('what a turn did before its model was lost stays done, and is not done again', async () => {
  const cards = async (): Promise<number> =>
    (await app.sql`select 1 from work_items where title = 'Done once'`).length;
  model.next.push({ calls: [{ name: 'work_create', input: { project: 'OUT', title: 'Done once' } }] });
  // The second question carries the tool's answer.
  await proxy.set({ kind: 'unanswered', text: '"role":"tool"' });
  const end = endOf(await stream(app, dana, { message: 'Make a card' }));
  expect(end).toMatchObject({ state: 'failed', sentence: expect.stringMatching(UNREACHABLE) });
  expect(await cards()).toBe(1);
  await goesOn(end.thread_id);
  expect(await cards()).toBe(1);
  const said = JSON.stringify(model.asked.at(-1)?.body.messages);
  expect(said).toContain('Done once');
});

test('a model that breaks off again and again uses up the budget of its turns', async () => {
  const frugal = await app.person({ name: 'Frugal', admin: true });
  const set = async (tokens_per_caller_per_day: number): Promise<void> => {
    const answer = await app.admin.rest('PATCH', '/api/admin/settings/chat', { tokens_per_caller_per_day });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  await set(5_000);
  let refusal: string | null = null;
  for (let turn = 0; turn < 10 && refusal === null; turn += 1) {
    model.next.push({ text: LONG });
    await proxy.set({ kind: 'reset', after_bytes: 1_500 });
    const asked = await stream(app, frugal, { message: 'Tell me all' });
    if (asked.status !== 200) refusal = asked.body.error.message;
  }
  expect(refusal).toMatch(/"Frugal" has used up its model tokens for today \(5000\)/);
  await set(1_000_000);
});

test('a slow way, and one that gives a byte at a time, make a turn slow and nothing else', async () => {
  for (const fault of [
    { kind: 'latency', ms: 10 },
    { kind: 'drip', bytes: 1, every_ms: 0 },
  ] as const) {
    model.next.push({ text: LONG });
    await proxy.set(fault);
    const end = endOf(await stream(app, dana, { message: 'Tell me all' }));
    expect(end).toMatchObject({ state: 'done', sentence: null, text: LONG });
  }
});

test('an answer that no model can be asked about stays as the rules read it, and is read by one later', async () => {
  const campaign = await aCampaign(app, await aDesk(app));
  const letter = await sentLetter(app, campaign);
  const said = { from: letter.person.address, in_reply_to: letter.message_id, text: 'Gladly, call me.' };
  const { touch } = await comesIn(app, said);
  const reading = async () =>
    (await app.sql`select reading, reading_by from touches where id = ${touch!['id']}`)[0];
  const read = () => app.instance.jobs.run('readings');
  for (const fault of [{ kind: 'swallow' }, { kind: 'reset', after_bytes: 300 }] as const) {
    model.next.length = 0;
    model.next.push({ calls: [{ name: 'record_reading', input: { reading: 'positive', confidence: 0.9 } }] });
    await proxy.set(fault);
    const short = fault.kind === 'swallow' ? { firstMs: 400, idleMs: 400 } : {};
    await withPatience(LIMITS, short, read);
    expect(await reading()).toEqual({ reading: 'unread', reading_by: 'rule' });
    // Not at once again.
    await proxy.set({ kind: 'none' });
    const asked = model.asked.length;
    expect(await read()).toBe(0);
    expect(model.asked).toHaveLength(asked);
    app.clock.advance(40 * MINUTE_MS);
  }
  // What rules can read needs no model.
  const other = await sentLetter(app, campaign);
  await proxy.set({ kind: 'down' });
  const stop = await comesIn(app, {
    from: other.person.address,
    in_reply_to: other.message_id,
    text: 'Please unsubscribe me.',
  });
  expect(stop.touch).toMatchObject({ reading: 'unsubscribe', reading_by: 'rule' });
  await proxy.set({ kind: 'none' });
  model.next.length = 0;
  model.next.push({ calls: [{ name: 'record_reading', input: { reading: 'positive', confidence: 0.9 } }] });
  expect(await read()).toBe(1);
  expect(await reading()).toEqual({ reading: 'positive', reading_by: 'model' });
});
