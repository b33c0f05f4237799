// Approvals told by mail, through the entry points: to those who wish it, of what they may decide, and seldom.
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestApp, type PersonClient, type TestApp } from '../../../../test/support/app.ts';
import { type SmtpSink, smtpSink } from '../../../../test/support/smtp.ts';

const HOST = 'smtp.mail.example';
let app: TestApp;
let sink: SmtpSink;
let scout: Awaited<ReturnType<TestApp['token']>>;
let bea: PersonClient;

beforeAll(async () => {
  sink = await smtpSink();
  app = await openTestApp({
    allowHosts: HOST,
    lookup: async (name) => (name === HOST ? ['127.0.0.1'] : []),
  });
  // Once mail is set up, an invitation is shown to no one.
  bea = await app.person({ policies: ['work-agent'] });
  await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
  const way = { host: HOST, port: sink.port, security: 'plain', user: null };
  await app.admin.rest('PUT', '/api/admin/settings/mail', {
    ...way,
    from_name: 'The desk',
    from_address: 'desk@mail.example',
  });
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  scout = await app.token({ policies: ['work-agent'], mode: 'service' });
});
afterAll(async () => {
  await app?.close();
  await sink?.[Symbol.asyncDispose]();
});
beforeEach(() => void (sink.letters.length = 0));

async function park(title: string, by: Pick<PersonClient, 'rest'> = scout): Promise<void> {
  const made = await by.rest('POST', '/api/work/items', { project: 'OUT', title });
  const moved = await by.rest('POST', `/api/work/items/${made.body.item.id}/move`, { status: 'in_review' });
  expect(moved.status).toBe(200);
}

async function told() {
  await app.instance.jobs.run('approval_notices');
  await app.instance.jobs.run('instance_mail');
  return Promise.all(
    sink.letters.splice(0).map(async ({ to, bytes }) => {
      const { subject, text } = await PostalMime.parse(bytes);
      return { to, subject, text: text ?? '' };
    }),
  );
}

test('no one is told who did not wish for it', async () => {
  await park('Nobody hears');
  expect(await told()).toEqual([]);
});

test('whoever wishes it hears of what waits for their decision, once, and in ten minutes again of what is new', async () => {
  expect((await bea.rest('PATCH', '/api/me', { mail_approvals: true })).status).toBe(200);
  expect((await bea.rest('GET', '/api/me')).body.user.mail_approvals).toBe(true);
  const [first, ...none] = await told();
  expect(none).toEqual([]);
  expect(first?.to).toEqual([bea.email]);
  expect(first?.subject).toBe('1 approval is waiting for you on test');
  expect(first?.text).toContain('Nobody hears');
  expect(first?.text).toContain('/approvals');
  await park('Second\u2028line');
  expect(await told()).toEqual([]);
  app.clock.advance(11 * 60_000);
  const [second] = await told();
  expect(second?.subject).toBe('2 approvals are waiting for you on test');
  app.clock.advance(11 * 60_000);
  expect(await told()).toEqual([]);
});

test('what someone wrote themselves is not told to them', async () => {
  await park('My own', bea);
  app.clock.advance(11 * 60_000);
  const [mail] = await told();
  expect(mail?.subject).toBe('2 approvals are waiting for you on test');
  expect(mail?.text).not.toContain('My own');
});

test('the wish is a person\u2019s own: no token changes it', async () => {
  const token = await app.token({ user_id: bea.id });
  expect((await token.rest('PATCH', '/api/me', { mail_approvals: false })).body.error.code).toBe(
    'session_only',
  );
});
