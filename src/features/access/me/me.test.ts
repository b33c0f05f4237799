// Covers one's own account, settings, the audit log and live updates through the entry points.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { MINUTE_MS } from '../../../kernel/clock.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('a person changes their own name, time zone and default project, and a token changes nothing', async () => {
  const ben = await app.person();
  expect(
    (
      await ben.rest('PATCH', '/api/me', {
        name: 'Ben B.',
        timezone: 'Europe/Berlin',
        default_project: 'OUT',
      })
    ).body,
  ).toEqual({ ok: true });
  expect((await ben.rest('GET', '/api/me')).body.user).toMatchObject({
    name: 'Ben B.',
    timezone: 'Europe/Berlin',
    board: { default_project: 'OUT' },
  });
  await ben.rest('PATCH', '/api/me', { timezone: null });
  expect((await ben.rest('GET', '/api/me')).body.user).toMatchObject({ name: 'Ben B.', timezone: null });
  expect((await ben.rest('PATCH', '/api/me', { timezone: 'Berlin' })).status).toBe(400);
  expect((await ben.rest('PATCH', '/api/me', { admin: true })).status).toBe(400);
  const token = await app.token({ user_id: ben.id });
  expect(await token.rest('PATCH', '/api/me', { name: 'Bot' })).toMatchObject({
    status: 403,
    body: { error: { code: 'session_only' } },
  });
});

test('a new password needs the old one, ends every other session and leaves this one', async () => {
  const ben = await app.person();
  const elsewhere = (await app.signIn(ben.email, ben.password)).cookie ?? '';
  const there = () =>
    app.bearer(null).rest('GET', '/api/me', undefined, { cookie: elsewhere, origin: app.url });
  const change = (current: string) =>
    ben.rest('POST', '/api/me/password', { current, password: 'correct horse battery staple' });
  expect((await change('wrong horse battery')).status).toBe(401);
  expect((await there()).status).toBe(200);
  expect((await change(ben.password)).status).toBe(200);
  expect((await there()).status).toBe(401);
  expect((await ben.rest('GET', '/api/me')).status).toBe(200);
  expect((await app.signIn(ben.email, ben.password)).status).toBe(401);
  expect((await app.signIn(ben.email, 'correct horse battery staple')).status).toBe(200);
});

test('nothing of a password is kept for a replay, not even its hash', async () => {
  const ben = await app.person();
  const key = { 'idempotency-key': 'again' };
  const asked = { current: 'wrong horse battery', password: 'correct horse battery staple' };
  expect((await ben.rest('POST', '/api/me/password', asked, key)).status).toBe(401);
  expect((await ben.rest('POST', '/api/me/password', { ...asked, current: ben.password }, key)).status).toBe(
    200,
  );
  expect((await ben.rest('POST', '/api/auth/step-up', { password: asked.password }, key)).status).toBe(200);
  expect(
    (await ben.rest('POST', '/api/auth/login', { email: ben.email, password: asked.password }, key)).status,
  ).toBe(200);
  expect(await app.sql`select act from idempotency_keys`).toEqual([]);
});

test('an Idempotency-Key that cannot be kept is refused, since its sender counts on it', async () => {
  for (const key of ['two words', 'a'.repeat(201), '\u00fcber', '']) {
    const answer = await app.admin.rest('POST', '/api/me/notifications/read', {}, { 'idempotency-key': key });
    expect([answer.status, answer.body.error.message], key).toEqual([
      400,
      expect.stringMatching(/^Idempotency-Key: .* nothing was done$/),
    ]);
  }
});

test('a malformed Idempotency-Key is refused by whatever writes, and passed over by what reads', async () => {
  const key = { 'idempotency-key': 'two words' };
  const changed = await app.admin.rest('PATCH', '/api/me', { name: 'Somebody Else' }, key);
  expect([changed.status, changed.body.error.code]).toEqual([400, 'invalid']);
  const me = await app.admin.rest('GET', '/api/me', undefined, key);
  expect([me.status, JSON.stringify(me.body).includes('Somebody Else')]).toEqual([200, false]);
});

test('an Idempotency-Key is honoured on POST for 24 h, and none is kept for longer than the next', async () => {
  const own = await openTestApp();
  const read = (key: string) =>
    own.admin.rest('POST', '/api/me/notifications/read', {}, { 'idempotency-key': key });
  for (const key of ['one', 'two', 'one']) expect((await read(key)).status).toBe(200);
  expect(await own.sql`select key from idempotency_keys order by key`).toEqual([
    { key: 'one' },
    { key: 'two' },
  ]);
  own.clock.advance(24 * 3_600_000 + 1);
  await read('three');
  expect(await own.sql`select key from idempotency_keys`).toEqual([{ key: 'three' }]);
  await own.close();
});

test('a person sees where they are signed in and ends one session, their own alone', async () => {
  const ben = await app.person();
  const elsewhere = (await app.signIn(ben.email, ben.password)).cookie ?? '';
  const { items } = (await ben.rest('GET', '/api/me/sessions')).body;
  expect(items).toMatchObject([{ current: false, address: '127.0.0.1' }, { current: true }]);
  expect((await app.admin.rest('DELETE', `/api/me/sessions/${items[0].id}`)).status).toBe(404);
  expect((await ben.rest('DELETE', `/api/me/sessions/${items[0].id}`)).status).toBe(200);
  expect(
    (await app.bearer(null).rest('GET', '/api/me', undefined, { cookie: elsewhere, origin: app.url })).status,
  ).toBe(401);
  const last = await ben.rest('DELETE', `/api/me/sessions/${items[1].id}`);
  expect(last.headers.getSetCookie()[0]).toMatch(/^dunnock_session=;/);
});

test('who an agent’s token is: itself, on behalf of its person', async () => {
  const token = await app.token();
  const me = await token.tool('api_request', { method: 'GET', path: '/api/me' });
  expect(me.json).toMatchObject({
    principal: { kind: 'agent', name: token.name },
    via: 'token',
    agent: true,
    user: { id: app.admin.id },
    stepped_up_until: null,
  });
});

test('the bell is read by any caller: a bound token reads its person’s, a service token has none', async () => {
  const ben = await app.person({ name: 'Ben' });
  const bound = await app.token({ user_id: ben.id }); // a mint by someone else notifies ben
  await app.admin.rest('POST', '/api/admin/policies', {
    name: 'account',
    version: 1,
    statements: [{ effect: 'allow', actions: ['account.*'], resources: ['*'] }],
  });
  const service = await app.token({ mode: 'service', policies: ['account'] });
  const bare = await app.token({ mode: 'service' });
  const path = '/api/me/notifications/read';
  const unread = async () => (await ben.rest('GET', '/api/me')).body.unread_notifications;
  expect(await unread()).toBe(1);
  expect((await bare.rest('POST', path, {})).body.error.code).toBe('policy_denied');
  expect((await service.rest('GET', '/api/me/notifications')).body.items).toEqual([]);
  expect((await service.rest('POST', path, {})).status).toBe(200);
  expect(await unread()).toBe(1);
  const read = await bound.tool('api_request', { method: 'POST', path, body: {} });
  expect(read.isError, read.text).toBe(false);
  expect(await unread()).toBe(0);
});

test('settings are read by everyone and changed in a fresh session alone', async () => {
  const ben = await app.person();
  expect((await ben.rest('GET', '/api/settings')).body).toMatchObject({
    instance: { name: 'test' },
    security: { decide_on_screen_only: false },
  });
  const turn = { decide_on_screen_only: true };
  expect((await ben.rest('PATCH', '/api/admin/settings/security', turn)).status).toBe(403);
  const token = await app.token({ scopes: { wire: true } });
  expect(await token.rest('PATCH', '/api/admin/settings/security', turn)).toMatchObject({
    status: 403,
    body: { error: { code: 'session_only' } },
  });
  expect((await app.admin.rest('PATCH', '/api/admin/settings/security', turn)).body.security).toEqual(turn);
  expect((await app.admin.rest('PATCH', '/api/admin/settings/security', {})).body.security).toEqual(turn);
  for (const smuggled of [{ provider_keys: {} }, { events: { url: 'https://example.com' } }])
    expect((await app.admin.rest('PATCH', '/api/admin/settings/security', smuggled)).status).toBe(400);
});

test('the audit log tells who did what and who was refused, newest first, by actor, act, outcome and surface', async () => {
  const token = await app.token();
  await token.rest('POST', '/api/admin/users/invite', { email: 'x@example.com' });
  await token.tool('admin_request', {
    method: 'POST',
    path: '/api/admin/users/invite',
    body: { email: 'x@example.com' },
  });
  const list = async (query: string) => (await app.admin.rest('GET', `/api/admin/audit?${query}`)).body.items;
  expect(await list(`actor=${token.id}`)).toMatchObject([
    {
      act: 'user_invite',
      surface: 'mcp',
      turn: 'agent',
      outcome: 'refused',
      code: 'wire_required',
      principal: { kind: 'agent', id: token.id },
      on_behalf_of: { kind: 'person', id: app.admin.id },
    },
    {
      act: 'user_invite',
      surface: 'rest',
      turn: 'direct',
      principal: { kind: 'person' },
      on_behalf_of: null,
      token: { id: token.id, name: token.name },
    },
  ]);
  expect(await list(`actor=${token.id}&surface=mcp`)).toHaveLength(1);
  expect(await list(`actor=${app.admin.id}&act=user_invite&outcome=refused`)).toHaveLength(2);
  expect((await list('outcome=done')).every((row: { outcome: string }) => row.outcome === 'done')).toBe(true);
  const first = (await app.admin.rest('GET', '/api/admin/audit?limit=2')).body;
  const second = (await app.admin.rest('GET', `/api/admin/audit?limit=2&cursor=${first.next_cursor}`)).body;
  expect(second.items[0].id < first.items[1].id).toBe(true);
  const plain = await app.person();
  expect((await plain.rest('GET', '/api/admin/audit')).status).toBe(403);
});

test('J8: no audit row is changed or deleted', async () => {
  await expect(app.sql`delete from audit`).rejects.toThrow('only ever added');
  await expect(app.sql`update audit set outcome = 'done'`).rejects.toThrow('only ever added');
});

test('a live update of a new token reaches an administrator and not a member', async () => {
  const ben = await app.person();
  const open = async (cookie: string) => {
    const stop = new AbortController();
    const answer = await fetch(`${app.url}/api/events`, {
      headers: { cookie, origin: app.url },
      signal: stop.signal,
    });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    let heard = '';
    void (async () => {
      for await (const chunk of answer.body ?? []) heard += new TextDecoder().decode(chunk);
    })().catch(() => undefined);
    return { heard: () => heard, stop: () => stop.abort() };
  };
  const [admin, member] = await Promise.all([open(app.admin.cookie), open(ben.cookie)]);
  const token = await app.token({ user_id: ben.id });
  await expect.poll(admin.heard).toContain(token.id);
  await expect.poll(member.heard).toContain('notifications');
  expect(member.heard()).not.toContain(token.id);
  expect(admin.heard()).not.toContain('"notifications"');
  admin.stop();
  member.stop();
});

test('a session too old for a step-up says so in me', async () => {
  app.clock.advance(11 * MINUTE_MS);
  expect((await app.admin.rest('GET', '/api/me')).body.stepped_up_until).toBeNull();
});

test('what policy lets someone do is told beforehand, and refused in the sentence that the act itself would meet', async () => {
  const may = async (who: { rest: typeof app.admin.rest }, action: string) =>
    (await who.rest('GET', `/api/me/may?action=${action}`)).body;
  const ben = await app.person({ name: 'Ben Member' });
  expect(await may(ben, 'work.item.create')).toEqual({ may: true, sentence: null });
  expect(await may(app.admin, 'admin.token.mint')).toEqual({ may: true, sentence: null });
  const met = await ben.rest('GET', '/api/admin/crm/people/import');
  expect(met.status).toBe(403);
  expect(await may(ben, 'crm.import.read')).toEqual({ may: false, sentence: met.body.error.message });
  expect((await ben.rest('GET', '/api/me/may?action=everything')).status).toBe(400);
});
