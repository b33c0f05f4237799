// Notifications of a yes, an assignment, a pause and a failure: to whom they concern, as each chose, and none of what is made up.
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newItem, newProject } from '../../../../test/support/board.ts';
import { openTestApp, type PersonClient, type TestApp } from '../../../../test/support/app.ts';
import { aTalk, inboxDesk, type InboxDesk } from '../../../../test/support/inbox.ts';
import { smtpSink } from '../../../../test/support/smtp.ts';
import { MINUTE_MS } from '../../../kernel/clock.ts';

const HOST = 'smtp.mail.example';
let app: TestApp;
let desk: InboxDesk;
beforeAll(async () => {
  app = await openTestApp({
    allowHosts: HOST,
    lookup: async (name) => (name === HOST ? ['127.0.0.1'] : []),
  });
  desk = await inboxDesk(app);
});
afterAll(() => app?.close());

type Shown = { kind: string; sentence: string; link: string };

async function bell(by: PersonClient = app.admin): Promise<Shown[]> {
  await app.instance.jobs.run('notices');
  const { body } = await by.rest('GET', '/api/me/notifications');
  return body.items.map(({ kind, sentence, link }: Shown) => ({ kind, sentence, link }));
}
const choose = async (notices: object, by: PersonClient = app.admin): Promise<void> =>
  expect((await by.rest('PATCH', '/api/me', { notices })).status).toBe(200);

test('a yes is told to whoever may answer it, once, and not when a person reads it as one', async () => {
  const talk = await aTalk(app, desk, 'Dana Roe');
  const told = {
    kind: 'positive',
    sentence: 'A positive reply is waiting for your answer.',
    link: `/inbox?open=${talk.id}`,
  };
  await talk.writes({ reading: { reading: 'positive', by: 'rule' } });
  expect(await bell()).toEqual([told]);
  await talk.writes({ reading: { reading: 'positive', by: 'model' } });
  expect(await bell()).toEqual([told]);
  const other = await aTalk(app, desk, 'Eve Roe');
  await other.writes({ reading: { reading: 'positive', by: 'person' } });
  expect(await bell()).toEqual([told]);
  const member = await app.person({ name: 'Ben Okafor' });
  expect(await bell(member)).toEqual([]);
});

test('an assignment is told to whom it is given, and not to who takes it', async () => {
  const member = await app.person({ name: 'Cleo Okafor' });
  const project = await newProject(app);
  const item = await newItem(app.admin, project.key, { title: 'Write to Ghent', assignee: member.id });
  await newItem(member, project.key, { title: 'Mine', assignee: member.id });
  expect(await bell(member)).toEqual([
    {
      kind: 'assigned',
      sentence: `${item.key} was assigned to you: Write to Ghent`,
      link: `/work/${project.key}/${item.key}`,
    },
  ]);
});

test('a pause and a failure are told to those who can act on them', async () => {
  const { id, identity_id } = desk.campaign;
  await app.sql`update campaigns set state = 'paused', paused_reason = 'guardrail_bounce', paused_at = now() where id = ${id}`;
  await app.sql`update identities set trouble = 'credentials', trouble_since = now() where id = ${identity_id}`;
  const said = (await bell()).filter(({ kind }) => kind !== 'positive');
  expect(said.map(({ kind, link }) => [kind, link]).toSorted()).toEqual([
    ['failed', `/settings/identities/${identity_id}`],
    ['paused', `/campaigns/${id}`],
  ]);
  await app.sql`update campaigns set state = 'active', paused_reason = null, paused_at = null where id = ${id}`;
  await app.sql`update campaigns set state = 'paused', paused_reason = 'person' where id = ${id}`;
  expect((await bell()).filter(({ kind }) => kind === 'paused')).toHaveLength(1);
  await app.sql`update campaigns set state = 'active', paused_reason = null where id = ${id}`;
});

test('what is switched off is not told, what is made up neither, and what is wanted by email comes in one email', async () => {
  await app.admin.rest('POST', '/api/me/notifications/read');
  const before = (await bell()).length;
  await choose({ positive: 'off' });
  await (await aTalk(app, desk, 'Fay Roe')).writes({ reading: { reading: 'positive', by: 'rule' } });
  expect(await bell()).toHaveLength(before);
  await app.admin.rest('POST', '/api/admin/samples');
  expect(await bell()).toHaveLength(before);

  const sink = await smtpSink();
  await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
  await app.admin.rest('PUT', '/api/admin/settings/mail', {
    host: HOST,
    port: sink.port,
    security: 'plain',
    user: null,
    from_name: 'The desk',
    from_address: 'desk@mail.example',
  });
  await choose({ positive: 'mail' });
  const { body } = await app.admin.rest('GET', '/api/me');
  expect(body.user.notices).toEqual({ positive: 'mail', assigned: 'bell', paused: 'bell', failed: 'bell' });
  for (const name of ['Gil Roe', 'Hal Roe'])
    await (await aTalk(app, desk, name)).writes({ reading: { reading: 'positive', by: 'rule' } });
  expect(await bell()).toHaveLength(before + 2);
  for (let round = 0; round < 2; round++) {
    await app.instance.jobs.run('notice_mails');
    await app.instance.jobs.run('instance_mail');
    app.clock.advance(11 * MINUTE_MS);
  }
  const mails = await Promise.all(sink.letters.map(({ bytes }) => PostalMime.parse(bytes)));
  expect(mails.map(({ subject }) => subject)).toEqual(['2 new notifications on test']);
  expect(mails[0]?.text).toContain('A positive reply is waiting for your answer.');
  expect((await app.admin.rest('PATCH', '/api/me', { notices: { positive: 'loud' } })).status).toBe(400);
  await sink[Symbol.asyncDispose]();
});
