// The envelope sender of an identity's letters, against servers that let an account send as itself alone or pass nothing on: the
// test of the identity says so, a letter holds its identity and harms no one, and its own address is another envelope sender.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { smtpSink } from '../support/smtp.ts';
import { type Desk, layDesk, openDesk } from './desk.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openDesk();
});
afterAll(() => app?.close());

const rest = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) => {
  const answer = await app.admin.rest(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};
const pathOf = ({ identity: { id } }: Desk) => `/api/admin/outreach/identities/${id}`;
const read = async (desk: Desk) => (await rest('GET', pathOf(desk))).identity;
const tested = async (desk: Desk) => {
  const { identity, rungs } = await rest('POST', `${pathOf(desk)}/test`, {});
  const of = (name: string) => rungs.find(({ rung }: { rung: string }) => rung === name);
  return { identity, of };
};

/** As Postfix with reject_sender_login_mismatch, for an account that owns one address. */
const ownAlone = (from: string): string | null =>
  from.startsWith('ada@') ? null : `553 5.7.1 <${from}>: Sender address rejected: not owned by user ada`;

/** No one bounced, no one is suppressed and no domain is paused. */
async function expectNoHarm(): Promise<void> {
  expect(await app.sql`select 1 from suppressions`).toHaveLength(0);
  expect(await app.sql`select 1 from send_outcomes`).toHaveLength(0);
  expect(await app.sql`select distinct state from domains`).toMatchObject([{ state: 'active' }]);
}

test('a server that lets an account send as itself alone holds the identity, until it sends as itself', async () => {
  await using sink = await smtpSink({ refuses: ownAlone });
  const desk = await layDesk(app, { people: 6, identity: { port: sink.port } });
  const before = await tested(desk);
  expect(before.identity).toMatchObject({ test_outcome: 'failing', trouble: null });
  expect(before.of('sender')).toMatchObject({
    outcome: 'fail',
    sentence: expect.stringContaining('own address as envelope sender'),
  });

  await desk.send();
  expect(await app.sql`select distinct state, hold_reason from sends`).toMatchObject([
    { state: 'held', hold_reason: 'transport_refused' },
  ]);
  const held = await read(desk);
  expect(held).toMatchObject({
    active: true,
    envelope_sender: 'bounce',
    trouble: {
      kind: 'sender_refused',
      code: 553,
      enhanced: '5.7.1',
      words: expect.stringContaining('not owned'),
    },
  });
  await expectNoHarm();

  const { identity } = await rest('PATCH', pathOf(desk), { revision: held.revision, envelope_sender: 'own' });
  expect(identity).toMatchObject({ active: true, envelope_sender: 'own', trouble: null });
  const after = await tested(desk);
  expect(after.identity).toMatchObject({ test_outcome: 'passing' });
  // Where bounces go to its own address there is no other to ask about.
  expect(after.of('bounces')).toBeUndefined();
  await app.instance.jobs.run('letters_recheck');
  await desk.send();
  expect(sink.letters).toHaveLength(6);
  expect(new Set(sink.letters.map(({ from }) => from))).toEqual(new Set([desk.identity.address]));
  await expectNoHarmButSent();
});

async function expectNoHarmButSent(): Promise<void> {
  expect(await app.sql`select distinct kind from send_outcomes`).toMatchObject([{ kind: 'accepted' }]);
  expect(await app.sql`select 1 from suppressions`).toHaveLength(0);
}

test('a server that passes nothing on holds the identity', async () => {
  await using sink = await smtpSink({
    refuses: (_, to) => (to.endsWith('@acme.example') ? null : `554 5.7.1 <${to}>: Relay access denied`),
  });
  const desk = await layDesk(app, { people: 6, identity: { port: sink.port } });
  await desk.send();
  expect(await app.sql`select distinct state, hold_reason from sends`).toMatchObject([
    { state: 'held', hold_reason: 'transport_refused' },
  ]);
  expect(await read(desk)).toMatchObject({ active: true, trouble: { kind: 'relay_refused', code: 554 } });
  await expectNoHarm();
  expect((await tested(desk)).of('recipient')).toMatchObject({
    outcome: 'fail',
    sentence: expect.stringContaining('doesn’t pass mail on'),
  });
});

test('the envelope sender is on the domain of its letters, either way', async () => {
  await using sink = await smtpSink();
  const desk = await layDesk(app, { identity: { port: sink.port } });
  await desk.send();
  expect(sink.letters[0]?.from).toMatch(/^bounce\+[0-9a-f-]{36}\.[0-9a-f]{16}@/);
  const domain = (address: string | undefined) => address?.split('@')[1];
  expect(domain(sink.letters[0]?.from)).toBe(domain(desk.identity.address));
});

test('a bounce that names the Message-ID alone is the letter’s of an identity that sends as itself', async () => {
  await using sink = await smtpSink();
  const desk = await layDesk(app, { identity: { port: sink.port, columns: { envelope_sender: 'own' } } });
  await desk.send();
  const [letter] = sink.letters;
  const messageId = /^Message-ID: (<[^>]+>)/im.exec(letter!.bytes.toString())?.[1];
  const to = desk.people[0]!.address;
  const bytes = Buffer.from(bounceOf(desk.identity.address, to, messageId!));
  await app.sql`insert into inbound_mails ${app.sql({
    id: crypto.randomUUID(),
    key: 'imap a-bounce',
    source: 'imap',
    identity_id: desk.identity.id,
    folder_role: 'inbox',
    delivered_to: [desk.identity.address],
    received_at: app.clock.now(),
    bytes,
    size_bytes: bytes.length,
  } as never)}`;
  await app.instance.jobs.run('landing');
  expect(await desk.row()).toMatchObject({ state: 'sent', delivery: 'hard' });
});

const bounceOf = (from: string, to: string, messageId: string): string =>
  [
    'From: MAILER-DAEMON@mx.example',
    `To: ${from}`,
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    'Message-ID: <dsn-1@mx.example>',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'No such user.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    `Final-Recipient: rfc822; ${to}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 no such user',
    '',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: ${messageId}`,
    `From: ${from}`,
    `To: ${to}`,
    '',
    '--b--',
    '',
  ].join('\r\n');
