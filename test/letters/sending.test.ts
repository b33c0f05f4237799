// One real letter from its row to a mail server and back: its bytes are checked by others' verifiers, and its follow-up goes
// at the hours of whoever it is for.
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { readVerp } from '../../src/mail/compose/verp.ts';
import type { TestApp } from '../support/app.ts';
import { scriptedSmtp, smtpSink, type SmtpSink } from '../support/smtp.ts';
import { layDesk, openDesk } from './desk.ts';
import { seedLetters } from './seed.ts';

let app: TestApp;
let sink: SmtpSink;
beforeAll(async () => {
  app = await openDesk();
});
afterAll(() => app?.close());
beforeEach(async () => {
  sink = await smtpSink();
});
afterEach(() => sink[Symbol.asyncDispose]());

const read = async (bytes: Buffer) => {
  const parsed = await PostalMime.parse(bytes);
  return {
    ...parsed,
    header: (key: string) => parsed.headers.find((each) => each.key === key)?.value ?? null,
  };
};

test('an approved letter goes out once, signed, with the envelope of its send and two ways to unsubscribe', async () => {
  const desk = await layDesk(app, { identity: { port: sink.port }, algorithm: 'rsa' });
  await desk.send();
  await desk.send();
  expect(sink.letters).toHaveLength(1);
  const { bytes, from, to } = sink.letters[0]!;
  const [letter] = desk.letters;
  expect(to).toEqual([letter!.person.address]);
  expect(readVerp(from, app.instance.app.sealer.key('verp'))).toBe(letter!.id);

  const { record, selector, name } = desk.identity.domain;
  const { results } = await dkimVerify(bytes, {
    resolver: (asked) => Promise.resolve(asked === `${selector}._domainkey.${name}` ? [[record]] : []),
  });
  expect(results).toMatchObject([{ status: { result: 'pass', aligned: name } }]);
  expect(results[0]?.signingHeaders?.keys.toLowerCase()).toContain('list-unsubscribe-post');

  const parsed = await read(bytes);
  expect(parsed.messageId).toBe(letter!.message_id);
  expect(parsed.from).toMatchObject({ name: 'Ada Roe', address: 'ada@desk.example' });
  expect(parsed.header('list-unsubscribe')).toMatch(
    /^<https:\/\/desk\.example\/u\/[\w-]{43}>, <mailto:ada@desk\.example\?subject=unsubscribe%20[0-9a-f-]{36}\.[0-9a-f]{16}>$/,
  );
  expect(parsed.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(parsed.header('precedence')).toBeNull();
  expect(parsed.header('auto-submitted')).toBeNull();

  expect(await desk.row()).toMatchObject({ state: 'sent', delivery: 'accepted', lease: null });
  const [kept] = await app.sql`select bytes from send_bytes where send_id = ${letter!.id}`;
  expect(Buffer.compare(kept!['bytes'], bytes)).toBe(0);
  expect(await app.sql`select stage from prospects`).toMatchObject([{ stage: 'contacted' }]);
  expect(await app.sql`select kind, source from send_outcomes`).toMatchObject([
    { kind: 'accepted', source: 'session' },
  ]);
});

test('a letter that was put off is one of the day on which it goes: another Date, signed again, the same Message-ID', async () => {
  await using there = await scriptedSmtp({ end: ['451 4.3.0 later', '250 2.0.0 ok'] });
  const desk = await layDesk(app, { identity: { port: there.port }, algorithm: 'rsa' });
  await desk.send();
  expect(await desk.row()).toMatchObject({ state: 'scheduled', waiting_for: 'retry' });
  app.clock.advance(3 * HOUR_MS);
  await desk.send();
  expect(await desk.row()).toMatchObject({ state: 'sent', attempts: 2 });
  const letters = there
    .received()
    .split('DATA\r\n')
    .slice(1)
    .map((each) => Buffer.from(`${each.split('\r\n.\r\n')[0]}\r\n`, 'latin1'));
  const [first, second] = await Promise.all(letters.map(read));
  expect(second!.messageId).toBe(first!.messageId);
  expect(Date.parse(second!.date!) - Date.parse(first!.date!)).toBeGreaterThanOrEqual(3 * HOUR_MS - 1_000);
  const { record, selector, name } = desk.identity.domain;
  const { results } = await dkimVerify(letters[1]!, {
    resolver: (asked) => Promise.resolve(asked === `${selector}._domainkey.${name}` ? [[record]] : []),
  });
  expect(results).toMatchObject([{ status: { result: 'pass' } }]);
  const [kept] = await app.sql`select bytes from send_bytes where send_id = ${desk.letters[0]!.id}`;
  expect((await read(kept!['bytes'])).date).toBe(second!.date);
});

test('one post to the link of its header stops every letter to that person, without a login', async () => {
  const desk = await layDesk(app, { identity: { port: sink.port }, campaign: { steps: [0, 3] } });
  await desk.send();
  const { header } = await read(sink.letters[0]!.bytes);
  const [, path] = /<https:\/\/desk\.example(\/u\/[^>]+)>/.exec(header('list-unsubscribe') ?? '') ?? [];
  await seedLetters(
    desk.site,
    desk.campaign,
    desk.people,
    () => desk.identity,
    app.admin.id,
    app.clock.now(),
    {
      step: 1,
    },
  );
  const shown = await fetch(app.url + path!);
  expect(shown.status).toBe(200);
  expect(await app.sql`select 1 from suppressions`).toHaveLength(0);
  const posted = await fetch(app.url + path!, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
    redirect: 'manual',
  });
  expect(posted.status).toBe(200);
  expect(await app.sql`select reason from suppressions`).toMatchObject([{ reason: 'unsubscribe' }]);
  await desk.send();
  expect(sink.letters).toHaveLength(1);
  expect(await app.sql`select state from sends order by created_at desc limit 1`).toMatchObject([
    { state: 'cancelled' },
  ]);
});

test('a follow-up joins its thread, and goes at the hours of the recipient, not before it is due', async () => {
  const office = [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }];
  const desk = await layDesk(app, {
    identity: { port: sink.port },
    timezone: 'Asia/Kolkata',
    campaign: { steps: [0, 3], columns: { windows: app.sql.json(office) } },
  });
  const walk = async (letters: number): Promise<void> => {
    for (let step = 0; step < 400 && sink.letters.length < letters; step++) {
      await desk.send();
      app.clock.advance(30 * MINUTE_MS);
    }
  };
  await walk(1);
  const [first] = desk.letters;
  const [prospect] = await app.sql<
    { next_at: Date; step_id: string }[]
  >`select due_at as next_at, step_id from prospects`;
  const sent = (await desk.row())['sent_at'] as Date;
  expect(prospect!.step_id).toBe(desk.campaign.steps[1]);
  expect(prospect!.next_at.getTime() - sent.getTime()).toBe(72 * HOUR_MS);
  const [second] = await seedLetters(
    desk.site,
    desk.campaign,
    desk.people,
    () => desk.identity,
    app.admin.id,
    prospect!.next_at,
    { step: 1, subject: 'Re: Your bridge', after: { message_id: first!.message_id, references: [] } },
  );
  await walk(2);
  expect(sink.letters).toHaveLength(2);
  const parsed = await read(sink.letters[1]!.bytes);
  expect(parsed.inReplyTo).toBe(first!.message_id);
  expect(parsed.references).toBe(first!.message_id);
  expect(parsed.subject).toBe('Re: Your bridge');
  expect(parsed.messageId).toBe(second!.message_id);
  for (const { id } of [first!, second!]) {
    const at = (await desk.row(id))['sending_at'] as Date;
    const local = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Asia/Kolkata',
      weekday: 'short',
      hour: '2-digit',
      hourCycle: 'h23',
    }).format(at);
    expect(local).toMatch(/^(Mon|Tue|Wed|Thu|Fri),? (09|1[0-6])$/);
  }
  expect(((await desk.row(second!.id))['sending_at'] as Date) >= prospect!.next_at).toBe(true);
});
