// Copies in Sent, against a real IMAP server: filed once where the provider files none, looked for where no one knows whether a
// letter went, and never in the way of the next letter.
import { ImapFlow } from 'imapflow';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { approved, O, readSend, somebody } from '../../../../test/support/letters.ts';
import { openMailboxes, type Mailboxes } from '../../../../test/support/mailboxes.ts';
import { MAIL_HOST } from '../../../../test/support/senders.ts';
import { drop, scriptedSmtp } from '../../../../test/support/smtp.ts';
import { DAY_MS, MINUTE_MS } from '../../../kernel/clock.ts';

let boxes: Mailboxes;
let app: Mailboxes['app'];
beforeAll(async () => {
  boxes = await openMailboxes({ baseUrl: 'https://desk.example' });
  app = boxes.app;
});
afterEach(() => boxes.letGo());
afterAll(() => boxes?.close());

const visit = async (minutes = 2) => {
  app.clock.advance(minutes * MINUTE_MS);
  return app.instance.jobs.run('sent_copies');
};
const anActive = async (more: object = {}) =>
  boxes.senders.onIdentity(
    (await boxes.senders.anIdentity({ inbound: boxes.imap(), ...more })).id,
    'activate',
  );

async function aLetter(identity: { id: string }) {
  const person = await somebody(app);
  const wish = { person_id: person.id, identity_id: identity.id, subject: 'Your bridge', text: 'Dear Dana' };
  const made = await app.admin.rest('POST', `${O}/letters`, wish);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  await approved(app.admin, made.body.send.id);
  return made.body.send.id as string;
}

async function sentLetter(identity: { id: string }) {
  const id = await aLetter(identity);
  await app.instance.jobs.run('letters');
  const { send } = await readSend(app.admin, id);
  expect(send.state, JSON.stringify(send)).toBe('sent');
  return send;
}

/** What lies in a folder of this test's mailbox. */
async function lying(folder = 'Sent'): Promise<{ bytes: Buffer; seen: boolean }[]> {
  const { secret } = boxes.imap() as { secret: string };
  const client = new ImapFlow({
    host: '127.0.0.1',
    servername: MAIL_HOST,
    port: boxes.server.tlsPort,
    secure: true,
    auth: { user: boxes.user(), pass: secret },
    logger: false,
  });
  await client.connect();
  try {
    await client.mailboxOpen(folder, { readOnly: true });
    const mails = await client.fetchAll('1:*', { source: true, flags: true }).catch(() => []);
    return mails.map(({ source, flags }) => ({
      bytes: source ?? Buffer.alloc(0),
      seen: flags?.has('\\Seen') ?? false,
    }));
  } finally {
    await client.logout();
  }
}
const stateOf = async (id: string) =>
  (await app.sql`select state, looks from sent_copies where send_id = ${id}`)[0];

describe('a letter that went', () => {
  test('has one copy in Sent, the very bytes, however often the folder is visited', async () => {
    const identity = await anActive();
    expect(identity).toMatchObject({ sent_copies: 'auto', sent_filed_by: 'product', sent_trouble: null });
    const { id } = await sentLetter(identity);
    // Whoever files copies by themselves has a minute to do so.
    await visit(0);
    expect(await lying()).toHaveLength(0);
    await visit();
    const [copy, ...more] = await lying();
    expect(more).toHaveLength(0);
    expect(copy?.seen).toBe(true);
    const [row] = await app.sql<{ bytes: Buffer }[]>`select bytes from send_bytes where send_id = ${id}`;
    expect(Buffer.compare(copy!.bytes, row!.bytes)).toBe(0);
    expect(await stateOf(id)).toMatchObject({ state: 'filed' });
    // The process that filed it died before it could say so.
    await app.sql`update sent_copies set state = 'due'`;
    await visit();
    expect(await lying()).toHaveLength(1);
    expect(await stateOf(id)).toMatchObject({ state: 'found' });
  });

  test('whose copy the provider filed gets no second one', async () => {
    const identity = await anActive();
    const { id } = await sentLetter(identity);
    const [row] = await app.sql<{ bytes: Buffer }[]>`select bytes from send_bytes where send_id = ${id}`;
    await boxes.deliver(row!.bytes.toString('latin1'), { folder: 'Sent' });
    await visit();
    expect(await lying()).toHaveLength(1);
    expect(await stateOf(id)).toMatchObject({ state: 'found' });
  });

  test('is filed in the folder that the setting names, or nowhere where copies are off', async () => {
    const identity = await anActive({ sent_copies: 'append', sent_folder: 'Junk' });
    await sentLetter(identity);
    await visit();
    expect([await lying('Junk'), await lying('Sent')].map(({ length }) => length)).toEqual([1, 0]);
    const off = await boxes.senders.patch(identity.id, { sent_copies: 'none', sent_folder: null });
    expect(off.body.identity).toMatchObject({
      sent_copies: 'none',
      sent_folder: null,
      sent_filed_by: 'nobody',
    });
    app.clock.advance(DAY_MS);
    await sentLetter(identity);
    await visit();
    expect(await lying('Sent')).toHaveLength(0);
  });

  test('stays sent where its copy cannot be filed: the identity says why, and the next letter goes', async () => {
    const identity = await anActive({ sent_folder: 'No such folder' });
    const { id } = await sentLetter(identity);
    await visit();
    expect(await boxes.senders.readIdentity(identity.id)).toMatchObject({
      sent_trouble: expect.stringContaining('no folder of that name'),
      sent_trouble_since: expect.any(String),
      trouble: null,
    });
    app.clock.advance(DAY_MS);
    await sentLetter(identity);
    expect((await readSend(app.admin, id)).send.state).toBe('sent');
    await boxes.senders.patch(identity.id, { sent_folder: null });
    await visit();
    expect(await boxes.senders.readIdentity(identity.id)).toMatchObject({ sent_trouble: null });
    expect(await lying()).toHaveLength(2);
  });

  test('through a provider that files copies itself is left to it', async () => {
    const identity = await anActive();
    const { id } = await sentLetter(identity);
    await app.sql`update identities set transport = jsonb_set(transport, '{host}', '"smtp.gmail.com"') where id = ${identity.id}`;
    expect(await boxes.senders.readIdentity(identity.id)).toMatchObject({ sent_filed_by: 'provider' });
    await visit();
    expect(await lying()).toHaveLength(0);
    expect(await stateOf(id)).toBeUndefined();
  });
});

describe('a letter of which no one knows whether it went', () => {
  const uncertain = async () => {
    await using there = await scriptedSmtp({ end: drop });
    const transport = { kind: 'smtp', host: '127.0.0.1', port: there.port, security: 'plain', user: null };
    const identity = await anActive({ transport });
    const id = await aLetter(identity);
    await app.instance.jobs.run('letters');
    expect((await readSend(app.admin, id)).send.state).toBe('uncertain');
    return id;
  };

  test('is settled by its copy in Sent, with that in its history, and never filed by us', async () => {
    const id = await uncertain();
    await visit();
    const looked = await readSend(app.admin, id);
    expect(looked.send).toMatchObject({
      state: 'uncertain',
      looked_for: expect.arrayContaining([
        { evidence: 'sent_copy', looked_at: expect.any(String) },
        { evidence: 'reply', looked_at: null },
      ]),
    });
    expect(await lying()).toHaveLength(0);
    const { message_id } = looked.send;
    await boxes.deliver(
      `From: ann@x.example\r\nMessage-ID: ${message_id}\r\nSubject: Your bridge\r\n\r\nDear Dana\r\n`,
      {
        folder: 'Sent',
      },
    );
    await visit(10);
    const { send, history } = await readSend(app.admin, id);
    expect(send).toMatchObject({ state: 'sent', delivery: 'accepted', looked_for: null });
    expect(history).toContainEqual(
      expect.objectContaining({
        kind: 'resolved',
        details: expect.objectContaining({ outcome: 'sent', evidence: 'sent_copy' }),
      }),
    );
  });

  test('is looked for less and less often, and stays a person’s to settle', async () => {
    const id = await uncertain();
    for (let n = 0; n < 12; n++) await visit(24 * 60);
    expect(await stateOf(id)).toEqual({ state: 'left', looks: 7 });
    expect((await readSend(app.admin, id)).send.state).toBe('uncertain');
  });
});
