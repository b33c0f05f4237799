// What a mail vendor reports, and what someone tries who is not the vendor.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCampaign, aDesk } from '../../../../test/support/letters.ts';
import { eventOf, postSigned, signed } from '../../../../test/support/resend.ts';
import { sentLetter } from '../../../../test/support/sent.ts';
import { asTaken, openVendorApp, type VendorApp, WEBHOOK } from '../../../../test/support/vendor.ts';
import { SEND_TAG } from '../../../mail/vendor/resend-events.ts';

let desk: VendorApp;

beforeAll(async () => {
  desk = await openVendorApp();
});
afterAll(() => desk.close());

describe('what the vendor reports', () => {
  beforeAll(() => desk.registered());

  test.each([
    ['email.delivered', {}, 'delivered', []],
    ['email.delivery_delayed', {}, 'soft', []],
    [
      'email.bounced',
      { bounce: { type: 'Permanent', subType: 'General', message: 'x' } },
      'hard',
      ['hard_bounce'],
    ],
    ['email.bounced', { bounce: { type: 'Transient', subType: 'MailboxFull', message: 'x' } }, 'soft', []],
    [
      'email.bounced',
      { bounce: { type: 'Transient', subType: 'ContentRejected', message: 'x' } },
      'policy',
      [],
    ],
    [
      'email.bounced',
      {
        bounce: {
          type: 'Permanent',
          subType: 'General',
          diagnosticCode: ['smtp; 550 5.7.1 blocked using a list'],
        },
      },
      'policy',
      [],
    ],
    ['email.complained', {}, 'complaint', ['complaint']],
  ])('%s %j settles the letter as %s', async (type, data, delivery, reasons) => {
    const letter = await sentLetter(desk.app, await aCampaign(desk.app, await aDesk(desk.app)));
    expect(await desk.vendor.post(type, asTaken(letter), { data })).toEqual([200]);
    expect(await desk.deliveryOf(letter)).toBe(delivery);
    expect(await desk.reasonsOn(letter)).toEqual(reasons);
  });

  test('of two complaints within a thousand letters the warden pauses the domain, and the world is told', async () => {
    const here = await aCampaign(desk.app, await aDesk(desk.app));
    const letters = [await sentLetter(desk.app, here), await sentLetter(desk.app, here)];
    for (const letter of letters) await desk.vendor.post('email.complained', asTaken(letter));
    const [domain] = await desk.app.sql`
      select state, paused_by, paused_reason, evidence from domains where id = ${here.domain_id}`;
    expect(domain).toMatchObject({
      state: 'paused',
      paused_by: 'warden',
      paused_reason: 'complaints',
      evidence: { count: 2, sent: 2, threshold: 2 },
    });
    expect((domain as { evidence: { samples: string[] } }).evidence.samples.toSorted()).toEqual(
      letters.map(({ id }) => id).toSorted(),
    );
    const [event] = await desk.app.sql<{ body: string }[]>`
      select body from event_deliveries where event = 'domain.paused' order by occurred_at desc limit 1`;
    expect(JSON.parse(event?.body ?? '{}').data).toMatchObject({
      domain_id: here.domain_id,
      reason: 'complaints',
    });
  });

  test('I11: is replayed, in any number and any order, and counts once', async () => {
    const letter = await sentLetter(desk.app, desk.campaign);
    const taken = asTaken(letter);
    const id = `msg_${randomUUID()}`;
    for (let time = 0; time < 3; time++)
      expect(
        await desk.vendor.post('email.bounced', taken, { id, data: { bounce: { type: 'Permanent' } } }),
      ).toEqual([200]);
    await desk.vendor.post('email.delivered', taken);
    await desk.vendor.post('email.sent', taken);
    expect(await desk.deliveryOf(letter)).toBe('hard');
    const rows = await desk.app
      .sql`select kind from send_outcomes where send_id = ${letter.id} and source = 'vendor'`;
    expect(rows.map(({ kind }) => kind).toSorted()).toEqual(['accepted', 'delivered', 'hard']);
  });

  test('is signed with both secrets while one is rotated, and with either it is taken', async () => {
    const before = desk.vendor.webhooks[0]?.secrets[0] ?? '';
    await desk.wire.rest('POST', `${WEBHOOK}/rotate`, { provider: 'resend' });
    const letter = await sentLetter(desk.app, desk.campaign);
    const event = eventOf('email.delivered', asTaken(letter), {}, desk.app.clock.now());
    const endpoint = `${desk.app.url}/hooks/vendor/resend`;
    expect(await postSigned(endpoint, [before], event, desk.app.clock.now())).toBe(200);
    desk.app.clock.advance(25 * 3_600_000);
    const later = eventOf('email.delivered', asTaken(letter), {}, desk.app.clock.now());
    expect(await postSigned(endpoint, [before], later, desk.app.clock.now())).toBe(401);
  });

  test('that names no letter of ours is kept, and listed', async () => {
    const letter = await sentLetter(desk.app, desk.campaign);
    const stranger = { ...asTaken(letter), tags: [{ name: SEND_TAG, value: randomUUID() }] };
    expect(
      await desk.vendor.post('email.bounced', stranger, { data: { bounce: { type: 'Permanent' } } }),
    ).toEqual([200]);
    expect(await desk.reasonsOn(letter)).toEqual([]);
    const listed = await desk.wire.rest('GET', '/api/admin/outreach/deliveries/unplaced');
    expect(listed.body.items[0]).toMatchObject({ kind: 'hard', source: 'vendor' });
  });
});

describe('who is not the vendor', () => {
  const endpoint = (name = 'resend') => `${desk.app.url}/hooks/vendor/${name}`;
  beforeAll(() => desk.registered());

  test('I11: posts unsigned, signed with another secret, too late, too early, or for another body: 401, and nothing is written', async () => {
    const letter = await sentLetter(desk.app, desk.campaign);
    const now = desk.app.clock.now();
    const event = eventOf('email.complained', asTaken(letter), {}, now);
    const right = desk.vendor.webhooks[0]?.secrets ?? [];
    const wrong = [`whsec_${randomBytes(24).toString('base64')}`];
    const before = await desk.everything();
    const tries: [Record<string, string>, string][] = [
      [{ 'content-type': 'application/json' }, event.body],
      [signed(event, wrong, now), event.body],
      [signed(event, [`whsec_`], now), event.body],
      [signed(event, right, new Date(now.getTime() - 6 * 60_000)), event.body],
      [signed(event, right, new Date(now.getTime() + 6 * 60_000)), event.body],
      [signed(event, right, now), event.body.replace('complained', 'delivered')],
      [{ ...signed(event, right, now), 'svix-id': 'msg_other' }, event.body],
      [{ ...signed(event, right, now), 'svix-signature': 'v1,' }, event.body],
      [{ ...signed(event, right, now), 'svix-timestamp': 'NaN' }, event.body],
    ];
    for (const [headers, body] of tries) {
      const answer = await fetch(endpoint(), { method: 'POST', headers, body });
      expect(answer.status).toBe(401);
    }
    const unknown = await fetch(endpoint('other'), {
      method: 'POST',
      headers: signed(event, right, now),
      body: event.body,
    });
    expect(unknown.status).toBe(401);
    expect(await desk.everything()).toBe(before);
  });

  test('I11: posts more than a report holds, and is refused', async () => {
    const body = JSON.stringify({ type: 'email.sent', data: { x: 'x'.repeat(300_000) } });
    const event = { id: 'msg_huge', body };
    const headers = signed(event, desk.vendor.webhooks[0]?.secrets ?? [], desk.app.clock.now());
    const answer = await fetch(endpoint(), { method: 'POST', headers, body });
    expect(answer.status).toBe(413);
  });

  test('a signed body that is no report is taken, and does nothing', async () => {
    const secrets = desk.vendor.webhooks[0]?.secrets ?? [];
    for (const body of [
      '',
      'null',
      '[]',
      '{"type":1}',
      '{"type":"email.sent"}',
      '{"type":"contact.created","created_at":"x","data":{}}',
    ]) {
      const event = { id: `msg_${randomUUID()}`, body };
      expect(await postSigned(endpoint(), secrets, event, desk.app.clock.now())).toBe(200);
    }
  });

  test('I12: floods the hook with forged bounces: the domain is not paused and no one is suppressed', async () => {
    const here = await aCampaign(desk.app, await aDesk(desk.app));
    const letters = await Promise.all(Array.from({ length: 60 }, () => sentLetter(desk.app, here)));
    const wrong = [`whsec_${randomBytes(24).toString('base64')}`];
    const now = desk.app.clock.now();
    const answers = await Promise.all(
      letters.map((letter) =>
        postSigned(
          endpoint(),
          wrong,
          eventOf('email.bounced', asTaken(letter), { data: { bounce: { type: 'Permanent' } } }, now),
          now,
        ),
      ),
    );
    expect(new Set(answers)).toEqual(new Set([401]));
    await desk.app.instance.jobs.run('warden');
    const [domain] = await desk.app.sql`select state, warned from domains where id = ${here.domain_id}`;
    expect(domain).toEqual({ state: 'active', warned: null });
  });

  test('A30: a signed report grants nothing: a letter in review stays there, a paused domain stays paused', async () => {
    const sender = await aDesk(desk.app);
    const here = await aCampaign(desk.app, sender);
    const letter = await sentLetter(desk.app, here, { state: 'uncertain' });
    await desk.app
      .sql`update sends set state = 'review', sending_at = null, scheduled_for = null where id = ${letter.id}`;
    await desk.app
      .sql`update domains set state = 'paused', paused_by = 'person', paused_reason = 'x', paused_at = now() where id = ${sender.domain_id}`;
    for (const type of ['email.sent', 'email.delivered', 'email.complained'])
      expect(await desk.vendor.post(type, asTaken(letter))).toEqual([200]);
    const [row] = await desk.app.sql`select state, delivery from sends where id = ${letter.id}`;
    expect(row).toEqual({ state: 'review', delivery: null });
    const [domain] = await desk.app.sql`select state from domains where id = ${sender.domain_id}`;
    expect(domain).toEqual({ state: 'paused' });
  });

  test('once the webhook is taken away, the vendor itself is refused', async () => {
    const secrets = desk.vendor.webhooks[0]?.secrets ?? [];
    await desk.wire.rest('DELETE', WEBHOOK, { provider: 'resend' });
    const letter = await sentLetter(desk.app, desk.campaign);
    const event = eventOf('email.complained', asTaken(letter), {}, desk.app.clock.now());
    expect(await postSigned(endpoint(), secrets, event, desk.app.clock.now())).toBe(401);
    expect(await desk.reasonsOn(letter)).toEqual([]);
  });
});
