// No wait without a reason: every way in which a letter that is due may not be leaving, and what its page says meanwhile.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wakeLetters } from '../../src/features/outreach/sends/letter/flow.store.ts';
import { MINUTE_MS, SECOND_MS, after } from '../../src/kernel/clock.ts';
import type { TestApp, TokenClient } from '../support/app.ts';
import { scriptedSmtp } from '../support/smtp.ts';
import { layDesk, openDesk, type Desk } from './desk.ts';

let app: TestApp;
let reader: TokenClient;
beforeAll(async () => {
  app = await openDesk();
  reader = await app.token();
});
afterAll(() => app?.close());

const soon = () => after(app.clock.now(), 5 * MINUTE_MS);
const sends = '/api/admin/outreach/sends';

async function says(id: string) {
  const { outlook } = (await reader.rest('GET', `${sends}/${id}`)).body;
  return outlook as {
    goes_at: string | null;
    why_not: { reason: string; sentence: string; fix: string; who: string | null } | null;
  };
}

const backoff = (desk: Desk, columns: Record<string, unknown>) =>
  app.sql`insert into sender_lanes ${app.sql({
    identity_id: desk.identity.id,
    identity_revision: 1,
    domain_revision: 1,
    ...columns,
  } as never)}`;
const letter = (desk: Desk, columns: Record<string, unknown>, of = 0) =>
  app.sql`update sends set ${app.sql(columns as never)} where id = ${desk.letters[of]!.id}`;
const identity = (columns: Record<string, unknown>) =>
  app.sql`update identities set ${app.sql(columns as never)}`;
const campaign = (columns: Record<string, unknown>) =>
  app.sql`update campaigns set ${app.sql(columns as never)}`;
const inHand = () => ({ lease: randomUUID(), lease_until: soon() });
const today = () => app.clock.now().toISOString().slice(0, 10);

const WAYS: [string, string, (desk: Desk) => Promise<unknown>][] = [
  ['nothing but the next look', 'soon', async () => undefined],
  [
    'the mail server is down',
    'transport_down',
    (desk) =>
      backoff(desk, {
        asleep_until: soon(),
        asleep_why: 'transport_down',
        down_until: soon(),
        down_cause: 'timeout',
        failures: 1,
      }),
  ],
  [
    'its lane sleeps over the allowance',
    'identity_cap',
    (desk) => backoff(desk, { asleep_until: soon(), asleep_why: 'identity_cap' }),
  ],
  [
    'its lane sleeps over a check',
    'auth_check_pending',
    (desk) => backoff(desk, { asleep_until: soon(), asleep_why: 'auth_check_pending' }),
  ],
  ['the slots of its identity are full', 'in_line', (desk) => letter(desk, inHand(), 1)],
  ['a process has it in its hands', 'being_sent', (desk) => letter(desk, inHand())],
  [
    'it was let out and nobody answers',
    'being_sent',
    (desk) => letter(desk, { ...inHand(), state: 'sending', sending_at: app.clock.now() }),
  ],
  ['it broke off', 'broke_off', (desk) => letter(desk, { waiting_for: 'broke_off', not_before: soon() })],
  ['it was put off', 'retry', (desk) => letter(desk, { waiting_for: 'retry', not_before: soon() })],
  [
    'it was greylisted',
    'greylisted',
    (desk) => letter(desk, { waiting_for: 'greylisted', not_before: soon() }),
  ],
  [
    'it could not connect',
    'transport_down',
    (desk) => letter(desk, { waiting_for: 'transport_down', not_before: soon() }),
  ],
  [
    'it waits for what is open again by now',
    'verifying',
    (desk) => letter(desk, { waiting_for: 'verifying', not_before: soon() }),
  ],
  ['the identity keeps its distance', 'min_gap', () => identity({ next_slot_at: soon() })],
  [
    'the allowance of the day is used',
    'identity_cap',
    async () =>
      identity({ daily_cap: 1 }).then(
        () =>
          app.sql`insert into letters_started (scope, scope_id, day, started) select 'identity', id, ${today()}, 1 from identities`,
      ),
  ],
  ['the domain is being checked', 'auth_check_pending', () => app.sql`update domains set checked_at = null`],
  [
    'the domain has sent what it may',
    'domain_cap',
    async () =>
      app.sql`update domains set daily_cap = 1`.then(
        () =>
          app.sql`insert into letters_started (scope, scope_id, day, started) select 'domain', id, ${today()}, 1 from domains`,
      ),
  ],
  [
    'the campaign has sent what it may',
    'campaign_cap',
    async () =>
      campaign({ daily_cap: 1 }).then(
        () =>
          app.sql`insert into letters_started (scope, scope_id, day, started) select 'campaign', id, ${today()}, 1 from campaigns`,
      ),
  ],
  ['no letters go on this day', 'blackout', () => campaign({ blackout_dates: [today()] })],
  ['the campaign is paused', 'campaign_paused', () => campaign({ state: 'paused', paused_reason: 'person' })],
  [
    'the person is away',
    'out_of_office',
    () =>
      app.sql`update prospects set hold_by = 'away', hold_reason = 'away', hold_until = ${soon()}, held_at = now()`,
  ],
  [
    'no process sends',
    'no_sender',
    () =>
      app.sql`insert into pass_runs (name, every_ms, ran_at, well_at, claimed, faults)
      values ('letters', 2000, ${after(app.clock.now(), -10 * MINUTE_MS)}, null, 0, 0)`,
  ],
];

describe('a letter that is due and has not left says why, where', () => {
  test.each(WAYS)('%s (%s)', async (_, reason, happens) => {
    await app.sql`delete from pass_runs`;
    const desk = await layDesk(app, { people: 3, dueMs: -10 * SECOND_MS, identity: { port: 1 } });
    await happens(desk);
    app.clock.advance(10 * SECOND_MS);
    const { why_not, goes_at } = await says(desk.letters[0]!.id);
    expect(why_not).toMatchObject({ reason });
    expect(why_not!.sentence).toMatch(/^[A-Z].{10,280}\.$/);
    // What only time or the sender lifts has a time too.
    expect(goes_at === null).toBe(why_not!.who !== 'time');
  });
});

test('behind letters that are on their way the digest and Today say so', async () => {
  const desk = await layDesk(app, { people: 3, dueMs: -10 * SECOND_MS });
  await letter(desk, inHand(), 1);
  const line = 'Other letters from this identity are being sent first.';
  for (const path of [`/api/digests/sending_digest?identity=${desk.identity.id}`, '/api/today'])
    expect(JSON.stringify((await app.admin.rest('GET', path)).body), path).toContain(line);
});

test('a server that is down is named with its cause, until when and since when', async () => {
  const desk = await layDesk(app, { dueMs: -10 * SECOND_MS });
  const [since, until] = [app.clock.now(), soon()];
  await backoff(desk, {
    asleep_until: until,
    asleep_why: 'transport_down',
    down_until: until,
    down_cause: 'timeout',
    down_since: since,
    failures: 1,
  });
  const { goes_at, why_not } = await says(desk.letters[0]!.id);
  expect(goes_at).toBe(until.toISOString());
  const sentence = 'The mail server can’t be reached. It didn’t respond in time.';
  expect(why_not!.sentence).toBe(sentence);
  const { identity: shown } = (await reader.rest('GET', `/api/admin/outreach/identities/${desk.identity.id}`))
    .body;
  expect(shown.waits).toEqual({
    reason: 'transport_down',
    says: sentence,
    since: since.toISOString(),
    until: until.toISOString(),
  });
  const digest = (await reader.rest('GET', `/api/digests/sending_digest?identity=${desk.identity.id}`)).body;
  expect(JSON.stringify(digest)).toContain(sentence);
  const today = (await app.admin.rest('GET', '/api/today')).body;
  expect(JSON.stringify(today)).toContain(sentence);
});

test('once a check that letters wait for has passed they go at once', async () => {
  await using there = await scriptedSmtp({});
  const desk = await layDesk(app, { people: 2, identity: { port: there.port, columns: { min_gap_s: 1 } } });
  await app.sql`update domains set checked_at = null`;
  await desk.send();
  expect(await desk.row()).toMatchObject({ state: 'scheduled', waiting_for: 'auth_check_pending' });
  await app.sql`update domains set checked_at = ${app.clock.now()}`;
  await app.instance.app.database.transact((tx) =>
    wakeLetters(tx, { domain_id: desk.identity.domain.id }, app.clock.now()),
  );
  await desk.send();
  expect(await app.sql`select 1 from sends where state = 'sent'`).toHaveLength(1);
});
