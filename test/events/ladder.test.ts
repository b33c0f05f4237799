// Event delivery on the fake clock: the ladder, what ends it, and what is marked instead of sent.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Delivery } from '../../src/features/instance/events/deliveries.contract.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { address, desk, emit, held, pass, rows, setWebhook } from './outbox.ts';

/** What the rung may be later by (never earlier). */
const JITTER = 2 * SECOND_MS;

let app: TestApp;
let server: Receiver;
let answers: number;

beforeAll(async () => {
  app = await openTestApp({ allowPrivate: true });
  await desk(app);
  server = await receiver((response) => void response.writeHead(answers).end('the text of the receiver'));
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await app?.close();
});
beforeEach(async () => {
  answers = 200;
  server.arrived.length = 0;
  await app.sql`delete from event_deliveries`;
  await app.sql`delete from events_webhook`;
});

const oneRow = async (): Promise<Delivery> => (await rows(app))[0]!;

describe('a failure (non-2xx or timeout) is retried after 1 minute, then 5 minutes, then 30 minutes; a fourth failure ends it', () => {
  test('attempts are made at 0, 1, 6 and 36 minutes, never early, and the row stays with the last error', async () => {
    answers = 503;
    await setWebhook(app, address(server));
    await emit(app);
    await pass(app);
    expect(await oneRow()).toMatchObject({
      state: 'pending',
      attempts: 1,
      last_status: 503,
      last_error: 'status',
    });
    for (const [attempts, minutes] of [
      [2, 1],
      [3, 5],
      [4, 30],
    ] as const) {
      app.clock.advance(minutes * MINUTE_MS - 5 * SECOND_MS);
      await pass(app);
      expect(server.arrived, 'never early').toHaveLength(attempts - 1);
      app.clock.advance(5 * SECOND_MS + JITTER);
      await pass(app);
      expect(server.arrived).toHaveLength(attempts);
      expect(await oneRow()).toMatchObject({ attempts, last_status: 503, last_error: 'status' });
    }
    expect(await oneRow()).toMatchObject({ state: 'failed', next_attempt_at: null, delivered_at: null });
    app.clock.advance(600 * MINUTE_MS);
    await pass(app);
    expect(server.arrived, 'the fourth failure is final').toHaveLength(4);
    const [first, ...others] = server.arrived;
    for (const other of others) {
      expect(other.body.equals(first!.body), 'a retry is byte-identical').toBe(true);
      expect(other.headers['x-service-signature']).toBe(first!.headers['x-service-signature']);
      expect(other.headers['x-service-delivery']).toBe(first!.headers['x-service-delivery']);
    }
  });

  test('the rung of the row says when: after 1, 5 and 30 minutes from the failure', async () => {
    answers = 500;
    await setWebhook(app, address(server));
    await emit(app);
    for (const minutes of [1, 5, 30]) {
      const before = app.clock.now().getTime();
      await pass(app);
      const next = new Date((await oneRow()).next_attempt_at!).getTime();
      expect(next).toBeGreaterThanOrEqual(before + minutes * MINUTE_MS);
      expect(next).toBeLessThan(app.clock.now().getTime() + minutes * MINUTE_MS + JITTER);
      app.clock.advance(minutes * MINUTE_MS + JITTER);
    }
  });

  test('any rung may succeed, and a restart in any rung keeps it', async () => {
    await setWebhook(app, address(server));
    for (const failures of [0, 1, 2, 3]) {
      await app.sql`delete from event_deliveries`;
      answers = 500;
      await emit(app);
      for (let n = 0; n < failures; n++) {
        await pass(app);
        app.clock.advance([1, 5, 30][n]! * MINUTE_MS + JITTER);
        // A process that starts finds the row as it was left: everything of the ladder is in it.
        await app.sql`update event_deliveries set lease = gen_random_uuid(), lease_until = ${new Date(app.clock.now().getTime() - 1)}`;
      }
      answers = 204;
      await pass(app);
      expect(await oneRow()).toMatchObject({
        state: 'delivered',
        attempts: failures + 1,
        last_status: 204,
        last_error: null,
        next_attempt_at: null,
      });
      expect((await oneRow()).delivered_at).not.toBeNull();
    }
  });

  test.each([
    [199 + 1, 'delivered'],
    [299, 'delivered'],
    [301, 'pending'],
    [304, 'pending'],
    [400, 'pending'],
    [404, 'pending'],
    [410, 'pending'],
  ])('only 2xx is success: %i leaves it %s', async (status, state) => {
    answers = status;
    await setWebhook(app, address(server));
    await emit(app);
    await pass(app);
    expect(await oneRow()).toMatchObject({ state, last_status: status });
  });
});

describe('what is not sent', () => {
  test('with no URL, the event is marked skipped, and nothing is sent when one is set later', async () => {
    await emit(app);
    await pass(app);
    expect(await oneRow()).toMatchObject({
      state: 'skipped',
      attempts: 0,
      next_attempt_at: null,
      last_error: null,
    });
    await setWebhook(app, address(server));
    await pass(app);
    expect(server.arrived).toHaveLength(0);
  });

  test('with delivery off, the event is marked skipped', async () => {
    await setWebhook(app, address(server));
    expect((await (await desk(app)).rest('DELETE', '/api/admin/events/webhook')).body).toMatchObject({
      webhook: { on: false, url: address(server) },
    });
    await emit(app);
    await pass(app);
    expect(await oneRow()).toMatchObject({ state: 'skipped' });
    expect(server.arrived).toHaveLength(0);
  });

  test('with a URL but no signing secret, the delivery fails, and spends the ladder', async () => {
    await setWebhook(app, address(server));
    await app.sql`update events_webhook set secret = null, secret_at = null`;
    await emit(app);
    await pass(app);
    expect(await oneRow()).toMatchObject({
      state: 'pending',
      attempts: 1,
      last_status: null,
      last_error: 'no signing secret',
    });
    for (const minutes of [1, 5, 30]) {
      app.clock.advance(minutes * MINUTE_MS + JITTER);
      await pass(app);
    }
    expect(await oneRow()).toMatchObject({ state: 'failed', attempts: 4, last_error: 'no signing secret' });
    expect(server.arrived).toHaveLength(0);
  });

  test('a secret that does not open under this key is no signing secret', async () => {
    await setWebhook(app, address(server));
    await app.sql`update events_webhook set secret = 'v1.AAAA'`;
    await emit(app);
    await pass(app);
    expect(await oneRow()).toMatchObject({ attempts: 1, last_error: 'no signing secret' });
  });

  test('turning delivery off stops a batch that is under way: what was not started is skipped', async () => {
    await using slow = await held();
    await setWebhook(app, address(slow.server));
    await emit(app, 40);
    const running = pass(app);
    await slow.waits(10);
    await (await desk(app)).rest('DELETE', '/api/admin/events/webhook');
    await new Promise((resolve) => setTimeout(resolve, 150));
    slow.letGo();
    await running;
    expect(slow.server.arrived).toHaveLength(10);
    const states = (await rows(app)).map((row) => row.state).sort();
    expect(states.filter((state) => state === 'delivered')).toHaveLength(10);
    expect(states.filter((state) => state === 'skipped')).toHaveLength(30);
  });
});

test('rows are kept for 30 days', async () => {
  await emit(app, 2);
  await pass(app);
  await app.sql`update event_deliveries set occurred_at = now() - interval '30 days 1 hour' where id = (select min(id::text)::uuid from event_deliveries)`;
  app.clock.advance(61 * MINUTE_MS);
  await pass(app);
  expect(await rows(app)).toHaveLength(1);
});
