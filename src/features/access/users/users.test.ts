// Covers the roster: inviting on every route, who may change rights, and that an administrator always stays.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { WIRE_REQUIRED } from '../../../kernel/sentences.ts';
import { RIGHTS_ARE_SET_ON_SCREEN } from './contract.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const INVITE = '/api/admin/users/invite';
let count = 0;
const address = () => `new${++count}@example.com`;

/** What no refusal may change. */
async function standing(): Promise<unknown> {
  const [row] = await app.sql`
    select (select md5(string_agg(u::text, '' order by id)) from users u) as users,
      (select md5(string_agg(i::text, '' order by id)) from invites i) as invites,
      (select md5(string_agg(p::text, '' order by p::text)) from (select * from user_policies union all select * from group_policies) p) as carried`;
  return row;
}

test('A2, A3, A4, A11: an administrator’s token without wire invites no one, on no route', async () => {
  const token = await app.token();
  const before = await standing();
  const body = { email: address() };
  expect(await token.rest('POST', INVITE, body)).toMatchObject({
    status: 403,
    body: { error: { code: 'wire_required', message: WIRE_REQUIRED } },
  });
  for (const tool of ['api_request', 'admin_request'])
    expect((await token.tool(tool, { method: 'POST', path: INVITE, body })).text).toBe(
      `HTTP 403: ${WIRE_REQUIRED}`,
    );
  expect(await standing()).toEqual(before);
  const rows = await app.sql`
    select principal_kind, surface, token_name from audit where act = 'user_invite' and code = 'wire_required' order by id`;
  expect(rows).toMatchObject([
    { principal_kind: 'person', surface: 'rest', token_name: token.name },
    { principal_kind: 'agent', surface: 'mcp' },
    { principal_kind: 'agent', surface: 'mcp' },
  ]);
});

test('A12, A13: wire without the policy is refused by policy: scopes never grant', async () => {
  const ben = await app.person();
  const bound = await app.token({ user_id: ben.id, scopes: { wire: true } });
  const service = await app.token({ mode: 'service', scopes: { wire: true } });
  const before = await standing();
  for (const token of [bound, service])
    expect(await token.rest('POST', INVITE, { email: address() })).toMatchObject({
      status: 403,
      body: { error: { code: 'policy_denied' } },
    });
  expect(await standing()).toEqual(before);
});

test('a token with wire and the right invites, sees no link, and gives no rights', async () => {
  const token = await app.token({ scopes: { wire: true } });
  const invited = await token.rest('POST', INVITE, { email: address(), name: 'Nora' });
  expect(invited).toMatchObject({
    status: 201,
    body: { link: null, user: { name: 'Nora', state: 'invited', admin: false, policies: [] } },
  });
  const before = await standing();
  for (const rights of [
    { admin: true },
    { policies: ['read-all'] },
    { groups: ['0198c0de-0000-7000-8000-000000000007'] },
  ]) {
    const refused = await token.rest('POST', INVITE, { email: address(), ...rights });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'session_only' } } });
    expect(refused.body.error.message).toContain('can’t grant permissions');
  }
  expect(await standing()).toEqual(before);
});

test('an invitation in a session carries rights, and inviting again replaces the link', async () => {
  const email = address();
  const first = await app.admin.rest('POST', INVITE, { email, admin: true, policies: ['auditor'] });
  expect(first.body).toMatchObject({
    user: { admin: true, policies: ['auditor'] },
    link: expect.stringContaining('/invite/'),
  });
  const second = await app.admin.rest('POST', INVITE, { email: email.toUpperCase() });
  expect(second.body.user).toMatchObject({ id: first.body.user.id, admin: true });
  expect(second.body.user.invite_id).not.toBe(first.body.user.invite_id);
  expect(await app.sql`select count(*) as open from invites where user_id = ${first.body.user.id}`).toEqual([
    { open: 1 },
  ]);
});

test('the link of an open invitation is worth its rights: no one gets a new one who could not give them', async () => {
  await app.admin.rest('POST', '/api/admin/policies', {
    name: 'inviter',
    version: 1,
    statements: [{ effect: 'allow', actions: ['admin.user.invite'], resources: ['*'] }],
  });
  const clerk = await app.person({ policies: ['inviter'] });
  expect((await clerk.rest('POST', INVITE, { email: address() })).status).toBe(201);
  const { group } = (await app.admin.rest('POST', '/api/admin/groups', { name: 'All' })).body;
  for (const rights of [{ policies: ['read-all'] }, { groups: [group.id] }])
    expect((await clerk.rest('POST', INVITE, { email: address(), ...rights })).status).toBe(403);
  const email = address();
  await app.admin.rest('POST', INVITE, { email, admin: true });
  const token = await app.token({ scopes: { wire: true } });
  const before = await standing();
  expect(await clerk.rest('POST', INVITE, { email })).toMatchObject({
    status: 403,
    body: { error: { code: 'policy_denied' } },
  });
  expect(await token.rest('POST', INVITE, { email })).toMatchObject({
    status: 403,
    body: { error: { code: 'session_only', message: expect.stringContaining('grants permissions') } },
  });
  expect(await standing()).toEqual(before);
});

test('an invitation asks for a step-up, one without rights and one made again included', async () => {
  const own = await openTestApp();
  await own.admin.rest('POST', INVITE, { email: 'boss@example.com', admin: true });
  own.clock.advance(11 * 60_000);
  for (const email of ['boss@example.com', 'nora@example.com'])
    expect(await own.admin.rest('POST', INVITE, { email })).toMatchObject({
      status: 403,
      body: { error: { code: 'step_up_required' } },
    });
  await own.close();
});

test('two invitations of one address at once make one user', async () => {
  const email = address();
  const answers = await Promise.all([1, 2, 3].map(() => app.admin.rest('POST', INVITE, { email })));
  expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201]);
  expect(await app.sql`select count(*) as people from users where email_key = ${email}`).toEqual([
    { people: 1 },
  ]);
});

test('side door 20: who is here or disabled is not invited again, in whatever spelling', async () => {
  const ben = await app.person();
  expect((await app.admin.rest('POST', INVITE, { email: ben.email.toUpperCase() })).status).toBe(409);
  await app.admin.rest('POST', `/api/admin/users/${ben.id}/disable`, {});
  const disabled = await app.admin.rest('POST', INVITE, { email: ben.email });
  expect(disabled).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('an administrator can enable them under Users') } },
  });
  const token = await app.token({ scopes: { wire: true } });
  expect(await token.rest('PATCH', `/api/admin/users/${ben.id}`, { state: 'active' })).toMatchObject({
    status: 403,
    body: { error: { code: 'session_only' } },
  });
});

test('an invitation is revoked by its id, and with it the user who never came', async () => {
  const { user } = (await app.admin.rest('POST', INVITE, { email: address() })).body;
  expect(await app.admin.rest('POST', `/api/admin/users/${user.id}/disable`, {})).toMatchObject({
    status: 409,
  });
  expect((await app.admin.rest('DELETE', `/api/admin/users/invites/${user.invite_id}`)).body).toEqual({
    ok: true,
  });
  expect((await app.admin.rest('GET', `/api/admin/users/${user.id}`)).status).toBe(404);
  expect((await app.admin.rest('DELETE', `/api/admin/users/invites/${user.invite_id}`)).status).toBe(404);
});

test('no token changes rights, an administrator’s with every scope included', async () => {
  const token = await app.token({ scopes: { wire: true, scripts: true } });
  const ben = await app.person();
  const before = await standing();
  const asked: [string, string, object?][] = [
    ['PATCH', `/api/admin/users/${ben.id}`, { admin: true }],
    ['POST', '/api/admin/groups', { name: 'Mine' }],
    ['POST', '/api/admin/policies', { name: 'mine', version: 1, statements: [] }],
    ['PATCH', '/api/admin/policies/mine', { version: 1, statements: [] }],
    ['DELETE', '/api/admin/policies/mine'],
  ];
  for (const [method, path, body] of asked) {
    const answer = await token.rest(method, path, body);
    expect(answer, path).toMatchObject({
      status: 403,
      body: { error: { code: 'session_only', message: RIGHTS_ARE_SET_ON_SCREEN } },
    });
    expect((await token.tool('admin_request', { method, path, body })).isError).toBe(true);
  }
  expect(await standing()).toEqual(before);
});

test('only an administrator makes administrators, whatever else a policy allows', async () => {
  await app.admin.rest('POST', '/api/admin/policies', {
    name: 'people-office',
    version: 1,
    statements: [{ effect: 'allow', actions: ['admin.user.*'], resources: ['*'] }],
  });
  const clerk = await app.person({ policies: ['people-office'] });
  expect((await clerk.rest('PATCH', `/api/admin/users/${clerk.id}`, { name: 'Clerk' })).status).toBe(200);
  expect((await clerk.rest('PATCH', `/api/admin/users/${clerk.id}`, { admin: true })).status).toBe(403);
  expect((await clerk.rest('POST', INVITE, { email: address(), admin: true })).status).toBe(403);
});

test('the last active administrator is neither disabled nor unmade, by no one, and two at once do not both go', async () => {
  const alone = await openTestApp();
  const refused = [
    await alone.admin.rest('POST', `/api/admin/users/${alone.admin.id}/disable`, {}),
    await alone.admin.rest('PATCH', `/api/admin/users/${alone.admin.id}`, { admin: false }),
  ];
  for (const answer of refused)
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('last active administrator') } },
    });
  const second = await alone.person({ admin: true });
  for (let round = 0; round < 3; round++) {
    const both = await Promise.all([
      alone.admin.rest('PATCH', `/api/admin/users/${second.id}`, { admin: false }),
      second.rest('PATCH', `/api/admin/users/${alone.admin.id}`, { admin: false }),
    ]);
    const left = await alone.sql<{ id: string }[]>`select id from users where admin and state = 'active'`;
    expect(left, both.map((answer) => answer.status).join()).toHaveLength(1);
    await alone.sql`update users set admin = true`;
  }
  await alone.close();
});

test('disabling ends sessions at once, and enabling brings no session back', async () => {
  const ben = await app.person();
  expect((await ben.rest('GET', '/api/me')).status).toBe(200);
  const disabled = await app.admin.rest('POST', `/api/admin/users/${ben.id}/disable`, {});
  expect(disabled.body.user).toMatchObject({ state: 'disabled' });
  expect((await ben.rest('GET', '/api/me')).status).toBe(401);
  expect((await app.signIn(ben.email, ben.password)).status).toBe(401);
  await app.admin.rest('PATCH', `/api/admin/users/${ben.id}`, { state: 'active' });
  expect((await ben.rest('GET', '/api/me')).status).toBe(401);
  expect((await app.signIn(ben.email, ben.password)).status).toBe(200);
});

test('a person whom a policy denies is neither read nor listed', async () => {
  const ben = await app.person();
  await app.admin.rest('POST', '/api/admin/policies', {
    name: 'all-but-ben',
    version: 1,
    statements: [
      { effect: 'allow', actions: ['admin.user.read'], resources: ['*'] },
      { effect: 'deny', actions: ['admin.user.read'], resources: [`admin:user/${ben.id}`] },
    ],
  });
  const token = await app.token({ mode: 'service', policies: ['all-but-ben'] });
  expect((await token.rest('GET', `/api/admin/users/${ben.id}`)).status).toBe(404);
  const { items } = (await token.rest('GET', '/api/admin/users?limit=200')).body;
  const listed = items.map((user: { id: string }) => user.id);
  expect(listed).toContain(app.admin.id);
  expect(listed).not.toContain(ben.id);
});

test('the roster is by name, filtered and paged, and shows no secret', async () => {
  await app.person({ name: 'Åsa Zorn', email: 'asa@example.com' });
  const found = await app.admin.rest('GET', '/api/admin/users?query=zorn');
  expect(found.body.items).toMatchObject([
    { name: 'Åsa Zorn', state: 'active', totp: false, last_seen_at: expect.any(String) },
  ]);
  const names: string[] = [];
  for (let cursor = ''; ;) {
    const page = (await app.admin.rest('GET', `/api/admin/users?limit=3${cursor && `&cursor=${cursor}`}`))
      .body;
    names.push(...page.items.map((user: { name: string }) => user.name));
    if (!page.next_cursor) break;
    cursor = page.next_cursor;
  }
  expect(names.length).toBe((await app.sql`select 1 from users`).length);
  expect(names).toContain('Åsa Zorn');
  const all = JSON.stringify((await app.admin.rest('GET', '/api/admin/users?limit=200')).body);
  expect(all).not.toMatch(/argon2|password|hash/);
});
