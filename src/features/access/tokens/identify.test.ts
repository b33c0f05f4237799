// Covers who a token is (interface specification §3, §5; domain.md §1.1): refused at once when it is worth
// nothing, its user's rights at every request, and an agent's for good from its first agent's turn on.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { DAY_MS, MINUTE_MS } from '../../../kernel/clock.ts';
import { UNAUTHORIZED } from '../../../kernel/sentences.ts';
import { openIdentify } from './identify.ts';
import { drawValue } from './value.ts';

let app: TestApp;
let other: TestApp;
beforeAll(async () => {
  [app, other] = await Promise.all([openTestApp(), openTestApp({ name: 'other' })]);
});
afterAll(() => Promise.all([app.close(), other.close()]));

async function isRefused(value: string | null, on: TestApp = app): Promise<void> {
  const direct = await on.bearer(value).rest('GET', '/api/me');
  expect(direct).toMatchObject({
    status: 401,
    body: { error: { code: 'unauthorized', message: UNAUTHORIZED } },
  });
  const agent = await on.bearer(value).rpc('tools/list');
  expect(agent).toMatchObject({ error: { code: -32001, message: UNAUTHORIZED } });
}

test('C9: a missing, truncated, lengthened, case-changed, padded, invented or other instance’s token is refused in one sentence', async () => {
  const { value } = await app.token();
  const foreign = await other.token();
  const swapped = value.slice(0, 20) + value.slice(20).toUpperCase();
  for (const wrong of [
    null,
    value.slice(0, -1),
    `${value}a`,
    swapped,
    value.slice(4),
    drawValue(),
    'nck_',
    'x',
  ])
    await isRefused(wrong);
  await isRefused(foreign.value);
  await isRefused(value, other);
  expect((await app.bearer(value).rest('GET', '/api/me')).status).toBe(200);
});

test('a value with a wrong checksum or shape never reaches the database, once the provisioning key is dead', async () => {
  let asked = 0;
  const { database } = app.instance.app;
  const reader = new Proxy(database.reader, {
    apply: (target, self, args: unknown[]) => (asked++, Reflect.apply(target as never, self, args)),
  });
  const identify = openIdentify({ ...database, reader }, app.clock);
  const source = { turn: 'direct', surface: 'rest' } as const;
  const value = drawValue();
  expect(await identify.bearer('nonsense', source)).toBeNull(); // learns that the key is dead
  asked = 0;
  for (const wrong of ['nonsense', value.slice(0, -1), value.toLowerCase(), `${value} `])
    expect(await identify.bearer(wrong, source)).toBeNull();
  expect(await identify.session('nonsense', source)).toBeNull();
  expect(asked).toBe(0);
  expect(await identify.bearer(value, source)).toBeNull();
  expect(asked).toBeGreaterThan(0);
});

test('an expired token is refused from that moment on, and a deleted one from the next request on', async () => {
  const expiring = await other.token({ expires_in: 1 });
  const forever = await other.token({ expires_in: 0 });
  other.clock.advance(DAY_MS - MINUTE_MS);
  expect((await expiring.rest('GET', '/api/me')).status).toBe(200);
  other.clock.advance(MINUTE_MS);
  await isRefused(expiring.value, other);
  other.clock.advance(400 * DAY_MS);
  expect((await forever.rest('GET', '/api/me')).status).toBe(200);
  const doomed = await app.token();
  expect((await doomed.rest('GET', '/api/me')).status).toBe(200);
  await app.admin.rest('DELETE', `/api/admin/tokens/${doomed.id}`);
  await isRefused(doomed.value);
});

test('C14: a bound token has its user’s rights of this moment: demoted, attached, detached and disabled users included', async () => {
  const ben = await app.person({ admin: true });
  const token = await app.token({ user_id: ben.id });
  const change = (changes: object) => app.admin.rest('PATCH', `/api/admin/users/${ben.id}`, changes);
  const audit = async () => (await token.rest('GET', '/api/admin/audit?limit=1')).status;
  expect(await audit()).toBe(200);
  await change({ admin: false });
  expect(await audit()).toBe(403);
  await change({ policies: ['auditor'] });
  expect(await audit()).toBe(200);
  await change({ policies: [] });
  const group = await app.admin.rest('POST', '/api/admin/groups', {
    name: 'Auditors',
    members: [ben.id],
    policies: ['auditor'],
  });
  expect(await audit()).toBe(200);
  await app.admin.rest('DELETE', `/api/admin/groups/${group.body.group.id}`);
  expect(await audit()).toBe(403);
  await app.admin.rest('POST', `/api/admin/users/${ben.id}/disable`, {});
  await isRefused(token.value);
  await change({ state: 'active' });
  expect((await token.rest('GET', '/api/me')).status).toBe(200);
});

test('A13: a service token without a policy can do nothing, and with one nothing else', async () => {
  const bare = await app.token({ mode: 'service', scopes: { wire: true, scripts: true } });
  for (const path of [
    '/api/me',
    '/api/settings',
    '/api/work/projects',
    '/api/admin/users',
    '/api/me/notifications',
  ])
    expect(await bare.rest('GET', path), path).toMatchObject({
      status: 403,
      body: { error: { code: 'policy_denied' } },
    });
  const auditor = await app.token({ mode: 'service', policies: ['auditor'] });
  expect((await auditor.rest('GET', '/api/admin/audit?limit=1')).status).toBe(200);
  expect((await auditor.rest('GET', '/api/me')).body).toMatchObject({
    principal: { kind: 'service' },
    agent: true,
    user: null,
    policies: ['auditor'],
  });
  expect((await auditor.rest('DELETE', `/api/admin/tokens/${bare.id}`)).status).toBe(403);
});

test('a bound token is a person until its first agent’s turn, and an agent’s for good from then on', async () => {
  const token = await app.token();
  const me = async () => (await token.rest('GET', '/api/me')).body;
  expect(await me()).toMatchObject({ principal: { kind: 'person', id: app.admin.id }, agent: false });
  expect((await token.tool('api_request', { method: 'GET', path: '/api/me' })).json).toMatchObject({
    principal: { kind: 'agent', id: token.id },
    agent: true,
  });
  expect(await me()).toMatchObject({
    principal: { kind: 'agent', id: token.id, name: token.name },
    agent: true,
    admin: true,
  });
  app.clock.advance(MINUTE_MS);
  expect(await me()).toMatchObject({ agent: true });
  const [row] =
    await app.sql`select principal_kind, on_behalf_of_name from audit where token_id = ${token.id} limit 1`;
  if (row) expect(row).toEqual({ principal_kind: 'agent', on_behalf_of_name: 'Ada Operator' });
});

test('the mark is before the first agent’s turn is answered, even where the turn is refused', async () => {
  const token = await app.token();
  await token.rpc('no/such/method');
  expect((await token.rest('GET', '/api/me')).body).toMatchObject({ agent: true });
});

test('when a token was last used is kept to the minute', async () => {
  const token = await app.token();
  const used = async () => {
    await token.rest('GET', '/api/me');
    await new Promise((resolve) => setTimeout(resolve, 100)); // it is not waited for
    return (
      await app.sql<{ last_used_at: Date }[]>`select last_used_at from tokens where id = ${token.id}`
    )[0]?.last_used_at.getTime();
  };
  const first = await used();
  expect(await used()).toBe(first);
  app.clock.advance(MINUTE_MS);
  expect(await used()).toBeGreaterThan(first ?? 0);
});

test('C10: a token anywhere but in the Authorization header is no one’s', async () => {
  const { value } = await app.token();
  const nobody = app.bearer(null);
  const tries = [
    await nobody.rest('GET', `/api/me?access_token=${value}`),
    await nobody.rest('GET', '/api/me', undefined, { 'x-api-key': value }),
    await nobody.rest('GET', '/api/me', undefined, { authorization: `Basic ${btoa(`x:${value}`)}` }),
    await nobody.rest('GET', '/api/me', undefined, { cookie: `dunnock_session=${value}` }),
  ];
  for (const answer of tries) expect(answer.status).toBe(401);
});

test('C11: a request with a token and a cookie is the token’s, and a bad token is not rescued by a good cookie', async () => {
  const ben = await app.person();
  const token = await app.token({ user_id: ben.id });
  const both = await token.rest('GET', '/api/me', undefined, {
    cookie: app.admin.cookie,
    origin: app.url,
  });
  expect(both.body).toMatchObject({ via: 'token', admin: false, user: { id: ben.id } });
  const bad = await app
    .bearer(drawValue())
    .rest('GET', '/api/me', undefined, { cookie: app.admin.cookie, origin: app.url });
  expect(bad.status).toBe(401);
});

test('C17: wrong tokens are counted for the address they come from, behind a proxy too, and a good one is never locked out', async () => {
  const good = await app.token();
  const from = (address: string, value: string | null) =>
    app.bearer(value).rest('POST', '/mcp', {}, { 'x-forwarded-for': address });
  for (let round = 0; round < 12; round++)
    await Promise.all(Array.from({ length: 50 }, () => from('198.51.100.7', 'wrong')));
  expect((await from('198.51.100.7', 'wrong')).status).toBe(429);
  expect((await from('198.51.100.7', good.value)).status).toBe(400);
  expect((await from('198.51.100.7', null)).status).toBe(401);
  expect((await from('198.51.100.8', 'wrong')).status).toBe(401);
});
