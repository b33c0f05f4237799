// More than one process on one database, leases and fences, and how soon an event is out.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claimDue, giveBack, settle } from '../../src/features/instance/events/lease.store.ts';
import { MINUTE_MS, after } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { address, emit, held, pass, rows, setWebhook } from './outbox.ts';

let database: FreshDatabase;
let one: TestApp;
let two: TestApp;
let server: Receiver;

beforeAll(async () => {
  database = await freshDatabase();
  const masterKey = randomBytes(32);
  one = await openTestApp({ database, masterKey, allowPrivate: true });
  two = await openTestApp({ database, masterKey, allowPrivate: true, setUp: false });
  server = await receiver((response) => void response.writeHead(200).end());
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await two?.close();
  await one?.close();
  await database?.drop();
});
beforeEach(async () => {
  server.arrived.length = 0;
  await one.sql`delete from event_deliveries`;
});

const leaseOf = (app: TestApp, ms = MINUTE_MS) => {
  const from = app.clock.now();
  return { id: newId(), from, until: after(from, ms) };
};

test('two processes on one database never post the same attempt', async () => {
  await setWebhook(one, address(server));
  const ids = await emit(one, 600);
  const claimed = await Promise.all([pass(one), pass(two)]);
  expect(claimed[0]! + claimed[1]!).toBe(600);
  expect(Math.min(...claimed), 'both had a share').toBeGreaterThan(0);
  expect(server.arrived).toHaveLength(600);
  expect(new Set(server.arrived.map((each) => each.headers['x-service-delivery']))).toEqual(new Set(ids));
  const leased = await one.sql`select id from event_deliveries where lease is not null`;
  expect(leased, 'no lease stays').toEqual([]);
});

describe('a lease', () => {
  const claim = (app: TestApp, lease: ReturnType<typeof leaseOf>) =>
    app.instance.app.database.transact((tx) => claimDue(tx, lease, 50));

  test('keeps its rows from others for its minute, and not longer', async () => {
    await emit(one, 3);
    const lease = leaseOf(one);
    expect(await claim(one, lease)).toHaveLength(3);
    expect(await claim(two, leaseOf(two))).toHaveLength(0);
    expect(await claim(two, { ...leaseOf(two), from: after(lease.until, -1) })).toHaveLength(0);
    expect(await claim(two, { ...leaseOf(two), from: lease.until })).toHaveLength(3);
  });

  test('that another process took over changes nothing any more', async () => {
    const [id] = (await emit(one)) as [string];
    const early = leaseOf(one, -1);
    await claim(one, early);
    const late = leaseOf(two);
    expect(await claim(two, late)).toHaveLength(1);
    const result = {
      id,
      state: 'failed' as const,
      attempts: 4,
      next_attempt_at: null,
      last_status: null,
      last_error: 'reset',
      delivered_at: null,
    };
    const { database } = one.instance.app;
    expect(await database.transact((tx) => settle(tx, early, [result], null))).toBe(0);
    await database.transact((tx) => giveBack(tx, early, [{ id }]));
    expect((await rows(one))[0]).toMatchObject({ state: 'pending', attempts: 0 });
    expect(await database.transact((tx) => settle(tx, late, [result], null))).toBe(1);
  });

  test('of a process that died runs out, and the event goes out then with the same id and bytes', async () => {
    await setWebhook(one, address(server));
    const [id] = await emit(one);
    await claim(one, leaseOf(one));
    await pass(two);
    expect(server.arrived).toHaveLength(0);
    two.clock.advance(MINUTE_MS);
    await pass(two);
    expect(server.arrived.map((each) => each.headers['x-service-delivery'])).toEqual([id]);
    expect((await rows(one))[0]).toMatchObject({ attempts: 1, state: 'delivered' });
  });
});

test('an event is out within about a second, and a stop gives back what was not started', async () => {
  await using slow = await held();
  const own = await freshDatabase();
  const masterKey = randomBytes(32);
  const awake = await openTestApp({ database: own, masterKey, allowPrivate: true, passes: true });
  try {
    await setWebhook(awake, address(slow.server));
    // Well after the first look of the runner, and not at the moment of its timer.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const started = performance.now();
    await awake.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
    await emit(awake, 30);
    await slow.waits(10);
    expect(performance.now() - started).toBeLessThan(1_500);
    const closing = performance.now();
    await awake.close();
    expect(performance.now() - closing, 'open posts are waited for, for a moment only').toBeLessThan(6_000);
    const next = await openTestApp({ database: own, masterKey, allowPrivate: true, setUp: false });
    const [row] = await next.sql`
      select count(*)::int as pending, max(attempts) as attempts, count(lease)::int as leased from event_deliveries where state = 'pending'`;
    expect(row).toEqual({ pending: 30, attempts: 0, leased: 0 });
    slow.letGo();
    await pass(next);
    const ids = new Set(slow.server.arrived.map((each) => each.headers['x-service-delivery']));
    expect(ids.size).toBe(30);
    await next.close();
  } finally {
    await own.drop();
  }
});

test('a parked card goes out on its own: the event is in the transaction of the fact', async () => {
  const awake = await openTestApp({ allowPrivate: true, passes: true });
  try {
    await setWebhook(awake, address(server));
    await awake.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
    const agent = await awake.token();
    const made = await agent.tool('work_create', {
      project: 'OUT',
      title: 'Write to the ten oldest customers',
    });
    const parked = await agent.tool('work_move', { item_id: made.json.item.id, status: 'done' });
    const started = performance.now();
    while (server.arrived.length === 0 && performance.now() - started < 3_000)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(performance.now() - started).toBeLessThan(1_500);
    expect(JSON.parse(server.arrived[0]!.body.toString())).toMatchObject({
      event: 'work.review_parked',
      data: {
        item_id: made.json.item.id,
        approval_id: parked.json.approval_id,
        title: 'Write to the ten oldest customers',
      },
    });
  } finally {
    await awake.close();
  }
});
