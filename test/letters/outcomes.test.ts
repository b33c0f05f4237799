// What becomes of a letter by what the next hop says, and what does not become of it: nothing of doubtful fate is sent again.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import type { TestApp } from '../support/app.ts';
import { drop, scriptedSmtp, smtpSink } from '../support/smtp.ts';
import { layDesk, openDesk } from './desk.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openDesk();
});
afterAll(() => app?.close());

test('a greylisted letter waits half an hour at least, and goes by the same envelope under the same Message-ID', async () => {
  await using there = await scriptedSmtp({ RCPT: ['450 4.7.1 come back later', '250 ok'] });
  const desk = await layDesk(app, { identity: { port: there.port } });
  const before = app.clock.now();
  await desk.send();
  const waiting = await desk.row();
  expect(waiting).toMatchObject({ state: 'scheduled', waiting_for: 'greylisted', attempts: 1, lease: null });
  expect(waiting['not_before'] - before.getTime()).toBeGreaterThanOrEqual(30 * MINUTE_MS);
  const [made] = await app.sql`select envelope_from, bytes from send_bytes`;
  app.clock.advance(29 * MINUTE_MS);
  await desk.send();
  expect(there.commands.filter((each) => each === 'RCPT')).toHaveLength(1);
  app.clock.advance(2 * MINUTE_MS);
  await desk.send();
  expect(await desk.row()).toMatchObject({ state: 'sent', attempts: 2 });
  const [kept] = await app.sql`select envelope_from, bytes from send_bytes`;
  // What a host that greylists knows a letter by.
  expect(kept!['envelope_from']).toBe(made!['envelope_from']);
  const idOf = (bytes: Buffer) => /^message-id:\s*(<[^>]+>)/im.exec(bytes.toString('latin1'))?.[1];
  expect(idOf(kept!['bytes'])).toBe(idOf(made!['bytes']));
  expect(idOf(kept!['bytes'])).toBe(waiting['message_id']);
});

test('a letter that is put off for a day fails, and is not piled onto the next one', async () => {
  await using there = await scriptedSmtp({ end: '451 4.3.0 not now' });
  const desk = await layDesk(app, { identity: { port: there.port }, campaign: { steps: [0, 3] } });
  for (let n = 0; n < 60; n++) {
    await desk.send();
    app.clock.advance(30 * MINUTE_MS);
  }
  expect(await desk.row()).toMatchObject({
    state: 'failed',
    failed_reason: 'deferred_too_long',
    delivery: 'soft',
  });
  expect(await app.sql`select kind from send_outcomes where kind = 'soft'`).not.toHaveLength(0);
  // Whoever it was for is at the next step, and waits there for someone to look.
  expect(await app.sql`select step_id, hold_by, hold_reason, ended from prospects`).toMatchObject([
    {
      step_id: desk.campaign.steps[1],
      hold_by: 'system',
      hold_reason: expect.stringContaining('didn’t accept the letter in time'),
      ended: null,
    },
  ]);
});

test.each([
  ['the recipient', { RCPT: '550 5.1.1 no such user' }, 'hard'],
  ['the letter, at its end', { end: '554 5.7.1 looks like spam' }, 'policy'],
] as const)('a host that refuses %s fails the letter as %s', async (_, script, delivery) => {
  await using there = await scriptedSmtp(script as never);
  const desk = await layDesk(app, {
    identity: { port: there.port, columns: { min_gap_s: 300 } },
    campaign: { steps: [0, 3] },
  });
  await desk.send();
  expect(await desk.row()).toMatchObject({ state: 'failed', failed_reason: delivery, delivery });
  // It is about this letter and counts for its domain, although it was refused before it could start.
  expect(await app.sql`select kind, source, send_id, domain_id from send_outcomes`).toMatchObject([
    { kind: delivery, source: 'session', send_id: desk.letters[0]!.id, domain_id: desk.identity.domain.id },
  ]);
  expect(await app.sql`select value from suppressions where reason = 'hard_bounce'`).toHaveLength(
    delivery === 'hard' ? 1 : 0,
  );
  const [prospect] = await app.sql`select stage, hold_by from prospects`;
  expect(prospect).toMatchObject({ stage: delivery === 'hard' ? 'bounced' : 'enrolled', hold_by: 'system' });
  // The host was spoken to, so the next letter keeps its distance.
  const [identity] = await app.sql<{ next_slot_at: Date }[]>`select next_slot_at from identities`;
  expect(identity!.next_slot_at > app.clock.now()).toBe(true);
});

test.each([
  [
    '550 Domain sender.example has exceeded the max emails per hour (101/100 (101%)) allowed.  Message discarded.',
    'quota',
  ],
  ['550 Sendelimit von 100 Nachrichten erreicht', 'quota'],
  ['550 5.4.5 Daily user sending limit exceeded', 'quota'],
  ['550 Outgoing mail from "sender.example" has been suspended.', 'refused'],
  ['550 SMTP AUTH is required for message submission on port 587', 'credentials'],
  ['550 Rejected', 'refused'],
  ['554 denied', 'refused'],
  ['550 Nachricht abgelehnt', 'refused'],
  ['550 votre IP est sur liste noire', 'refused'],
] as const)('the own server says "%s": letters are held, and nobody is suppressed', async (RCPT, trouble) => {
  await using there = await scriptedSmtp({ RCPT });
  const desk = await layDesk(app, {
    people: 12,
    identity: { port: there.port, columns: { min_gap_s: 1 } },
    campaign: { steps: [0, 3] },
  });
  for (let n = 0; n < 15; n++) {
    await desk.send();
    app.clock.advance(2_000);
  }
  // One letter found out, and the others were not offered.
  expect(there.commands.filter((each) => each === 'RCPT')).toHaveLength(1);
  expect(await app.sql`select distinct state, delivery from sends`).toEqual([
    { state: 'held', delivery: null },
  ]);
  const [first] = await app.sql`
    select hold_reason, hold_evidence from sends where hold_evidence ->> 'trouble' is not null`;
  expect(first).toMatchObject({
    hold_reason: trouble === 'credentials' ? 'identity_credentials' : 'transport_refused',
    hold_evidence: { trouble, code: Number(RCPT.slice(0, 3)), server_said: RCPT.replace(/ +/g, ' ') },
  });
  expect(await app.sql`select trouble from identities`).toEqual([{ trouble }]);
  expect(await app.sql`select 1 from suppressions`).toEqual([]);
  expect(await app.sql`select 1 from send_outcomes`).toEqual([]);
  expect(await app.sql`select distinct state from domains`).toMatchObject([{ state: 'active' }]);
  expect(await app.sql`select distinct stage, hold_by, ended from prospects`).toEqual([
    { stage: 'enrolled', hold_by: null, ended: null },
  ]);
});

test('of several recipients the one that the own server refused is struck off, and no other', async () => {
  await using there = await scriptedSmtp({ RCPT: ['250 ok', '550 5.1.1 no such user'] });
  const desk = await layDesk(app, {
    identity: { port: there.port },
    letter: { cc: ['gone@elsewhere.example'] },
  });
  await desk.send();
  expect(await desk.row()).toMatchObject({ state: 'failed', failed_reason: 'hard' });
  expect(await app.sql`select value from suppressions`).toEqual([{ value: 'gone@elsewhere.example' }]);
});

test('a mail server that cannot be reached is called less and less often, once for all of its letters', async () => {
  const gone = await scriptedSmtp({});
  const { port } = gone;
  await gone[Symbol.asyncDispose]();
  const desk = await layDesk(app, { people: 30, identity: { port } });
  await desk.send();
  const waiting = await app.sql`select 1 from sends where waiting_for = 'transport_down'`;
  // Those that were on their way and those just behind them, which are not tried.
  expect(waiting.length).toBeGreaterThan(0);
  expect(waiting.length).toBeLessThan(30);
  const failures = async () => (await app.sql`select failures from sender_lanes`)[0]!['failures'];
  expect(await failures()).toBe(1);
  app.clock.advance(61_000);
  await desk.send();
  expect(await failures()).toBe(2);
  await using back = await smtpSink();
  await app.sql`update identities set revision = revision + 1,
    transport = ${app.sql.json({ host: '127.0.0.1', port: back.port, security: 'plain', user: null })}`;
  app.clock.advance(3 * MINUTE_MS);
  await desk.send();
  expect(back.letters).toHaveLength(30);
});

test('refused credentials hold the letter and let nothing more of that identity out', async () => {
  await using there = await scriptedSmtp({ MAIL: '530 5.7.0 sign in first' });
  const desk = await layDesk(app, {
    people: 20,
    identity: { port: there.port, columns: { min_gap_s: 1 } },
  });
  await desk.send();
  expect(await app.sql`select active, state_reason from identities`).toMatchObject([
    { active: false, state_reason: 'credentials_refused' },
  ]);
  for (let n = 0; n < 30; n++) {
    app.clock.advance(2_000);
    await desk.send();
  }
  expect(await app.sql`select distinct state, hold_reason from sends`).toMatchObject([
    { state: 'held', hold_reason: 'identity_credentials' },
  ]);
  expect(there.commands.filter((each) => each === 'MAIL')).toHaveLength(1);
  expect(await app.sql`select 1 from event_deliveries where event = 'send.held'`).toHaveLength(20);
});

describe('a connection that breaks', () => {
  test('before the end of the letter costs nothing: it goes later', async () => {
    await using there = await scriptedSmtp({ DATA: [drop, '354 go on'] });
    const desk = await layDesk(app, { identity: { port: there.port } });
    await desk.send();
    expect(await desk.row()).toMatchObject({
      state: 'scheduled',
      waiting_for: 'broke_off',
      sending_at: null,
    });
    app.clock.advance(2 * MINUTE_MS);
    await desk.send();
    expect(await desk.row()).toMatchObject({ state: 'sent' });
  });

  test('over three letters in a row is the server: the identity waits, with the cause and since when', async () => {
    await using there = await scriptedSmtp({ DATA: drop });
    const desk = await layDesk(app, {
      people: 5,
      identity: { port: there.port, columns: { min_gap_s: 1 } },
    });
    for (let n = 0; n < 8; n++) {
      await desk.send();
      app.clock.advance(2_000);
    }
    expect(there.commands.filter((each) => each === 'DATA')).toHaveLength(3);
    expect(
      await app.sql`select failures, breaks, down_cause, down_since is not null as since from sender_lanes`,
    ).toMatchObject([{ failures: 1, breaks: 3, down_cause: 'dropped', since: true }]);
    expect(
      await app.sql`select waiting_for from sends where waiting_for is not null order by waiting_for`,
    ).toMatchObject([
      { waiting_for: 'broke_off' },
      { waiting_for: 'broke_off' },
      { waiting_for: 'transport_down' },
    ]);
  });

  test('after it leaves the letter uncertain, which no timer ever sends again', async () => {
    await using there = await scriptedSmtp({ end: drop });
    const desk = await layDesk(app, { identity: { port: there.port } });
    await desk.send();
    expect(await desk.row()).toMatchObject({ state: 'uncertain', delivery: null });
    for (let n = 0; n < 40; n++) {
      app.clock.advance(DAY_MS);
      await desk.send();
    }
    expect(there.commands.filter((each) => each === 'DATA')).toHaveLength(1);
    const listed = await app.admin.rest('GET', '/api/admin/outreach/sends?state=uncertain');
    expect(listed.status === 401 || listed.body.items?.length === 1, JSON.stringify(listed.body)).toBe(true);
  });
});

test('a letter whose process died in sending is uncertain once its lease is over, and only then', async () => {
  const desk = await layDesk(app, { identity: {} });
  const now = app.clock.now();
  await app.sql`
    update sends set state = 'sending', sending_at = ${now}, lease = ${desk.letters[0]!.id},
      lease_until = ${new Date(now.getTime() + MINUTE_MS)}`;
  await desk.send();
  expect(await desk.row()).toMatchObject({ state: 'sending' });
  app.clock.advance(MINUTE_MS + 1);
  await desk.send();
  expect(await desk.row()).toMatchObject({ state: 'uncertain' });
  expect(await app.sql`select kind from send_facts`).toMatchObject([{ kind: 'uncertain' }]);
  app.clock.advance(HOUR_MS);
  expect(await desk.send()).toBe(0);
});

test('a letter that was given up as lost, and then refused for the sake of its sender, is held with its identity', async () => {
  await using there = await scriptedSmtp({
    end: (socket) =>
      void app.sql`update sends set state = 'uncertain', lease_until = null where state = 'sending'`.then(
        () => socket.write('550 5.4.5 Daily user sending limit exceeded\r\n'),
      ),
  });
  const desk = await layDesk(app, { identity: { port: there.port } });
  await desk.send();
  expect(await desk.row()).toMatchObject({
    state: 'held',
    hold_reason: 'transport_refused',
    lease: null,
    sending_at: null,
  });
});
