// Covers minting through the entry points (interface specification §2.2, §5): who mints what, and that no token does.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { DAY_MS } from '../../../kernel/clock.ts';
import { TOKEN_CANNOT_MINT } from '../../../kernel/sentences.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const mint = (asked: object) => app.admin.rest('POST', '/api/admin/tokens', asked);

test('a mint shows the value once and everything the token is', async () => {
  const before = app.clock.now().getTime();
  const minted = await mint({ name: 'scout', mode: 'user', expires_in: 90, scopes: { wire: true } });
  expect(minted.status).toBe(201);
  const { token, value } = minted.body;
  expect(value).toMatch(/^nck_[0-9A-Za-z]{49}$/);
  expect(token).toEqual({
    id: expect.any(String),
    name: 'scout',
    mode: 'user',
    user_id: app.admin.id,
    user_name: 'Ada Operator',
    policies: [],
    scopes: { wire: true, scripts: false },
    expires_at: expect.any(String),
    created_at: expect.any(String),
    created_by: { kind: 'person', id: app.admin.id, name: 'Ada Operator' },
    last_used_at: null,
    first_agent_turn_at: null,
    hint: value.slice(-4),
  });
  expect(Date.parse(token.expires_at) - before).toBeGreaterThanOrEqual(90 * DAY_MS);
  expect(Date.parse(token.expires_at) - before).toBeLessThan(90 * DAY_MS + 60_000);
});

test('C16: the value is nowhere afterwards: not in the list, the database or the audit log, and neither is its hash in an answer', async () => {
  const token = await app.token({ name: 'kept-secret' });
  const [row] = await app.sql<
    { hash: string }[]
  >`select encode(hash, 'hex') as hash from tokens where id = ${token.id}`;
  for (const path of ['/api/admin/tokens', '/api/admin/audit', '/api/me', '/api/admin/users']) {
    const { body } = await app.admin.rest('GET', path);
    expect(JSON.stringify(body)).not.toContain(token.value);
    expect(JSON.stringify(body)).not.toContain(row?.hash);
  }
  for (const table of ['tokens', 'audit', 'idempotency_keys', 'notifications'])
    expect(
      await app.sql`select 1 from ${app.sql(table)} x where position(${token.value} in x::text) > 0`,
      table,
    ).toEqual([]);
});

test('C1: every token is refused on the mint route, whatever it is and whatever it carries, before its body is read', async () => {
  const admin = await app.token({ name: 'mint-admin', scopes: { wire: true, scripts: true } });
  const service = await app.token({
    name: 'mint-service',
    mode: 'service',
    policies: ['read-all'],
    scopes: { wire: true, scripts: true },
  });
  const count = async () => (await app.sql`select count(*) as tokens from tokens`)[0]?.['tokens'];
  const before = await count();
  for (const token of [admin, service])
    for (const body of [{ name: 'second', mode: 'user' }, { name: 'api', mode: 7 }, {}]) {
      const direct = await token.rest('POST', '/api/admin/tokens', body);
      expect(direct).toMatchObject({
        status: 403,
        body: { error: { code: 'token_cannot_mint', message: TOKEN_CANNOT_MINT } },
      });
      for (const tool of ['api_request', 'admin_request']) {
        const agent = await token.tool(tool, { method: 'POST', path: '/api/admin/tokens', body });
        expect(agent).toEqual({
          isError: true,
          text: `HTTP 403: ${TOKEN_CANNOT_MINT}`,
          json: expect.anything(),
        });
      }
    }
  expect((await admin.rest('POST', '/api/admin/tokens', '{"broken')).body.error.message).toBe(
    TOKEN_CANNOT_MINT,
  );
  expect(await count()).toBe(before);
  const [row] = await app.sql`
    select token_name, principal_kind, surface, outcome, code from audit
    where act = 'token_mint' and token_name = 'mint-service' and surface = 'mcp' limit 1`;
  expect(row).toMatchObject({ principal_kind: 'service', outcome: 'refused', code: 'token_cannot_mint' });
});

test('C2: nothing of a token can be changed, by no one', async () => {
  const token = await app.token({ name: 'fixed' });
  for (const [client, method] of [
    [app.admin, 'PATCH'],
    [app.admin, 'PUT'],
    [token, 'PATCH'],
  ] as const) {
    const answer = await client.rest(method, `/api/admin/tokens/${token.id}`, {
      scopes: { wire: true },
      expires_in: 0,
    });
    expect([404, 405]).toContain(answer.status);
  }
});

test('scopes are off by default and never inherited', async () => {
  const token = await app.token({ name: 'plain' });
  expect((await token.rest('GET', '/api/me')).body).toMatchObject({
    admin: true,
    scopes: { wire: false, scripts: false },
  });
});

test('whoever gets a token from someone else hears of it', async () => {
  const ben = await app.person();
  await app.token({ name: 'for-ben', user_id: ben.id });
  const { items } = (await ben.rest('GET', '/api/me/notifications')).body;
  expect(items).toMatchObject([
    { kind: 'token.minted', read_at: null, sentence: expect.stringContaining('"for-ben"') },
  ]);
  expect((await ben.rest('GET', '/api/me')).body.unread_notifications).toBe(1);
  await ben.rest('POST', '/api/me/notifications/read', {});
  expect((await ben.rest('GET', '/api/me')).body.unread_notifications).toBe(0);
  expect((await app.admin.rest('GET', '/api/me/notifications')).body.items).toEqual([]);
});

test('what cannot be minted is refused and names the field', async () => {
  const invited = await app.admin.rest('POST', '/api/admin/users/invite', { email: 'late@example.com' });
  const cases: [object, string][] = [
    [{ name: 'x', mode: 'user', policies: ['read-all'] }, 'policies'],
    [{ name: 'x', mode: 'service', policies: ['read-most'] }, 'policies'],
    [{ name: 'x', mode: 'service', user_id: app.admin.id }, 'user_id'],
    [{ name: 'x', mode: 'user', user_id: '0198c0de-0000-7000-8000-000000000009' }, 'user_id'],
    [{ name: 'x', mode: 'user', user_id: invited.body.user.id }, 'user_id'],
    [{ name: 'api', mode: 'user' }, 'name'],
    [{ name: 'x', mode: 'user', expires_in: '30' }, 'expires_in'],
    [{ name: 'x', mode: 'root' }, 'mode'],
    [{ name: 'x', mode: 'user', admin: true }, 'admin'],
  ];
  for (const [asked, field] of cases) {
    const answer = await mint(asked);
    expect(answer.status, JSON.stringify(asked)).toBe(400);
    expect(Object.keys(answer.body.error.details.fields)).toEqual([field]);
  }
  const both = await mint({ name: 'Api', mode: 'root', expires_in: 400 });
  expect(Object.keys(both.body.error.details.fields).sort()).toEqual(['expires_in', 'mode', 'name']);
});

test('a lost token is minted again, under the same name if one likes', async () => {
  const lost = await app.token({ name: 'twin' });
  const again = await app.token({ name: 'twin' });
  expect(again.id).not.toBe(lost.id);
  expect((await again.rest('GET', '/api/me')).body.principal.name).toBe('Ada Operator');
});

test('only an administrator mints: a policy that allows everything is not enough', async () => {
  await app.admin.rest('POST', '/api/admin/policies', {
    name: 'everything',
    version: 1,
    statements: [{ effect: 'allow', actions: ['*'], resources: ['*'] }],
  });
  const mighty = await app.person({ policies: ['everything'] });
  expect((await mighty.rest('GET', '/api/admin/tokens')).status).toBe(200);
  const asked = { name: 'mine', mode: 'user', user_id: app.admin.id };
  expect(await mighty.rest('POST', '/api/admin/tokens', asked)).toMatchObject({
    status: 403,
    body: { error: { code: 'policy_denied' } },
  });
  const plain = await app.person();
  expect(await plain.rest('POST', '/api/admin/tokens', {})).toMatchObject({
    status: 403,
    body: { error: { code: 'policy_denied' } },
  });
});

test('the list is newest first, pages by key and shows no value', async () => {
  const first = await app.admin.rest('GET', '/api/admin/tokens?limit=2');
  expect(first.body.items).toHaveLength(2);
  const rest = await app.admin.rest('GET', `/api/admin/tokens?limit=200&cursor=${first.body.next_cursor}`);
  expect(rest.body.next_cursor).toBeNull();
  const ids: string[] = [...first.body.items, ...rest.body.items].map((token: { id: string }) => token.id);
  expect(ids).toEqual([...ids].sort().reverse());
  expect(JSON.stringify(first.body)).not.toContain('nck_');
});

test('a token may delete tokens, itself included, and keeps nothing but the audit log', async () => {
  const cleaner = await app.token({ name: 'cleaner' });
  const old = await app.token({ name: 'old' });
  expect((await cleaner.rest('DELETE', `/api/admin/tokens/${old.id}`)).body).toEqual({ ok: true });
  expect((await cleaner.rest('DELETE', `/api/admin/tokens/${old.id}`)).status).toBe(404);
  expect((await cleaner.rest('DELETE', `/api/admin/tokens/${cleaner.id}`)).status).toBe(200);
  expect((await cleaner.rest('GET', '/api/me')).status).toBe(401);
  const rows =
    await app.sql`select token_name, resource from audit where act = 'token_delete' and outcome = 'done' order by id`;
  expect(rows).toEqual([
    { token_name: 'cleaner', resource: `admin:token/${old.id}` },
    { token_name: 'cleaner', resource: `admin:token/${cleaner.id}` },
  ]);
});
