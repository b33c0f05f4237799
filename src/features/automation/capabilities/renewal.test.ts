// Renewing someone's sign-in at another party: only that party's word that it is over ends it; a hiccup is waited out.
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  agreeToAll,
  callAsAgent,
  CAPABILITIES,
  connectedServer,
  EVENT,
} from '../../../../test/support/capabilities.ts';
import { freshDatabase, type FreshDatabase } from '../../../../test/support/database.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { type Instead, openToolServer, type ToolServer } from '../../../../test/support/tool-server.ts';
import { HOUR_MS, MINUTE_MS } from '../../../kernel/clock.ts';
import type { Refusal } from '../../../kernel/refusal.ts';

let database: FreshDatabase;
let app: TestApp;
let second: TestApp;
let stub: ToolServer;
beforeAll(async () => {
  database = await freshDatabase();
  const shared = { database, masterKey: randomBytes(32), allowHosts: '127.0.0.0/8' };
  app = await openTestApp({ ...shared, baseUrl: 'https://desk.example' });
  second = await openTestApp({ ...shared, baseUrl: 'https://desk.example', setUp: false });
});
afterAll(async () => {
  await second?.close();
  await app?.close();
  await database?.drop();
});
beforeEach(async () => {
  stub = await openToolServer();
  stub.tools = [EVENT];
  await agreeToAll(app, await connectedServer(app, stub));
});
afterEach(async () => {
  await app.sql`delete from capabilities`;
  await stub.close();
});

const WAITS = 'Calendar could not renew your sign-in just now';

const later = (ms: number): void => {
  for (const each of [app, second]) each.clock.advance(ms);
};
const call = () => callAsAgent(app, app.admin);
const connection = async (): Promise<string> =>
  (await app.admin.rest('GET', CAPABILITIES)).body.items[0].connection;

/** The token endpoint answers so, or another path. */
let asked = 0;
function misbehave(instead: Instead, path = '/token'): void {
  asked = 0;
  stub.instead = (request) => {
    if (request.path !== path) return null;
    asked += 1;
    return instead;
  };
}

const json = (status: number, body: unknown): Instead => ({ status, body: JSON.stringify(body) });

const HICCUPS: Record<string, Instead> = {
  'a 500': { status: 500, body: 'oh' },
  'a 503': { status: 503, body: '' },
  'a 429': json(429, { error: 'invalid_grant' }),
  'a 500 that speaks of the grant': json(500, { error: 'invalid_grant' }),
  temporarily_unavailable: json(400, { error: 'temporarily_unavailable' }),
  server_error: json(400, { error: 'server_error' }),
  invalid_request: json(400, { error: 'invalid_request' }),
  'a reset': 'reset',
  garbage: { status: 200, body: '<html>Down for maintenance</html>' },
  'tokens without a token': json(200, { token_type: 'Bearer' }),
  'a redirect': { status: 302, body: '', headers: { location: '/maintenance' } },
};

test.each(Object.entries(HICCUPS))(
  'R1: %s while a sign-in is renewed loses nothing: it is said, waited out and tried again',
  async (_, instead) => {
    later(2 * HOUR_MS);
    misbehave(instead);
    await expect(call()).rejects.toThrow(WAITS);
    await expect(call()).rejects.toThrow(WAITS);
    expect(asked, 'asked again before the wait was over').toBe(1);
    expect(await connection()).toBe('connected');
    stub.instead = null;
    later(MINUTE_MS);
    expect((await call()).text).toBe('done: create_event');
    expect([stub.refreshes, stub.stolen]).toEqual([1, false]);
  },
);

test.each([['/.well-known/oauth-protected-resource/mcp'], ['/.well-known/oauth-authorization-server']])(
  'R1: a hiccup at %s while a sign-in is renewed loses nothing',
  async (path) => {
    for (const instead of [{ status: 503, body: '' }, 'reset'] as const) {
      later(2 * HOUR_MS);
      misbehave(instead, path);
      await expect(call()).rejects.toThrow(WAITS);
      expect(await connection()).toBe('connected');
      stub.instead = null;
      later(10 * MINUTE_MS);
      expect((await call()).text).toBe('done: create_event');
    }
    expect(stub.stolen).toBe(false);
  },
);

test('R1: each failure waits longer than the one before, up to five minutes, and a success begins again', async () => {
  later(2 * HOUR_MS);
  misbehave({ status: 503, body: '' });
  const waits: number[] = [];
  for (let i = 0; i < 12; i += 1) {
    const refusal = (await call().catch((error: unknown) => error)) as Refusal;
    expect(refusal).toMatchObject({ status: 503, code: 'unavailable' });
    waits.push(refusal.details?.retry_after ?? 0);
    later((waits.at(-1) ?? 0) * 1_000);
  }
  expect(asked).toBe(12);
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect([waits[0], waits.at(-1)]).toEqual([1, 300]);
  stub.instead = null;
  expect((await call()).text).toBe('done: create_event');
  later(2 * HOUR_MS);
  misbehave({ status: 503, body: '' });
  const refusal = (await call().catch((error: unknown) => error)) as Refusal;
  expect(refusal.details?.retry_after).toBe(1);
});

test('R1: a wait that the other party names is kept, up to an hour', async () => {
  later(2 * HOUR_MS);
  misbehave({ status: 429, body: '', headers: { 'retry-after': '90' } });
  expect(await call().catch((error: Refusal) => error.details)).toMatchObject({ retry_after: 90 });
  later(91_000);
  misbehave({ status: 503, body: '', headers: { 'retry-after': '99999999999' } });
  expect(await call().catch((error: Refusal) => error.details)).toMatchObject({ retry_after: 3_600 });
});

test('R1: twenty calls at once on two processes make one renewal, where it fails too', async () => {
  later(2 * HOUR_MS);
  misbehave({ status: 503, body: '' });
  const many = () =>
    Promise.allSettled(Array.from({ length: 20 }, (_, i) => callAsAgent(i % 2 ? app : second, app.admin)));
  const failed = await many();
  expect(failed.every(({ status }) => status === 'rejected')).toBe(true);
  expect(asked).toBe(1);
  stub.instead = null;
  later(MINUTE_MS);
  const went = await many();
  expect(went.every(({ status }) => status === 'fulfilled')).toBe(true);
  expect([stub.refreshes, stub.stolen]).toEqual([1, false]);
});

test('R1: a token that is renewed early is used on while it lasts', async () => {
  // It ends in 29 seconds, and is renewed in its last 30.
  later(HOUR_MS - 29_000);
  misbehave({ status: 503, body: '' });
  expect((await call()).text).toBe('done: create_event');
  expect(asked).toBe(1);
});

test.each(['invalid_grant', 'invalid_client'])(
  'R1: %s ends a sign-in, and nothing is asked again',
  async (error) => {
    later(2 * HOUR_MS);
    misbehave(json(error === 'invalid_client' ? 401 : 400, { error }));
    await expect(call()).rejects.toThrow('requires you to sign in');
    expect(await connection()).toBe('lost');
    later(HOUR_MS);
    await expect(call()).rejects.toThrow('requires you to sign in');
    expect(asked).toBe(1);
  },
);

test('R1: a sign-in whose server describes itself at an unusual place is renewed by that place', async () => {
  await app.sql`delete from capabilities`;
  stub.describedAt = '/elsewhere/described';
  await agreeToAll(app, await connectedServer(app, stub));
  later(2 * HOUR_MS);
  expect((await call()).text).toBe('done: create_event');
  expect(await connection()).toBe('connected');
});

test('R1: a server that names another sign-in is told nothing of the one that was used', async () => {
  const other = await openToolServer();
  try {
    later(2 * HOUR_MS);
    stub.lies.authorization_server = new URL(other.url).origin;
    await expect(call()).rejects.toThrow('requires you to sign in');
    expect([stub.refreshes, other.refreshes, other.clients.size]).toEqual([0, 0, 0]);
    stub.lies = {};
    later(HOUR_MS);
    expect((await call()).text).toBe('done: create_event');
  } finally {
    await other.close();
  }
});
