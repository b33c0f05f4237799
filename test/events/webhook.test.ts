// The events address and its secret: who may set them, what is refused, and that a secret is shown once and never again.
import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { WIRE_REQUIRED } from '../../src/kernel/sentences.ts';
import { nameServer, type NameServer } from '../support/dns.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import cases from '../cases/ssrf-cases.json' with { type: 'json' };
import { desk, emit, pass } from './outbox.ts';

const WEBHOOK = '/api/admin/events/webhook';
const ROTATE = '/api/admin/events/secret/rotate';
const URL_GIVEN = 'https://hooks.example.com/dunnock';
const MINTED = /^whsec_[\w-]{43}$/;

let app: TestApp;
let dns: NameServer;
let logged = '';

beforeAll(async () => {
  dns = await nameServer();
  const log = pino(
    { level: 'trace' },
    new Writable({ write: (line, _, done) => ((logged += String(line)), done()) }),
  );
  app = await openTestApp({ lookup: dns.lookup, log });
  await desk(app);
});
afterAll(async () => {
  await app?.close();
  await dns?.[Symbol.asyncDispose]();
});
beforeEach(() => app.sql`delete from events_webhook`);

const set = async (body: unknown) => (await desk(app)).rest('PUT', WEBHOOK, body);
const get = async () => (await app.admin.rest('GET', WEBHOOK)).body;

describe('turning delivery on without naming a secret mints one and shows it once', () => {
  test('the first time, and not again while one exists', async () => {
    const first = await set({ url: URL_GIVEN });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      webhook: { url: URL_GIVEN, on: true, has_secret: true, failing_since: null },
      secret: expect.stringMatching(MINTED),
    });
    expect((await set({ url: URL_GIVEN, on: true })).body).not.toHaveProperty('secret');
    await app.admin.rest('DELETE', WEBHOOK);
    expect((await set({ url: URL_GIVEN })).body, 'the secret outlives being off').not.toHaveProperty(
      'secret',
    );
  });

  test('a named secret is kept and not shown; too short or with spaces it is refused without being quoted', async () => {
    const secret = 'a-secret-of-the-receiver';
    const named = await set({ url: URL_GIVEN, secret });
    expect(named.body).toEqual({
      webhook: { url: URL_GIVEN, on: true, has_secret: true, failing_since: null },
    });
    for (const bad of ['planted-short', 'planted secret with spaces', 'planted\nsecret-and-more', '']) {
      const answer = await set({ url: URL_GIVEN, secret: bad });
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).not.toContain('planted');
    }
  });

  test('kept off, none is minted until it is turned on', async () => {
    expect((await set({ url: URL_GIVEN, on: false })).body).toEqual({
      webhook: { url: URL_GIVEN, on: false, has_secret: false, failing_since: null },
    });
    expect((await set({ url: URL_GIVEN })).body.secret).toMatch(MINTED);
  });

  test('two calls at once mint one secret', async () => {
    const both = await Promise.all([set({ url: URL_GIVEN }), set({ url: URL_GIVEN })]);
    expect(both.filter((each) => 'secret' in each.body)).toHaveLength(1);
  });

  test('rotating shows the new one once, with or without an address', async () => {
    const [one, two] = [
      await (await desk(app)).rest('POST', ROTATE, {}),
      await (await desk(app)).rest('POST', ROTATE, {}),
    ];
    expect(one.body).toEqual({ secret: expect.stringMatching(MINTED) });
    expect(two.body.secret).not.toBe(one.body.secret);
    expect((await get()).webhook).toMatchObject({ url: null, on: false, has_secret: true });
    expect(
      (await set({ url: URL_GIVEN })).body,
      'a secret without an address waits for it',
    ).not.toHaveProperty('secret');
  });

  test('an answer that shows a secret is not kept for a repeated call, and nothing caches it', async () => {
    const token = await desk(app);
    const key = { 'idempotency-key': 'one' };
    const one = await token.rest('POST', ROTATE, {}, key);
    const two = await token.rest('POST', ROTATE, {}, key);
    expect(two.body.secret).not.toBe(one.body.secret);
    expect(one.headers.get('cache-control')).toContain('no-store');
  });
});

describe('the address', () => {
  test('setting it needs a token with wire, or a person who confirmed that it is them', async () => {
    const without = await app.token();
    for (const [method, path, body] of [
      ['PUT', WEBHOOK, { url: URL_GIVEN }],
      ['POST', ROTATE, {}],
    ] as const) {
      const answer = await without.rest(method, path, body);
      expect(answer.body.error).toMatchObject({ code: 'wire_required', message: WIRE_REQUIRED });
    }
    expect((await without.rest('DELETE', WEBHOOK)).status, 'turning off needs no wire').toBe(200);
    app.clock.advance(11 * MINUTE_MS);
    expect((await app.admin.rest('PUT', WEBHOOK, { url: URL_GIVEN })).body.error.code).toBe(
      'step_up_required',
    );
    expect((await app.admin.rest('POST', ROTATE, {})).body.error.code).toBe('step_up_required');
    expect((await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password })).status).toBe(
      200,
    );
    expect((await app.admin.rest('PUT', WEBHOOK, { url: URL_GIVEN })).status).toBe(200);
  });

  test('A28, side door 23: no other route sets it', async () => {
    const without = await app.token();
    await set({ url: URL_GIVEN });
    const evil = {
      url: 'https://evil.example.com/',
      webhook: { url: 'https://evil.example.com/' },
      events: { url: 'https://evil.example.com/' },
    };
    for (const section of ['events', 'security', 'instance', 'integrations', 'sending'])
      for (const method of ['PATCH', 'PUT', 'POST'])
        expect(
          (await app.admin.rest(method, `/api/admin/settings/${section}`, evil)).status,
          `${method} ${section}`,
        ).toBeGreaterThanOrEqual(400);
    for (const method of ['PATCH', 'POST'])
      expect((await without.rest(method, WEBHOOK, evil)).status).toBeGreaterThanOrEqual(400);
    expect((await app.admin.rest('DELETE', WEBHOOK, { url: 'https://evil.example.com/' })).status).toBe(400);
    expect((await get()).webhook.url).toBe(URL_GIVEN);
  });

  test('I1: every case of the table has its verdict when the address is set, and a refused one changes nothing', async () => {
    await set({ url: URL_GIVEN });
    let refused = 0;
    for (const each of cases as {
      id: string;
      url: string;
      allowed: boolean;
      dns?: string[];
      phase?: string;
      env?: object;
      cname?: string;
    }[]) {
      if (each.env || each.phase || each.dns?.some((address) => /%|[^\da-f:.]/i.test(address))) continue;
      const host = URL.parse(each.url)?.hostname.replace(/\.$/, '') ?? '';
      if (each.dns)
        dns.says(
          host,
          each.dns.length === 0
            ? 'nothing'
            : { addresses: each.dns, ...(each.cname && { cname: each.cname }) },
        );
      const answer = await set({ url: each.url });
      expect(answer.status, `${each.id} ${each.url}`).toBe(each.allowed ? 200 : 400);
      if (each.allowed) {
        await set({ url: URL_GIVEN });
        continue;
      }
      refused += 1;
      expect(answer.body.error.code).toBe('invalid');
      expect(answer.body.error.details.fields.url).toBeDefined();
      expect((await get()).webhook.url).toBe(URL_GIVEN);
    }
    expect(refused).toBeGreaterThan(80);
  });

  test('is kept in the one spelling that was checked', async () => {
    expect((await set({ url: '  HTTPS://Hooks.Example.COM.:443/a b' })).status).toBe(400);
    expect((await set({ url: ' HTTPS://Hooks.Example.COM.:443/Path?x=1 ' })).body.webhook.url).toBe(
      'https://hooks.example.com/Path?x=1',
    );
  });

  test('turning off keeps address and secret', async () => {
    await set({ url: URL_GIVEN });
    expect((await app.admin.rest('DELETE', WEBHOOK)).body.webhook).toEqual({
      url: URL_GIVEN,
      on: false,
      has_secret: true,
      failing_since: null,
    });
  });
});

describe('a secret is never readable back', () => {
  const PLANTED = 'planted-Xq7-secret-of-events';

  test('I7: neither in a table, a log, the audit, an error, nor in any answer', async () => {
    logged = '';
    const token = await desk(app);
    await set({ url: 'https://127.0.0.1/', secret: PLANTED });
    await set({ url: 'http://user:pass@hooks.example.com/', secret: PLANTED });
    await token.rest('PUT', WEBHOOK, { url: URL_GIVEN, secret: PLANTED, stray: true });
    await token.rest('PUT', WEBHOOK, `{"url": "${URL_GIVEN}", "secret": "${PLANTED}`);
    await token.tool('admin_request', {
      method: 'PUT',
      path: WEBHOOK,
      body: { url: URL_GIVEN, secret: PLANTED },
    });
    const minted = (await token.rest('POST', ROTATE, {})).body.secret as string;
    await app.sql`update events_webhook set secret = ${`v1.${Buffer.from(PLANTED).toString('base64url')}`}`;
    await emit(app);
    await pass(app);
    expect(logged, 'a secret that does not open is said in the log').toContain('does not open');
    await set({ url: URL_GIVEN, secret: PLANTED });
    dns.says('hooks.example.com', { addresses: ['127.0.0.1'] });
    await emit(app, 3);
    await pass(app);

    const answers = [];
    for (const path of [
      WEBHOOK,
      '/api/admin/events/recent',
      '/api/settings',
      '/api/admin/audit?limit=200',
      '/openapi.json',
      '/api/me',
    ])
      answers.push((await app.admin.rest('GET', path)).body);
    for (const path of [WEBHOOK, '/api/admin/events/recent'])
      answers.push(await token.tool('admin_request', { method: 'GET', path }));
    answers.push((await app.admin.rest('DELETE', WEBHOOK)).body);

    const tables = await app.sql<
      { name: string }[]
    >`select tablename as name from pg_tables where schemaname = 'public'`;
    expect(tables.length).toBeGreaterThan(10);
    for (const { name } of tables) answers.push(await app.sql`select t::text from ${app.sql(name)} t`);
    const everything = JSON.stringify(answers) + logged;
    for (const secret of [PLANTED, minted])
      for (const form of [
        secret,
        Buffer.from(secret).toString('base64url').slice(0, 30),
        Buffer.from(secret).toString('hex'),
      ])
        expect(everything.includes(form), form).toBe(false);
  });

  test('the type that holds it cannot be turned into JSON, text or a log line', () => {
    const secret = new Secret(PLANTED);
    expect(() => JSON.stringify({ secret })).toThrow('a secret');
    for (const text of [
      String(secret),
      inspect({ secret }),
      inspect(secret, { showHidden: true, depth: 9 }),
      Object.values(secret).join(),
    ])
      expect(text).not.toContain(PLANTED);
    let line = '';
    pino({}, new Writable({ write: (part, _, done) => ((line += String(part)), done()) })).info(
      { secret },
      'x',
    );
    expect(line).not.toContain(PLANTED);
    expect(secret.reveal()).toBe(PLANTED);
  });
});
