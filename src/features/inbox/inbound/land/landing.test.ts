// Mail that came in, through the pass that lands it: whose letter it answers, what is a report, what is our own, and what waits
// for a person (domain.md §6.1, §6.3).
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts';
import {
  arrives,
  comesIn,
  landAll,
  landed,
  standing,
  told,
  type Written,
} from '../../../../../test/support/inbound.ts';
import { aCampaign, aDesk, somebody, type TestCampaign } from '../../../../../test/support/letters.ts';
import { type SentLetter, sentLetter } from '../../../../../test/support/sent.ts';
import { bytes as reportBytes, dsn } from '../../../../../test/mail/reports/letters.ts';
import { verp } from '../../../../mail/compose/verp.ts';

let app: TestApp;
let campaign: TestCampaign;
beforeAll(async () => {
  app = await openTestApp();
  campaign = await aCampaign(app, await aDesk(app));
});
afterAll(() => app.close());

const aLetter = (more: Parameters<typeof sentLetter>[2] = {}) => sentLetter(app, campaign, more);
const from = (letter: SentLetter, more: Written = {}): Written => ({
  from: `Dana Roe <${letter.person.address}>`,
  ...more,
});
const nowhere = () => `<${randomUUID()}@nowhere.example>`;
const verpOf = ({ id }: SentLetter) => verp(id, app.instance.app.sealer.key('verp'), 'desk.example');

describe('an answer is attributed by', () => {
  test.each<[string, (letter: SentLetter) => { mail: Written; delivered_to?: string[] }, string]>([
    [
      'In-Reply-To',
      ({ message_id }) => ({ mail: { in_reply_to: message_id, subject: 'Else' } }),
      'in_reply_to',
    ],
    [
      'References, where In-Reply-To is nobody’s',
      ({ message_id }) => ({
        mail: { in_reply_to: nowhere(), references: [nowhere(), message_id, nowhere()], subject: 'Else' },
      }),
      'references',
    ],
    [
      'the address that was drawn for the letter',
      (letter) => ({ mail: { subject: 'Else' }, delivered_to: [verpOf(letter)] }),
      'verp',
    ],
    [
      'the same in its own fields',
      (letter) => ({ mail: { subject: 'Else', to: `Ada <${verpOf(letter)}>` } }),
      'verp',
    ],
    [
      'a Message-ID that is quoted in it',
      ({ message_id }) => ({
        mail: { subject: 'Else', text: `See below.\r\n\r\n> Message-ID: ${message_id}\r\n> Dear Dana` },
      }),
      'quoted_id',
    ],
    ['its sender and its subject', () => ({ mail: { subject: 'AW: Your bridge' } }), 'guessed'],
  ])('%s', async (_, write, by) => {
    const letter = await aLetter();
    const { mail, delivered_to = [] } = write(letter);
    const { state, touch } = await comesIn(app, from(letter, mail), { delivered_to });
    expect(state).toBe('landed');
    expect(touch).toMatchObject({
      attributed_by: by,
      person_id: letter.person.id,
      prospect_id: letter.prospect_id,
      thread_campaign: campaign.id,
      reading: 'unread',
      reading_by: 'rule',
      waiting: 'us',
    });
    expect(await standing(app, letter.prospect_id)).toMatchObject({ stage: 'replied', ended: 'replied' });
  });

  test('the Message-ID that a next hop gave the letter in place of ours', async () => {
    const letter = await aLetter();
    const known = `<${randomUUID()}@vendor.example>`;
    await app.sql`insert into vendor_letters ${app.sql({ provider: 'smtp', external_id: letter.id, send_id: letter.id, message_id: known })}`;
    const { touch } = await comesIn(app, from(letter, { in_reply_to: known, subject: 'Else' }));
    expect(touch).toMatchObject({ attributed_by: 'in_reply_to', prospect_id: letter.prospect_id });
  });

  test('what they wrote before, of which a colleague goes on', async () => {
    const letter = await aLetter();
    const first = `<${randomUUID()}@acme.example>`;
    await comesIn(app, from(letter, { in_reply_to: letter.message_id, message_id: first }));
    const { touch } = await comesIn(app, {
      from: 'Bo <bo@acme.example>',
      in_reply_to: first,
      subject: 'Else',
    });
    expect(touch).toMatchObject({ person_id: letter.person.id, prospect_id: letter.prospect_id });
    expect(touch?.['details']).toEqual({ written_by: 'unknown' });
  });

  test('nothing that is older than thirty days, where only sender and subject speak for it', async () => {
    const old = new Date(app.clock.now().getTime() - 31 * 86_400_000);
    const letter = await aLetter({ at: old });
    const { touch } = await comesIn(app, from(letter));
    expect(touch).toMatchObject({ attributed_by: null, prospect_id: null, person_id: letter.person.id });
  });

  test('a known other person is named beside whom the letter went to', async () => {
    const letter = await aLetter();
    const other = await somebody(app, 'Bo Ray');
    const { touch } = await comesIn(app, {
      from: `Bo <${other.address}>`,
      in_reply_to: letter.message_id,
    });
    expect(touch).toMatchObject({ person_id: letter.person.id });
    expect(touch?.['details']).toEqual({ written_by: 'other', written_by_person: other.id });
  });
});

describe('mail that answers nothing', () => {
  test('of someone we know opens a thread of theirs, and their sequences stop', async () => {
    const letter = await aLetter();
    const { state, touch } = await comesIn(app, from(letter, { subject: 'Something new' }));
    expect(state).toBe('landed');
    expect(touch).toMatchObject({
      attributed_by: null,
      thread_person: letter.person.id,
      prospect_id: null,
      thread_campaign: null,
    });
    expect(await standing(app, letter.prospect_id)).toMatchObject({ stage: 'replied', ended: 'replied' });
    expect((await told(app, 'reply.landed')).at(-1)).toEqual({
      touch_id: touch?.['id'],
      person_id: letter.person.id,
      campaign_id: null,
      channel: 'email',
      reading: 'unread',
    });
  });

  test('of an unknown address waits for a person, and nothing is told', async () => {
    const before = (await told(app, 'reply.landed')).length;
    const { state, note, touch } = await comesIn(app, { from: 'Eve <eve@elsewhere.example>' });
    expect({ state, touch }).toEqual({ state: 'quarantined', touch: null });
    expect(note).toMatch(/doesn’t reply to any letter sent from here/);
    expect((await told(app, 'reply.landed')).length).toBe(before);
  });

  test('of one of our own senders is no answer, whatever it answers', async () => {
    const letter = await aLetter();
    const [own] = await app.sql<{ address: string }[]>`
      select address from identities where id = ${campaign.identity_id}`;
    const { state } = await comesIn(app, { from: own!.address, in_reply_to: letter.message_id });
    expect(state).toBe('ignored');
    expect((await standing(app, letter.prospect_id))['stage']).not.toBe('replied');
  });
});

describe('what one of our own senders answers as whom a letter went to', () => {
  test('is an answer where it comes in, and no letter of ours where it was sent from', async () => {
    const own = await somebody(app, 'Ada, who tries her own campaign');
    await app.sql`update identities set normalised = ${own.address} where id = ${campaign.identity_id}`;
    const letter = await aLetter({ person: own });
    const mail = from(letter, { in_reply_to: letter.message_id });
    const copy = await comesIn(app, mail, { folder_role: 'sent' });
    expect(copy).toMatchObject({ state: 'ignored', touch: null });
    const { state, touch } = await comesIn(app, mail);
    expect(state).toBe('landed');
    expect(touch).toMatchObject({ direction: 'in', waiting: 'us', prospect_id: letter.prospect_id });
    expect(await standing(app, letter.prospect_id)).toMatchObject({ stage: 'replied', ended: 'replied' });
  });

  test('is no answer to what went to them by its subject alone: a letter of theirs has the same', async () => {
    const own = await somebody(app, 'Bo, whose letters come to Ada');
    await app.sql`update identities set normalised = ${own.address} where id = ${campaign.identity_id}`;
    const letter = await aLetter({ person: own });
    expect((await comesIn(app, from(letter, { subject: 'Your bridge' }))).state).toBe('ignored');
    expect(await standing(app, letter.prospect_id)).toMatchObject({ ended: null });
  });
});

describe('a report', () => {
  test('of a letter is recorded and is no one’s answer', async () => {
    const letter = await aLetter();
    const before = (await told(app, 'reply.landed')).length;
    const text = dsn(
      `Final-Recipient: rfc822; ${letter.person.address}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 no such user\n`,
    ).replaceAll('<letter-1@dunnock.example>', letter.message_id);
    const { state } = await comesIn(app, Buffer.from(reportBytes(text)));
    expect(state).toBe('reported');
    expect((await standing(app, letter.prospect_id))['stage']).toBe('bounced');
    expect((await told(app, 'reply.landed')).length).toBe(before);
  });

  test('that a letter was read holds nothing and is no one’s answer', async () => {
    const letter = await aLetter();
    const receipt = [
      `From: ${letter.person.address}`,
      'Subject: Read: Your bridge',
      `In-Reply-To: ${letter.message_id}`,
      'Auto-Submitted: auto-replied',
      'Content-Type: multipart/report; report-type=disposition-notification;\r\n boundary=b',
      '',
      '--b\r\nContent-Type: text/plain\r\n\r\nYour message was read.',
      '--b\r\nContent-Type: message/disposition-notification\r\n',
      `Original-Message-ID: ${letter.message_id}\r\nDisposition: manual-action/MDN-sent-manually; displayed`,
      '--b--',
    ];
    const { state } = await comesIn(app, Buffer.from(receipt.join('\r\n')));
    expect(state).toBe('reported');
    expect(await standing(app, letter.prospect_id)).toMatchObject({ hold_by: null, ended: null });
  });

  test('that anyone could have forged pauses no domain, however many come (red team I12)', async () => {
    const letter = await aLetter();
    for (let n = 0; n < 40; n += 1) {
      const forged = dsn(
        `Final-Recipient: rfc822; ${n === 0 ? letter.person.address : `x${n}@acme.example`}\nAction: failed\nStatus: 5.1.1\n`,
      ).replaceAll('letter-1@dunnock.example', `forged-${n}@elsewhere.example`);
      await arrives(app, Buffer.from(reportBytes(forged)));
    }
    await landAll(app);
    const [domain] = await app.sql`select state, warned from domains where id = ${campaign.domain_id}`;
    expect(domain).toEqual({ state: 'active', warned: null });
    expect((await standing(app, letter.prospect_id))['stage']).not.toBe('bounced');
  });

  test('of no letter of ours stays in the quarantine of deliveries', async () => {
    const { state } = await comesIn(
      app,
      Buffer.from(reportBytes(dsn('Final-Recipient: rfc822; x@y.example\nAction: failed\nStatus: 5.1.1\n'))),
    );
    expect(state).toBe('reported');
    const unplaced = await app.admin.rest('GET', '/api/admin/outreach/deliveries/unplaced');
    expect(unplaced.body.items.length).toBeGreaterThan(0);
  });
});

test('the same mail in two of our mailboxes lands once', async () => {
  const letter = await aLetter();
  const mail = from(letter, { in_reply_to: letter.message_id, message_id: nowhere() });
  const ids = [await arrives(app, mail), await arrives(app, mail)];
  await landAll(app);
  const states = await Promise.all(ids.map(async (id) => (await landed(app, id)).state));
  expect(states.sort()).toEqual(['ignored', 'landed']);
});

test('whatever bytes someone sends are an answer if they name one, and never stop the next mail (red team G14)', async () => {
  const letter = await aLetter();
  const head = Buffer.from(
    `From: ${letter.person.address}\r\nIn-Reply-To: ${letter.message_id}\r\nX-Recipients: ${'a@b.example, '.repeat(20_000)}\r\n`,
  );
  const junk = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc
      .constantFrom('\0\0', '\ud800', '--x\r\n'.repeat(500), '\x1b[2J')
      .map((text) => Buffer.from(text, 'utf16le')),
  );
  const ids: string[] = [];
  await fc.assert(
    fc.asyncProperty(
      junk,
      junk,
      fc.constantFrom('text/plain', 'text/html', 'multipart/mixed; boundary=x'),
      async (subject, body, type) => {
        const line = Buffer.from(subject).map((byte) => (byte === 10 || byte === 13 ? 32 : byte));
        const parts = [
          head,
          Buffer.from('Subject: '),
          line,
          Buffer.from(`\r\nContent-Type: ${type}\r\n\r\n`),
          Buffer.from(body),
        ];
        ids.push(await arrives(app, Buffer.concat(parts)));
      },
    ),
    { numRuns: 40 },
  );
  await landAll(app);
  const rows = await app.sql`select distinct state from inbound_mails where id = any(${ids}::uuid[])`;
  expect(rows).toEqual([{ state: 'landed' }]);
});
