// Pages that are not ours, in the browser of someone who is signed in here: rebound names, forms, scripts and preflights.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS } from '../support/browser.ts';
import { openTestApp, type TestApp, type TokenClient } from '../support/app.ts';

let app: TestApp;
let token: TokenClient;
beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS, baseUrl: 'own' });
  token = await app.token({ scopes: { wire: true } });
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});
afterAll(async () => app?.close());

type Got = { status: number; headers: Record<string, string | string[] | undefined>; body: string };

/** As a browser sends it: with a Host of its own, which `fetch` lets no one name. */
function ask(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body: string | Buffer = '',
): Promise<Got> {
  const { promise, resolve, reject } = Promise.withResolvers<Got>();
  const sent = request(app.url + path, { method, headers }, async (response) => {
    const pieces: Buffer[] = [];
    for await (const piece of response) {
      pieces.push(piece as Buffer);
      // A stream that was let in is as good as an answer.
      if (String(response.headers['content-type']).startsWith('text/event-stream')) break;
    }
    const { statusCode = 0, headers: got } = response;
    resolve({ status: statusCode, headers: got, body: Buffer.concat(pieces).toString('utf8') });
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

const cookie = () => ({ cookie: app.admin.cookie });
const items = async (): Promise<number> => {
  const [row] = await app.sql<{ count: number }[]>`select count(*)::int as count from work_items`;
  return row?.count ?? -1;
};
const JSON_TYPE = { 'content-type': 'application/json' };
const CARD = JSON.stringify({ project: 'OUT', title: 'Made by a foreign page' });

const REBOUND = [
  'evil.example',
  'evil.example:80',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '127.0.0.1.nip.io',
  '[::2]',
  '10.0.0.1',
  '169.254.169.254',
  '2130706433',
  '0x7f000001',
  'localhost@evil.example',
];

describe('a name that was rebound to this machine', () => {
  test.each(REBOUND)('Host %s reads nothing and does nothing, on any entry point', async (host) => {
    const rpc = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const bearer = { authorization: `Bearer ${token.value}` };
    const before = await items();
    for (const got of [
      await ask('POST', '/mcp', { host, ...bearer, ...JSON_TYPE }, rpc),
      await ask('GET', '/api/me', { host, ...cookie() }),
      await ask('GET', '/api/me', { host, ...bearer }),
      await ask('GET', '/api/events', { host, ...cookie() }),
      await ask('GET', '/api/auth/state', { host }),
      await ask(
        'POST',
        '/api/work/items',
        { host, origin: `http://${host}`, ...cookie(), ...JSON_TYPE },
        CARD,
      ),
      await ask('POST', '/api/auth/login', { host, ...JSON_TYPE }, '{}'),
      await ask('GET', '/metrics', { host, ...bearer }),
      await ask('GET', '/', { host }),
      await ask('GET', '/work', { host, ...cookie() }),
    ])
      expect([got.status, got.body.includes('<html')], got.body.slice(0, 200)).toEqual([403, false]);
    expect(await items()).toBe(before);
  });

  test('our own names are let in', async () => {
    const { port, host } = new URL(app.url);
    for (const name of [host, `localhost:${port}`, `127.0.0.2:${port}`, `[::1]:${port}`])
      expect((await ask('GET', '/api/me', { host: name, ...cookie() })).status, name).toBe(200);
  });
});

describe('a foreign page in the browser of someone who is signed in', () => {
  const ORIGINS = [
    'https://evil.example',
    'null',
    'http://127.0.0.1:1',
    'http://localhost',
    'https://127.0.0.1',
    'http://127.0.0.1.evil.example',
    'file://',
    'chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  ];
  test.each(ORIGINS)('with the Origin %s neither writes nor reads', async (origin) => {
    const before = await items();
    const posted = await ask('POST', '/api/work/items', { origin, ...cookie(), ...JSON_TYPE }, CARD);
    const read = await ask('GET', '/api/me', { origin, ...cookie() });
    for (const got of [posted, read]) {
      expect(got.status).toBe(403);
      expect(got.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(await items()).toBe(before);
  });

  test.each(['cross-site', 'same-site'])(
    'said to be %s by the browser, neither writes nor reads',
    async (site) => {
      const before = await items();
      const fetched = { 'sec-fetch-site': site, ...cookie() };
      for (const got of [
        await ask('POST', '/api/work/items', { ...fetched, ...JSON_TYPE }, CARD),
        await ask('GET', '/api/me', fetched),
        await ask('GET', '/api/events', fetched),
        await ask('DELETE', '/api/me/totp', fetched),
      ])
        expect(got.status, got.body).toBe(403);
      expect(await items()).toBe(before);
    },
  );

  test('a write with a cookie and without a word of where it comes from is refused', async () => {
    const got = await ask('POST', '/api/work/items', { ...cookie(), ...JSON_TYPE }, CARD);
    expect([got.status, JSON.parse(got.body).error.code]).toEqual([403, 'session_only']);
    const navigated = { 'sec-fetch-site': 'none', ...cookie(), ...JSON_TYPE };
    expect((await ask('POST', '/api/work/items', navigated, CARD)).status).toBe(403);
  });

  test.each([
    ['text/plain', CARD],
    ['application/x-www-form-urlencoded', `${CARD}=`],
    ['application/x-www-form-urlencoded', 'project=OUT&title=Forged'],
    [
      'multipart/form-data; boundary=x',
      `--x\r\nContent-Disposition: form-data; name="project"\r\n\r\nOUT\r\n--x--\r\n`,
    ],
    ['', CARD],
  ])('a form, which needs no preflight, is no JSON: %s', async (type, body) => {
    const before = await items();
    // From our own page too, so that it is the type that is refused.
    for (const origin of [app.url, 'https://evil.example']) {
      const got = await ask(
        'POST',
        '/api/work/items',
        { origin, ...cookie(), ...(type !== '' && { 'content-type': type }) },
        body,
      );
      expect([400, 403, 415], got.body).toContain(got.status);
    }
    expect(await items()).toBe(before);
  });

  test('signing in, setting up and signing out are no act of a foreign page either', async () => {
    const body = JSON.stringify({ email: app.admin.email, password: app.admin.password });
    for (const [path, given] of [
      ['/api/auth/login', body],
      ['/api/auth/logout', '{}'],
      [
        '/api/auth/setup',
        JSON.stringify({ key: app.key, name: 'E', email: 'e@e.example', password: 'x'.repeat(20) }),
      ],
    ] as const) {
      const got = await ask(
        'POST',
        path,
        { origin: 'https://evil.example', ...JSON_TYPE, ...cookie() },
        given,
      );
      expect([got.status, got.headers['set-cookie']], path).toEqual([403, undefined]);
    }
    expect((await ask('GET', '/api/me', cookie())).status).toBe(200);
  });

  test.each(['/api/work/items', '/api/me', '/mcp', '/api/events', '/api/admin/crm/people/import'])(
    'a preflight for %s lets nothing through',
    async (path) => {
      const got = await ask('OPTIONS', path, {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      });
      expect(got.status).toBeGreaterThanOrEqual(400);
      for (const name of Object.keys(got.headers)) expect(name).not.toMatch(/^access-control-/);
    },
  );

  test('no answer anywhere names another origin that may read it', async () => {
    for (const path of [
      '/',
      '/api/me',
      '/openapi.json',
      '/healthz',
      '/oauth/client.json',
      '/.well-known/x',
      '/u/x',
    ]) {
      const got = await ask('GET', path, cookie());
      expect(got.headers['access-control-allow-origin'], path).toBeUndefined();
      expect(got.headers['access-control-allow-credentials'], path).toBeUndefined();
    }
  });

  test('a file of an import is taken from our own page alone', async () => {
    const route = '/api/admin/crm/people/import';
    const form = [
      '--x',
      'Content-Disposition: form-data; name="file"; filename="people.csv"',
      'Content-Type: text/csv',
      '',
      'email\nnoor@acme.example',
      '--x--',
      '',
    ].join('\r\n');
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    const count = async () =>
      (await app.sql`select count(*)::int as n from import_previews`)[0]?.['n'] as number;
    const before = await count();
    const sources: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      {},
    ];
    for (const from of sources) {
      const got = await ask('POST', route, { ...from, ...cookie(), ...type }, form);
      expect(got.status, JSON.stringify(from)).toBe(403);
    }
    expect(await count()).toBe(before);
  });
});
