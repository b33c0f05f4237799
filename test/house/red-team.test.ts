// Ways past the gates that belong to no single feature, one test an attempt, named by its row of the red-team list.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as says from '../../src/kernel/sentences.ts';
import { fingerprint } from '../support/fingerprint.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(async () => app.close());

const INVITE = { method: 'POST', path: '/api/admin/users/invite', body: { email: 'guest@example.com' } };

/** Runs an attempt and asserts that no table but the audit log changed. */
async function leavesNothing<T>(attempt: () => Promise<T>): Promise<T> {
  const before = await fingerprint(app);
  const answer = await attempt();
  expect(await fingerprint(app)).toBe(before);
  return answer;
}

describe('A: the wire gate', () => {
  test('A15: a gated field smuggled into the change of a whole record is refused, and not applied in silence', async () => {
    const token = await app.token({ scopes: { wire: true, scripts: true } });
    const attempts: [method: string, path: string, body: Record<string, unknown>][] = [
      [
        'PATCH',
        '/api/admin/settings/security',
        { decide_on_screen_only: false, events_url: 'https://evil.example/' },
      ],
      ['PATCH', `/api/admin/users/${app.admin.id}`, { name: 'Ada', admin: true }],
      ['PATCH', '/api/me', { name: 'Ada', admin: true }],
    ];
    for (const [method, path, body] of attempts) {
      expect((await leavesNothing(() => token.rest(method, path, body))).status).toBe(403);
      const person = await app.admin.rest(method, path, {
        ...body,
        policies: ['read-all'],
        wire: true,
        scopes: { wire: true },
      });
      expect(person.status, path).toBe(400);
    }
  });

  test('A16: one gated item among many makes the whole call refused: the endpoint takes no batch', async () => {
    const token = await app.token();
    const batch = JSON.stringify(
      [1, 2].map((id) => ({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'api_request', arguments: INVITE },
      })),
    );
    const answer = await leavesNothing(() => token.rest('POST', '/mcp', batch));
    expect(answer).toMatchObject({ status: 400, body: { error: { code: -32600 } } });
  });
});

test('B9: a second account at the same address, differently written, is not to be had', async () => {
  for (const email of ['Ada@example.com', 'ada@EXAMPLE.com', ' ada@example.com'])
    expect((await app.admin.rest('POST', '/api/admin/users/invite', { email })).status, email).not.toBe(201);
});

describe('C: tokens and sessions', () => {
  test('C12: a cookie alone at /mcp, from another site or our own, is no token', async () => {
    for (const origin of ['https://evil.example', app.url]) {
      const answer = await leavesNothing(() =>
        app.admin.rest('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { origin }),
      );
      expect(answer.status).toBe(origin === app.url ? 401 : 403);
    }
  });

  test('C12: a call with the cookie from a foreign page, or as plain text, is refused', async () => {
    const body = JSON.stringify({ key: 'EVIL', name: 'Evil' });
    const foreign = { origin: 'https://evil.example' };
    const sibling = { 'sec-fetch-site': 'same-site', origin: app.url };
    const plain = { 'content-type': 'text/plain' };
    for (const [headers, status] of [
      [foreign, 403],
      [sibling, 403],
      [plain, 415],
    ] as const)
      expect(
        (await leavesNothing(() => app.admin.rest('POST', '/api/work/projects', body, headers))).status,
      ).toBe(status);
  });

  test('C13: a token is refused from the request after its deletion on: nothing caches it', async () => {
    const token = await app.token();
    expect((await token.rest('GET', '/api/me')).status).toBe(200);
    await app.admin.rest('DELETE', `/api/admin/tokens/${token.id}`);
    expect((await token.rest('GET', '/api/me')).status).toBe(401);
    expect((await token.rpc('ping')).error.code).toBe(-32001);
  });

  test('C15: a token that expires starts nothing new', async () => {
    const token = await app.token({ expires_in: 1 });
    expect((await token.rpc('ping')).result).toEqual({});
    app.clock.advance(24 * 3_600_000);
    expect((await token.rpc('ping')).error).toEqual({ code: -32001, message: says.UNAUTHORIZED });
    app.clock.advance(-24 * 3_600_000);
  });

  test('C17: guessing tokens is slowed for the address, and a right one is never locked out', async () => {
    const other = await openTestApp();
    const token = await other.token();
    const wrong = other.bearer('nck_' + 'x'.repeat(49));
    const statuses = new Set<number>();
    for (let round = 0; round < 7; round++)
      for (const { status } of await Promise.all(
        Array.from({ length: 100 }, () => wrong.rest('GET', '/api/me')),
      ))
        statuses.add(status);
    expect([...statuses].sort()).toEqual([401, 429]);
    expect((await token.rest('GET', '/api/me')).status).toBe(200);
    await other.close();
  });

  test('C18: a tool called like a property of an object is no tool', async () => {
    const token = await app.token();
    for (const name of [
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'Work_Search',
      'work_search ',
    ])
      expect((await token.rpc('tools/call', { name, arguments: {} })).error, name).toMatchObject({
        code: -32602,
      });
  });
});

test('E10: admin_request reaches no work route by any spelling', async () => {
  const token = await app.token();
  for (const path of [
    '/api/work/items',
    '/api/Work/items',
    '/api/admin/../work/items',
    '/api/admin/%2e%2e/work/items',
    '/api/admin//work/items',
    '/API/WORK/ITEMS',
    '/api/work',
  ])
    expect((await token.tool('admin_request', { method: 'GET', path })).text, path).toBe(
      says.PATH_OUTSIDE_ADMIN,
    );
});
