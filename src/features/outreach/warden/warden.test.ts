// The warden over real reports: what it pauses and warns, what it lets go, and what it does not count.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seenBy } from '../../../../test/support/campaigns.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { oneWaits } from '../../../../test/support/locks.ts';
import { aCampaign, aDesk, type TestCampaign } from '../../../../test/support/letters.ts';
import { report, type SentLetter, sentLetter } from '../../../../test/support/sent.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/clock.ts';
import { sentIntoThreads } from '../../inbox/threads/record/out.store.ts';
import { recordDelivery } from '../deliveries/record.ts';
import type { Delivery } from '../deliveries/rules.ts';
import type { Tell } from './judge.ts';

const DOMAINS = '/api/admin/outreach/domains';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const fresh = async (more: Record<string, unknown> = {}): Promise<TestCampaign> =>
  aCampaign(app, await aDesk(app), more);
const domainOf = async ({ domain_id }: TestCampaign) =>
  (
    await app.sql`select state, paused_by, paused_reason, warned, evidence, resumed_at from domains where id = ${domain_id}`
  )[0];
const many = async (campaign: TestCampaign, count: number): Promise<SentLetter[]> => {
  const letters: SentLetter[] = [];
  for (let at = 0; at < count; at++) letters.push(await sentLetter(app, campaign));
  return letters;
};
const round = () => app.instance.jobs.run('warden');
const later = (ms: number) => app.clock.advance(ms);

test('three bounces of sixty pause the domain in the transaction of the third, with its evidence', async () => {
  const campaign = await fresh();
  const letters = await many(campaign, 60);
  for (const letter of letters.slice(0, 2)) await report(app, letter, { kind: 'hard' });
  expect(await domainOf(campaign)).toMatchObject({ state: 'active' });
  await report(app, letters[2] as SentLetter, { kind: 'hard' });
  expect(await domainOf(campaign)).toMatchObject({
    state: 'paused',
    paused_by: 'warden',
    paused_reason: 'hard_bounces',
    evidence: { sent: 60, count: 3, rate: 0.05, threshold: 0.05 },
  });
});

test('two complaints at the same moment pause: neither transaction overlooks the other', async () => {
  const campaign = await fresh();
  // Of two campaigns of the domain, or a counter of the one would keep them apart.
  const one = await sentLetter(app, campaign);
  const other = await sentLetter(app, await aCampaign(app, campaign));
  const { database } = app.instance.app;
  const now = app.clock.now();
  const counted = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const slow = database.transact(async (tx) => {
    const emit: Tell = (event, data) => database.emit(tx, event, data, now);
    await recordDelivery(tx, complaintOf(one, now), { emit, now, on_sent: sentIntoThreads });
    counted.resolve();
    await mayCommit.promise;
  });
  await counted.promise;
  // The second waits for the first, which has counted and not committed.
  const second = report(app, other, { kind: 'complaint' });
  await oneWaits(app);
  mayCommit.resolve();
  await Promise.all([slow, second]);
  expect(await domainOf(campaign)).toMatchObject({ state: 'paused', paused_reason: 'complaints' });
});

const complaintOf = ({ id, person }: SentLetter, at: Date): Delivery => ({
  key: `test:${randomUUID()}`,
  kind: 'complaint',
  source: 'vendor',
  send: { id, by: 'id' },
  status: null,
  cause: null,
  said: null,
  recipient_hash: person.hash,
  at,
});

test('one letter of which the same is said often counts once', async () => {
  const campaign = await fresh();
  const [letter] = await many(campaign, 1);
  for (let time = 0; time < 5; time++) await report(app, letter as SentLetter, { kind: 'complaint' });
  expect(await domainOf(campaign)).toMatchObject({ state: 'active', warned: 'complaints' });
});

test('a warning halves what a day allows, and goes when nothing supports it any more', async () => {
  const campaign = await fresh();
  const [letter] = await many(campaign, 1);
  await report(app, letter as SentLetter, { kind: 'complaint' });
  const read = async () =>
    (await app.admin.rest('GET', `${DOMAINS}/${campaign.domain_id}`)).body.domain as Record<string, unknown>;
  expect(await read()).toMatchObject({ warned: 'complaints', daily_cap: 120, allowance_today: 60 });
  later(6 * DAY_MS);
  await round();
  expect(await read()).toMatchObject({ warned: 'complaints' });
  later(DAY_MS + MINUTE_MS);
  await round();
  expect(await read()).toMatchObject({ warned: null, allowance_today: 120 });
});

test('what lies before a resume pauses nothing again, and what comes late about it neither', async () => {
  const campaign = await fresh();
  const letters = await many(campaign, 4);
  const sent_at = app.clock.now();
  for (const letter of letters.slice(0, 2)) await report(app, letter, { kind: 'complaint' });
  expect(await domainOf(campaign)).toMatchObject({ state: 'paused' });
  later(MINUTE_MS);
  const resumed = await app.admin.rest('POST', `${DOMAINS}/${campaign.domain_id}/resume`, {
    seen: await seenBy(app.admin, `${DOMAINS}/${campaign.domain_id}`),
  });
  expect(resumed.status, JSON.stringify(resumed.body)).toBe(200);
  for (const letter of letters.slice(2)) await report(app, letter, { kind: 'complaint', at: sent_at });
  later(6 * MINUTE_MS);
  await round();
  expect((await domainOf(campaign))?.['state']).not.toBe('paused');
});

test('reports that only guess at a letter count against no domain', async () => {
  const campaign = await fresh();
  const letters = await many(campaign, 5);
  later(1000);
  for (const letter of letters)
    await report(app, letter, {
      kind: 'complaint',
      source: 'report',
      send: { message_ids: [randomUUID()] },
    });
  later(6 * MINUTE_MS);
  await round();
  expect(await domainOf(campaign)).toMatchObject({ state: 'active', warned: null });
});

describe('DNS', () => {
  const failing = (campaign: TestCampaign, since: Date | null, confirmed: Date | null) => app.sql`
    update domains set verified_at = coalesce(verified_at, now()), auth_failing_since = ${since},
      unauthenticated_since = ${confirmed}, auth = ${app.sql.json({ spf: { outcome: 'failing', why: 'x', found: null, checked_at: new Date() } } as never)}
    where id = ${campaign.domain_id}`;

  test('a first definite failure warns, a second one an hour later pauses', async () => {
    const campaign = await fresh();
    const now = app.clock.now();
    await failing(campaign, now, null);
    await round();
    expect(await domainOf(campaign)).toMatchObject({ state: 'active', warned: 'auth_failing' });
    later(HOUR_MS);
    await failing(campaign, now, app.clock.now());
    await round();
    expect(await domainOf(campaign)).toMatchObject({ state: 'paused', paused_reason: 'auth_failing' });
  });

  test('that answers nothing pauses nothing, and of a domain that never passed nothing failed', async () => {
    const unknown = await fresh();
    await app.sql`update domains set verified_at = now(), auth = ${app.sql.json({ spf: { outcome: 'unknown' } } as never)} where id = ${unknown.domain_id}`;
    const unverified = await fresh();
    const now = app.clock.now();
    await failing(unverified, now, now);
    await app.sql`update domains set verified_at = null, state = 'unverified' where id = ${unverified.domain_id}`;
    later(2 * HOUR_MS);
    await round();
    expect(await domainOf(unknown)).toMatchObject({ state: 'active', warned: null });
    expect(await domainOf(unverified)).toMatchObject({ state: 'unverified', warned: null });
  });
});

describe('the limits of a campaign', () => {
  const guardrails = {
    bounce_rate: 0.2,
    complaint_rate: null,
    reply_rate: null,
    min_sends: 5,
    window_days: 7,
  };
  const stateOf = async ({ id }: TestCampaign) =>
    (await app.sql`select state, paused_reason from campaigns where id = ${id}`)[0];

  test('pause it once enough letters say so, and not before', async () => {
    const campaign = await fresh({ guardrails: app.sql.json(guardrails) });
    const letters = await many(campaign, 4);
    await report(app, letters[0] as SentLetter, { kind: 'hard' });
    later(6 * MINUTE_MS);
    await round();
    expect(await stateOf(campaign)).toMatchObject({ state: 'active' });
    await many(campaign, 1);
    later(6 * MINUTE_MS);
    await round();
    expect(await stateOf(campaign)).toEqual({ state: 'paused', paused_reason: 'guardrail_bounce' });
  });
});

test('a letter that was reported on while it was sent, and became uncertain after, is settled by the round', async () => {
  const campaign = await fresh();
  const letter = await sentLetter(app, campaign, { state: 'uncertain' });
  await app.sql`update sends set state = 'sending' where id = ${letter.id}`;
  await report(app, letter, { kind: 'delivered' });
  await app.sql`update sends set state = 'uncertain' where id = ${letter.id}`;
  await round();
  const [row] = await app.sql`select state, delivery from sends where id = ${letter.id}`;
  expect(row).toEqual({ state: 'sent', delivery: 'delivered' });
});
