// Covers signing in: passwords, codes, step-up, invitations, and how sessions end.
import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Answer, type PersonClient, type TestApp } from '../../../../test/support/app.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/clock.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** The same person with another cookie. */
const as = (cookie: string | null, method: string, path: string, body?: unknown): Promise<Answer> =>
  app.bearer(null).rest(method, path, body, { cookie: cookie ?? '', origin: app.url });

const signIn = async (person: PersonClient, code?: string): Promise<string> => {
  const answer = await app.signIn(person.email, person.password, code);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.cookie ?? '';
};

const codeOf = (secret: string): string =>
  generateSync({ secret, epoch: Math.floor(app.clock.now().getTime() / 1000) });

test('an address signs in whatever its case, and the cookie is the only place of the secret', async () => {
  const answer = await app.signIn('  ADA@Example.com ', app.admin.password);
  expect(answer).toMatchObject({ status: 200, body: { user: { name: 'Ada Operator', admin: true } } });
  const secret = answer.cookie?.split('=')[1] ?? '';
  expect(JSON.stringify(answer.body)).not.toContain(secret);
  expect((await as(answer.cookie, 'GET', '/api/me')).body).toMatchObject({ via: 'session', agent: false });
  expect(await app.sql`select 1 from sessions where position(${secret} in sessions::text) > 0`).toEqual([]);
});

test('a wrong password, an unknown address and someone who never came get one and the same refusal', async () => {
  await app.admin.rest('POST', '/api/admin/users/invite', { email: 'never@example.com' });
  const answers = await Promise.all([
    app.signIn(app.admin.email, 'wrong horse battery'),
    app.signIn('nobody@example.com', 'wrong horse battery'),
    app.signIn('never@example.com', 'wrong horse battery'),
  ]);
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 401, cookie: null, body: { error: { code: 'unauthorized' } } });
    expect(answer.body).toEqual(answers[0]?.body);
    expect(answer.body.error.message).not.toContain('mint a token');
  }
});

test('C3: no token becomes a person, whatever its scopes', async () => {
  const token = await app.token({ scopes: { wire: true, scripts: true } });
  const asked: [string, unknown][] = [
    ['/api/auth/login', { email: app.admin.email, password: app.admin.password }],
    ['/api/auth/accept-invite', { token: 'x'.repeat(43), name: 'Eve', password: 'correct horse battery' }],
    [
      '/api/auth/setup',
      { key: app.key, name: 'Eve', email: 'eve@example.com', password: 'correct horse battery' },
    ],
    ['/api/auth/step-up', { password: app.admin.password }],
    ['/api/me/password', { current: app.admin.password, password: 'correct horse battery 2' }],
    ['/api/me/totp', {}],
  ];
  for (const [path, body] of asked) {
    const direct = await token.rest('POST', path, body);
    expect(direct, path).toMatchObject({ status: 403, body: { error: { code: 'session_only' } } });
    expect(direct.headers.getSetCookie()).toEqual([]);
    const agent = await token.tool('api_request', { method: 'POST', path, body });
    expect(agent, path).toMatchObject({ isError: true, text: expect.stringMatching(/^HTTP 403: /) });
  }
});

test('step-up closes ten minutes after signing in, opens again by password, and rights do not change without it', async () => {
  const cookie = await signIn(app.admin);
  const mint = () =>
    as(cookie, 'POST', '/api/admin/tokens', { name: `stepped-${app.clock.now().getTime()}`, mode: 'user' });
  expect((await mint()).status).toBe(201);
  app.clock.advance(10 * MINUTE_MS);
  expect(await mint()).toMatchObject({ status: 403, body: { error: { code: 'step_up_required' } } });
  expect((await as(cookie, 'POST', '/api/auth/step-up', { password: 'wrong' })).status).toBe(401);
  expect((await mint()).status).toBe(403);
  const opened = await as(cookie, 'POST', '/api/auth/step-up', { password: app.admin.password });
  expect(Date.parse(opened.body.until)).toBeCloseTo(app.clock.now().getTime() + 10 * MINUTE_MS, -4);
  expect((await mint()).status).toBe(201);
});

test('with an authenticator a password alone is not enough, a code opens once, and the same code never again', async () => {
  const ben = await app.person();
  const drawn = await ben.rest('POST', '/api/me/totp', {});
  expect(drawn.body).toMatchObject({
    on: false,
    secret: expect.any(String),
    uri: expect.stringMatching(/^otpauth:/),
  });
  expect((await app.signIn(ben.email, ben.password)).status).toBe(200);
  expect((await ben.rest('POST', '/api/me/totp', { code: '000000' })).status).toBe(400);
  const { secret } = drawn.body;
  expect((await ben.rest('POST', '/api/me/totp', { code: codeOf(secret) })).body).toEqual({
    on: true,
    secret: null,
    uri: null,
  });
  expect(await app.sql`select 1 from users where position(${secret} in users::text) > 0`).toEqual([]);
  expect(await app.signIn(ben.email, ben.password)).toMatchObject({
    status: 401,
    body: { error: { code: 'code_required' } },
  });
  expect(await app.signIn(ben.email, 'wrong horse battery', codeOf(secret))).toMatchObject({
    status: 401,
    body: { error: { code: 'unauthorized' } },
  });
  expect((await app.signIn(ben.email, ben.password, codeOf(secret))).status).toBe(401); // it turned the factor on
  app.clock.advance(MINUTE_MS);
  const code = codeOf(secret);
  const both = await Promise.all([
    app.signIn(ben.email, ben.password, code),
    app.signIn(ben.email, ben.password, code),
  ]);
  expect(both.map((answer) => answer.status).sort()).toEqual([200, 401]);
  app.clock.advance(10 * MINUTE_MS);
  const cookie = await signIn(ben, codeOf(secret));
  expect((await as(cookie, 'DELETE', '/api/me/totp')).status).toBe(200);
  expect((await app.signIn(ben.email, ben.password)).status).toBe(200);
});

test('drawing a new secret leaves the old one in force until the new one is confirmed', async () => {
  const ben = await app.person();
  const first = (await ben.rest('POST', '/api/me/totp', {})).body.secret;
  await ben.rest('POST', '/api/me/totp', { code: codeOf(first) });
  expect((await ben.rest('POST', '/api/me/totp', {})).body).toMatchObject({ on: true });
  app.clock.advance(MINUTE_MS);
  expect((await app.signIn(ben.email, ben.password, codeOf(first))).status).toBe(200);
});

test('signing in, a step-up and a new password of one account at once go one after the other', async () => {
  const ben = await app.person();
  const { email, password } = ben;
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => [
      app.signIn(email, password),
      ben.rest('POST', '/api/auth/step-up', { password }),
      ben.rest('POST', '/api/me/password', { current: password, password }),
    ]).flat(),
  );
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
});

test('a sign-in that waited while the password was changed is judged by the new one', async () => {
  const ben = await app.person();
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  // Another try of the same account, which is still going on.
  const turn = app.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`sign-in:account:${ben.email}`}, 0))`;
    begun.resolve();
    await held.promise;
    await tx`update users set password_hash = 'of another password' where id = ${ben.id}`;
  });
  await begun.promise;
  const waiting = app.signIn(ben.email, ben.password);
  const waits = async () => {
    const rows = await app.sql`
      select 1 from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`;
    return rows.length;
  };
  await expect.poll(waits).toBe(1);
  held.resolve();
  await turn;
  expect((await waiting).status).toBe(401);
});

test('a failed try is in the audit log with the account it was about; what no one asks for in vain does not', async () => {
  const ben = await app.person();
  const rows = () =>
    app.sql`select act, resource, code from audit where principal_name = 'nobody' and outcome = 'refused' order by id`;
  const before = await rows();
  await app.signIn(ben.email, 'wrong horse battery');
  await app.signIn('nobody@example.com', 'wrong horse battery');
  await app.bearer(null).rest('POST', '/api/auth/login', {});
  await app.bearer(null).rest('GET', '/api/me');
  expect((await rows()).slice(before.length)).toEqual([
    { act: 'auth_login', resource: `account:${ben.id}`, code: 'unauthorized' },
    { act: 'auth_login', resource: null, code: 'unauthorized' },
  ]);
});

test('signing out ends the session and clears the cookie; a second sign-in ends the session it came with', async () => {
  const cookie = await signIn(app.admin);
  const out = await as(cookie, 'POST', '/api/auth/logout', {});
  expect(out.headers.getSetCookie()[0]).toMatch(/^dunnock_session=;.*Expires=Thu, 01 Jan 1970/);
  expect((await as(cookie, 'GET', '/api/me')).status).toBe(401);
  const before = await signIn(app.admin);
  await as(before, 'POST', '/api/auth/login', { email: app.admin.email, password: app.admin.password });
  expect((await as(before, 'GET', '/api/me')).status).toBe(401);
});

test('a session ends after fourteen idle days, and after thirty however busy it is', async () => {
  const idle = await signIn(app.admin);
  const busy = await signIn(app.admin);
  const days = async (count: number): Promise<number> => {
    app.clock.advance(count * DAY_MS);
    const { status } = await as(busy, 'GET', '/api/me');
    await new Promise((resolve) => setTimeout(resolve, 50)); // the sliding is not waited for
    return status;
  };
  expect(await days(13)).toBe(200);
  expect(await days(1)).toBe(200);
  expect((await as(idle, 'GET', '/api/me')).status).toBe(401);
  expect(await days(13)).toBe(200);
  expect(await days(2)).toBe(200);
  expect(await days(1)).toBe(401);
});

test('an invitation’s link works once, within seven days, and a new one replaces it', async () => {
  const admin = await signIn(app.admin);
  const invite = async () => {
    const answer = await as(admin, 'POST', '/api/admin/users/invite', { email: 'dora@example.com' });
    return String(answer.body.link).split('/invite/')[1] ?? '';
  };
  const accept = (token: string) =>
    app
      .bearer(null)
      .rest('POST', '/api/auth/accept-invite', { token, name: 'Dora', password: 'correct horse battery' });
  const first = await invite();
  const second = await invite();
  expect((await accept(first)).status).toBe(404);
  expect(await app.sql`select 1 from invites where position(${second} in invites::text) > 0`).toEqual([]);
  app.clock.advance(7 * DAY_MS);
  expect((await accept(second)).status).toBe(404);
  const again = await as(await signIn(app.admin), 'POST', '/api/admin/users/invite', {
    email: 'dora@example.com',
  });
  const third = String(again.body.link).split('/invite/')[1] ?? '';
  const came = await Promise.all([accept(third), accept(third)]);
  expect(came.map((answer) => answer.status).sort()).toEqual([200, 404]);
  expect((await app.signIn('dora@example.com', 'correct horse battery')).status).toBe(200);
});

test('a short password is refused before anything is made', async () => {
  const answer = await app
    .bearer(null)
    .rest('POST', '/api/auth/accept-invite', { token: 'x', name: 'Eve', password: 'elevenchars' });
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { details: { fields: { password: 'password must have at least 12 characters' } } } },
  });
});

test('no one signed in is told to mint a token, and hears of no right', async () => {
  expect(await app.bearer(null).rest('GET', '/api/me')).toMatchObject({
    status: 401,
    body: { error: { code: 'unauthorized' } },
  });
  app.clock.advance(HOUR_MS);
});
