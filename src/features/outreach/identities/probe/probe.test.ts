// The probe of a bounce address, against a real mailbox: whether bounces arrive is what was seen to arrive.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openMailboxes, until, type Mailboxes } from '../../../../../test/support/mailboxes.ts';
import { scriptedSmtp } from '../../../../../test/support/smtp.ts';

const MINUTE_MS = 60_000;
const IDENTITIES = '/api/admin/outreach/identities';

let box: Mailboxes;
beforeAll(async () => {
  box = await openMailboxes();
});
afterAll(() => box.close());
afterEach(() => box.letGo());

const anInbox = (more: object = {}) => box.senders.anIdentity({ inbound: box.imap(), ...more });
const probe = (id: string, as = box.app.admin) => as.rest('POST', `${IDENTITIES}/${id}/probe`, {});
const bounces = async (id: string) => (await box.senders.readIdentity(id)).bounces;

async function probed(id: string) {
  const before = box.senders.sink.letters.length;
  const answer = await probe(id);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body.identity.bounces).toMatchObject({ arrive: 'not_yet', probed_at: expect.any(String) });
  const sent = box.senders.sink.letters.slice(before);
  expect(sent).toHaveLength(1);
  return sent[0]!;
}

async function arrives(identity: { id: string }, bytes: Buffer): Promise<void> {
  await box.round();
  await box.watched(identity);
  await box.deliver(bytes.toString());
  await until(
    () => box.stored(identity),
    (seen) => expect(seen).toHaveLength(1),
  );
  await box.app.instance.jobs.run('landing');
}

test.each(['bounce', 'own'] as const)(
  'a probe with envelope sender %s that arrives says yes',
  async (envelope_sender) => {
    const identity = await anInbox({ envelope_sender });
    expect(await bounces(identity.id)).toEqual({
      arrive: 'unknown',
      probed_at: null,
      arrived_at: null,
      server_said: null,
    });
    const sent = await probed(identity.id);
    expect(sent.from).toBe(sent.to[0]);
    if (envelope_sender === 'own') expect(sent.from).toBe(identity.address);
    else expect(sent.from).toMatch(/^bounce\+/);
    await arrives(identity, sent.bytes);
    expect(await bounces(identity.id)).toMatchObject({ arrive: 'yes', arrived_at: expect.any(String) });
    // It belongs to no one: it waits for no one and answers nothing.
    expect(await box.stored(identity)).toMatchObject([{ state: 'ignored' }]);
    expect(await box.app.sql`select 1 from touches`).toHaveLength(0);
  },
);

test('a probe that does not arrive says no, and Today says so of an identity that sends', async () => {
  const { id } = await anInbox();
  await box.senders.onIdentity(id, 'activate');
  await probed(id);
  box.app.clock.advance(14 * MINUTE_MS);
  expect((await bounces(id)).arrive).toBe('not_yet');
  box.app.clock.advance(2 * MINUTE_MS);
  expect((await bounces(id)).arrive).toBe('no');
  const today = await box.app.admin.rest('GET', '/api/today');
  expect(JSON.stringify(today.body)).toContain('Bounces don’t reach this identity’s mailbox');
  const digest = await box.app.admin.rest('GET', `/api/digests/sending_digest?identity=${id}`);
  expect(digest.body.identities.lines).toMatchObject([{ bounces_arrive: 'no' }]);
});

test('a server that knows no such address says no at once, with its words', async () => {
  await using there = await scriptedSmtp({ RCPT: '550 5.1.1 no such mailbox here' });
  const transport = { kind: 'smtp', host: '127.0.0.1', port: there.port, security: 'plain', user: null };
  const { id } = await anInbox({ transport });
  const { body } = await probe(id);
  expect(body.identity.bounces).toMatchObject({
    arrive: 'no',
    server_said: expect.stringContaining('no such mailbox'),
  });
  expect(there.commands).not.toContain('end');
});

test('other settings void what a probe showed', async () => {
  const { id } = await anInbox();
  await probed(id);
  const { body } = await box.senders.patch(id, { envelope_sender: 'own' });
  expect(body.identity.bounces).toMatchObject({ arrive: 'unknown' });
  await probed(id);
  expect((await box.senders.patch(id, { inbound: box.imap() })).body.identity.bounces.arrive).toBe('unknown');
});

test('a probe is a mail: it takes wire, a mailbox that is read, and sending that is on', async () => {
  const { id } = await anInbox();
  const before = box.senders.sink.letters.length;
  expect(await probe(id, box.senders.token as never)).toMatchObject({ status: 403 });
  expect((await probe(id, box.senders.wired as never)).status).toBe(200);
  const blind = await box.senders.anIdentity();
  expect((await probe(blind.id)).body.error).toMatchObject({
    message: expect.stringContaining('no incoming mail connection'),
  });
  const sandbox = await box.senders.anIdentity({ transport: { kind: 'sandbox' } });
  expect((await probe(sandbox.id)).status).toBe(409);
  const wrong = await anInbox({ transport: box.senders.smtp({ secret: 'wrong' }) });
  expect((await probe(wrong.id)).body.error.message).toContain('didn’t accept the probe');
  expect((await bounces(wrong.id)).arrive).toBe('unknown');
  expect(box.senders.sink.letters).toHaveLength(before + 1);
});
