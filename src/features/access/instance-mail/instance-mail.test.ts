// The instance's own mail through the entry points: who may set it, where its password goes, invitations and forgotten passwords by
// mail, and that nothing tells whether someone has an account.
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { type SmtpSink, smtpSink } from '../../../../test/support/smtp.ts';

const HOST = 'smtp.mail.example';
const MAIL = '/api/admin/settings/mail';
let app: TestApp;
let sink: SmtpSink;

beforeAll(async () => {
  sink = await smtpSink();
  app = await openTestApp({
    allowHosts: HOST,
    lookup: async (name) => (name === HOST ? ['127.0.0.1'] : []),
  });
});
afterAll(async () => {
  await app?.close();
  await sink?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  sink.letters.length = 0;
  await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
});

const way = () => ({
  host: HOST,
  port: sink.port,
  security: 'plain',
  user: null,
  from_name: 'The desk',
  from_address: 'desk@mail.example',
});

/** What arrived, once the passes ran. */
async function arrived() {
  await app.instance.jobs.run('password_resets');
  await app.instance.jobs.run('instance_mail');
  return Promise.all(
    sink.letters.splice(0).map(async ({ to, bytes }) => {
      const { subject, text } = await PostalMime.parse(bytes);
      return { to, subject, text, secret: /\/(?:reset|invite)\/([\w-]{43})/.exec(text ?? '')?.[1] ?? '' };
    }),
  );
}

const askedBy = (email: string, by: Pick<TestApp['admin'], 'rest'> = app.bearer(null)) =>
  by.rest('POST', '/api/auth/reset/request', { email });
const resets = (token: string, password: string, by: Pick<TestApp['admin'], 'rest'> = app.bearer(null)) =>
  by.rest('POST', '/api/auth/reset', { token, password });

describe('before mail is set up', () => {
  test('links of invitations are shown, and a new password is refused to everyone alike', async () => {
    const invited = await app.admin.rest('POST', '/api/admin/users/invite', { email: 'zoe@example.com' });
    expect(invited.body.link).toContain('/invite/');
    const [known, unknown] = [await askedBy(app.admin.email), await askedBy('nobody@example.com')];
    expect(known.status).toBe(503);
    expect(unknown.status).toBe(503);
    expect(unknown.body.error.message).toBe(known.body.error.message);
    expect((await app.admin.rest('GET', MAIL)).body).toEqual({ mail: null, waiting: 0, trouble: null });
  });
});

describe('how it goes out', () => {
  test('is set in a session alone, and its password is never shown, in an answer or in a row', async () => {
    const token = await app.token({ scopes: { wire: true } });
    expect((await token.rest('PUT', MAIL, way())).body.error.code).toBe('session_only');
    const password = 'the-password-of-the-server';
    const login = { ...way(), security: 'tls', user: 'desk', password };
    const saved = await app.admin.rest('PUT', MAIL, login);
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    expect(JSON.stringify(saved.body)).not.toContain(password);
    const [row] = await app.sql<any[]>`select * from instance_mail_way`;
    expect(JSON.stringify(row)).not.toContain(password);
    const plain = await app.admin.rest('PUT', MAIL, { ...login, security: 'plain' });
    expect(plain.status).toBe(400);
  });

  test('keeps its password for the host it was given for, and for no other', async () => {
    const { password: _, ...kept } = { ...way(), security: 'tls', user: 'desk', password: '' };
    expect((await app.admin.rest('PUT', MAIL, { ...kept, from_name: 'Desk' })).status).toBe(200);
    const moved = await app.admin.rest('PUT', MAIL, { ...kept, host: 'smtp.elsewhere.example' });
    expect(moved.status).toBe(400);
    expect(moved.body.error.message).toContain('password');
  });

  test('a test goes to whoever asked; where it cannot go it waits, says why, and goes once it can', async () => {
    await app.admin.rest('PUT', MAIL, { ...way(), port: 9 });
    await app.admin.rest('POST', `${MAIL}/test`, {});
    expect(await arrived()).toEqual([]);
    const stuck = (await app.admin.rest('GET', MAIL)).body;
    expect(stuck).toMatchObject({ waiting: 1, trouble: expect.stringContaining('can’t be reached') });
    await app.admin.rest('PUT', MAIL, way());
    const [letter] = await arrived();
    expect(letter).toMatchObject({ to: [app.admin.email] });
    expect((await app.admin.rest('GET', MAIL)).body).toMatchObject({ waiting: 0, trouble: null });
  });
});

describe('an invitation', () => {
  test('goes to the invited address, is shown to no one, and works', async () => {
    const invited = await app.admin.rest('POST', '/api/admin/users/invite', { email: 'eve@example.com' });
    expect(invited.body.link).toBeNull();
    const [waiting] = await app.sql<any[]>`select body from instance_mails where state = 'waiting'`;
    expect(waiting.body).not.toContain('/invite/');
    const [letter] = await arrived();
    expect(letter?.to).toEqual(['eve@example.com']);
    const accepted = await app.bearer(null).rest('POST', '/api/auth/accept-invite', {
      token: letter?.secret,
      name: 'Eve',
      password: 'a long new password',
    });
    expect(accepted.status).toBe(200);
    const [sent] = await app.sql<any[]>`select body from instance_mails where to_address = 'eve@example.com'`;
    expect(sent.body).toBeNull();
  });
});

describe('a forgotten password', () => {
  const NEW = 'another long password';

  test('is answered alike for those who have an account and those who have none, and only the former hear', async () => {
    const [known, unknown] = [await askedBy('eve@example.com'), await askedBy('nobody@example.com')];
    expect([known.status, known.body]).toEqual([200, { ok: true }]);
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    expect((await arrived()).map(({ to }) => to)).toEqual([['eve@example.com']]);
  });

  test('is set again once, within the hour, by the newest link, and every session ends', async () => {
    const person = (await app.signIn('eve@example.com', 'a long new password')).cookie ?? '';
    await askedBy('eve@example.com');
    const [older] = await arrived();
    await askedBy('eve@example.com');
    const [newer] = await arrived();
    expect((await resets(older?.secret ?? '', NEW)).status).toBe(404);
    expect((await resets(newer?.secret ?? '', 'short')).status).toBe(400);
    expect((await resets(newer?.secret ?? '', NEW)).status).toBe(200);
    expect((await resets(newer?.secret ?? '', NEW)).status).toBe(404);
    expect((await app.bearer(null).rest('GET', '/api/me', undefined, { cookie: person })).status).toBe(401);
    expect((await app.signIn('eve@example.com', 'a long new password')).status).toBe(401);
    expect((await app.signIn('eve@example.com', NEW)).status).toBe(200);
    const [row] = await app.sql<any[]>`select count(*)::int as n from password_resets`;
    expect(row.n).toBe(0);
  });

  test('cannot be set after an hour, nor by someone who was disabled', async () => {
    app.clock.advance(3_700_000);
    await askedBy('eve@example.com');
    const [letter] = await arrived();
    app.clock.advance(3_700_000);
    expect((await resets(letter?.secret ?? '', NEW)).status).toBe(404);
    await askedBy('eve@example.com');
    const [another] = await arrived();
    await app.sql`update users set state = 'disabled' where email_key = 'eve@example.com'`;
    expect((await resets(another?.secret ?? '', NEW)).status).toBe(404);
    await askedBy('eve@example.com');
    expect(await arrived()).toEqual([]);
  });

  test('is refused to every token on both routes, whatever its scopes', async () => {
    const token = await app.token({ scopes: { wire: true, scripts: true } });
    expect((await askedBy(app.admin.email, token)).body.error.code).toBe('session_only');
    expect((await resets('x'.repeat(43), NEW, token)).body.error.code).toBe('session_only');
    expect(await arrived()).toEqual([]);
  });

  test('is asked for five times an hour for one address, known or not', async () => {
    for (const email of ['five@example.com', app.admin.email]) {
      const codes: number[] = [];
      for (let n = 0; n < 6; n += 1) codes.push((await askedBy(email)).status);
      expect(codes).toEqual([200, 200, 200, 200, 200, 429]);
    }
  });
});
