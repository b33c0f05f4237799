// The way to the receiver of events fails in every way that ways fail: the row says which, the ladder is climbed, every
// attempt carries the same bytes under the same id, and it arrives on its own once the way is back.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { LIMITS } from '../../src/features/instance/events/pass.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { emit, pass, rows, setWebhook } from '../events/outbox.ts';
import { faultProxy, type Fault, type FaultProxy } from '../support/fault-proxy.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { withPatience } from '../support/patience.ts';
import { receiver, type Receiver } from '../support/receiver.ts';

/** Of the answer: its head, which has no fixed length, and a body of this many bytes. */
const BODY = 'x'.repeat(4_000);

let app: TestApp;
let server: Receiver;
let proxy: FaultProxy;

beforeAll(async () => {
  app = await openTestApp({ allowPrivate: true });
});
afterAll(() => app?.close());
beforeEach(async () => {
  server = await receiver((response) => void response.writeHead(200).end(BODY));
  proxy = await faultProxy(server.port);
  await app.sql`delete from event_deliveries`;
  await setWebhook(app, `http://127.0.0.1:${proxy.port}/hook`);
});
afterEach(async () => {
  await proxy[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const says = async (): Promise<string[]> => [
  ...new Set(
    (await rows(app)).map(
      ({ state, attempts, last_status, last_error }) => `${state} ${attempts} ${last_status} ${last_error}`,
    ),
  ),
];

/** One of each that arrived, however often; and that each time it was the same. */
function arrivedAlike(): number {
  const bodies = new Map<unknown, string>();
  for (const { headers, body } of server.arrived) {
    const of = headers['x-service-delivery'];
    const said = `${String(headers['x-service-signature'])} ${body.toString('hex')}`;
    expect(bodies.get(of) ?? said).toBe(said);
    bodies.set(of, said);
  }
  return bodies.size;
}

// What it did, what the row says then, and how many of three events had arrived by then.
test.each<[string, Fault, string, number]>([
  ['that is down', { kind: 'down' }, 'pending 1 null refused', 0],
  ['that swallows all', { kind: 'swallow' }, 'pending 1 null timeout', 0],
  ['that is heard no more', { kind: 'swallow', from: 'POST', heard: true }, 'pending 1 null timeout', 3],
  ['that ends before the answer', { kind: 'cut', after_bytes: 0 }, 'pending 1 null reset', 3],
  ['that breaks before the answer', { kind: 'reset', after_bytes: 0 }, 'pending 1 null reset', 3],
  ['that breaks once all was said', { kind: 'unanswered', text: 'POST' }, 'pending 1 null reset', 3],
])('a way %s is climbed up to by the ladder', async (_, fault, expected, heard) => {
  const ids = await emit(app, 3);
  await proxy.set(fault);
  const short = fault.kind === 'swallow' ? { attempt_ms: 400 } : {};
  await withPatience(LIMITS, short, () => pass(app));
  expect(await says()).toEqual([expected]);
  expect(arrivedAlike()).toBe(heard);
  // Not before its rung, although the way is back.
  await proxy.set({ kind: 'none' });
  app.clock.advance(MINUTE_MS - 5_000);
  await pass(app);
  expect(await says()).toEqual([expected]);
  app.clock.advance(10_000);
  await pass(app);
  expect(await says()).toEqual(['delivered 2 200 null']);
  expect(arrivedAlike()).toBe(ids.length);
});

test('an answer that breaks off in its middle is no success, and shows what status it began with', async () => {
  await emit(app);
  await proxy.set({ kind: 'reset', after_bytes: 1_000 });
  await pass(app);
  expect(await says()).toEqual(['pending 1 200 reset']);
  await proxy.set({ kind: 'none' });
  app.clock.advance(MINUTE_MS + 5_000);
  await pass(app);
  expect((await rows(app))[0]!.state).toBe('delivered');
  expect(arrivedAlike()).toBe(1);
});

test('a slow way, and one that gives a byte at a time, make an event slow and nothing else', async () => {
  for (const fault of [
    { kind: 'latency', ms: 20 },
    { kind: 'drip', bytes: 1, every_ms: 0 },
  ] as const) {
    await app.sql`delete from event_deliveries`;
    await emit(app);
    await proxy.set(fault);
    await pass(app);
    expect((await rows(app))[0]).toMatchObject({ state: 'delivered', last_status: 200 });
  }
});

test('four failures on the ladder end it, and sent again it begins at its foot with the same bytes', async () => {
  const [id] = await emit(app);
  await proxy.set({ kind: 'reset', after_bytes: 0 });
  for (const minutes of [0, 1, 5, 30]) {
    app.clock.advance(minutes * MINUTE_MS + 5_000);
    await pass(app);
  }
  expect(await says()).toEqual(['failed 4 null reset']);
  await proxy.set({ kind: 'none' });
  const again = await app.admin.rest('POST', `/api/admin/events/${id}/redeliver`, {});
  expect(again.status, JSON.stringify(again.body)).toBeLessThan(300);
  await pass(app);
  expect((await rows(app))[0]!.state).toBe('delivered');
  expect(arrivedAlike()).toBe(1);
});

test('many events over a way that breaks again and again: each arrives, and each time alike', async () => {
  await emit(app, 60);
  await proxy.set({ kind: 'latency', ms: 2 });
  const breaks = setInterval(() => proxy.resetAll(), 25);
  await pass(app);
  clearInterval(breaks);
  await proxy.set({ kind: 'none' });
  for (let round = 0; round < 3; round += 1) {
    app.clock.advance(31 * MINUTE_MS);
    await pass(app);
  }
  expect(new Set((await rows(app)).map(({ state }) => state))).toEqual(new Set(['delivered']));
  expect(arrivedAlike()).toBe(60);
});
