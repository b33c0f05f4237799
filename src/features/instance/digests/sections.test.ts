// What each digest says of a desk on which something of everything happened.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newItem, newProject } from '../../../../test/support/board.ts';
import { newDeal } from '../../../../test/support/crm.ts';
import { type Busy, busyDesk, digestBy } from '../../../../test/support/digests.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { aCampaign, aLetter } from '../../../../test/support/letters.ts';
import { HOLD_REASONS } from '../../outreach/sends/letter/reasons.rules.ts';

let app: TestApp;
let busy: Busy;

beforeAll(async () => {
  app = await openTestApp();
  busy = await busyDesk(app);
});
afterAll(() => app?.close());

const digestOf = (name: string, args: Record<string, unknown> = {}, by = busy.agent) =>
  digestBy(by, name, args);

describe('of sending', () => {
  test('a campaign: counts, rates with their floor, what it asks for and its plan', async () => {
    const said = await digestOf('campaign_digest', { campaign: busy.campaign.id });
    expect(said.campaign).toMatchObject({ state: 'active', counts: { held: 1 }, rates: { reply: null } });
    expect(said.campaign.attention.map(({ code }: { code: string }) => code)).toContain('held_letters');
    expect(said.plan).toHaveProperty('finishes_on');
    expect(said.next.map((step: { with: string }) => step.with)).toContain(
      `held_digest {"campaign": "${busy.campaign.id}"}`,
    );
  });

  test('steps: what each brought, and that a few letters say nothing', async () => {
    const { steps } = await digestOf('sequence_digest', { campaign: busy.campaign.id });
    expect(steps).toMatchObject([
      { step: 0, sent: 1, replied: 1, bounced: 0, reply_rate: null, sample_warning: expect.any(String) },
    ]);
    const one = await digestOf('sequence_digest', { campaign: busy.campaign.id, step: 0 });
    expect(one.steps).toEqual(steps);
    const refused = await busy.agent.tool('sequence_digest', { campaign: busy.campaign.id, step: 7 });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/^this campaign has 1 step: give a step from 0 to 0/);
  });

  test('held letters: by reason, with what lifts it and who may', async () => {
    const said = await digestOf('held_digest', { campaign: busy.campaign.id });
    expect(said.held).toMatchObject({
      count: 1,
      reasons: [{ reason: 'suppressed', count: 1, who: 'person', campaigns: { count: 1 } }],
    });
    expect(said.oldest.lines).toHaveLength(1);
    // Whoever must not be written to is not: nothing lifts it for them.
    expect(said.next).toMatchObject([{ what: expect.stringMatching(/^Cancel the letter/), who: 'agent' }]);
    const because = (reason: string) =>
      app.sql`update sends set hold_reason = ${reason} where campaign_id = ${busy.campaign.id} and state = 'held'`;
    await because('campaign_eased');
    // An active campaign can't be activated: it is paused first.
    const eased = await digestOf('held_digest', { campaign: busy.campaign.id });
    const path = `/api/admin/outreach/campaigns/${busy.campaign.id}`;
    expect(eased.next).toMatchObject([{ with: `POST ${path}/pause`, who: 'agent' }]);
    await app.sql`update campaigns set state = 'paused', paused_reason = 'person', paused_at = now() where id = ${busy.campaign.id}`;
    const paused = await digestOf('held_digest', { campaign: busy.campaign.id });
    expect(paused.next).toMatchObject([
      { with: `POST ${path}/activate`, who: 'wire', sign_at: expect.any(String) },
    ]);
    await app.sql`update campaigns set state = 'active', paused_reason = null, paused_at = null where id = ${busy.campaign.id}`;
    await because('suppressed');
    const none = await digestOf('held_digest', { reason: 'no_basis' });
    expect(none.held).toEqual({ count: 0, reasons: [] });
  });

  test('domains and identities: what is left today, and why no letter goes', async () => {
    const { domains, identities } = await digestOf('sending_digest', { identity: busy.desk.identity_id });
    expect(domains.lines).toMatchObject([{ domain_id: busy.desk.domain_id, state: 'active' }]);
    expect(domains.lines[0].warden.map(({ reason }: { reason: string }) => reason)).toEqual([
      'hard_bounces',
      'complaints',
      'policy_rejections',
    ]);
    expect(identities.lines).toMatchObject([{ active: true, why_none: 'It has no scheduled letters.' }]);
  });
});

describe('of people', () => {
  test('replies: by reading, and who waits longest', async () => {
    const { replies, unanswered, next } = await digestOf('replies_digest', { campaign: busy.campaign.id });
    expect(replies).toMatchObject({ replies: 1, automatic: 0 });
    expect(unanswered.lines).toMatchObject([{ thread_id: busy.thread_id, drafted: true }]);
    expect(unanswered.lines[0].subject.length).toBeLessThanOrEqual(80);
    expect(unanswered.lines[0].open_at).toMatch(/^http.*\/inbox\?open=/);
    // The draft is there: it is read, and not asked for again.
    expect(next[0].with).toBe(`thread_digest {"thread_id": "${busy.thread_id}"}`);
  });

  test('a thread: who, how far, how much they ask, a line a touch and the draft', async () => {
    const said = await digestOf('thread_digest', { thread_id: busy.thread_id });
    expect(said.thread).toMatchObject({ stage: 'replied', person: { name: 'Dana Roe' } });
    expect(said.asks).toMatchObject({ count: 1, lines: [{ questions: 2 }] });
    expect(said.touches.lines[0]).toMatchObject({ direction: 'in' });
    expect(said.draft).toMatchObject({ by: 'scout', state: 'draft' });
    expect((await busy.agent.tool('thread_digest', { thread_id: randomUUID() })).isError).toBe(true);
  });

  test('a person: by id or by address, and by one of the two alone', async () => {
    const { id, address } = busy.letter.person;
    const said = await digestOf('person_digest', { address: address.toUpperCase() });
    expect(said.person).toMatchObject({ person_id: id, basis: 'legitimate_interest', suppressed: null });
    expect(said.campaigns.lines).toMatchObject([{ campaign_id: busy.campaign.id, stage: 'replied' }]);
    expect(said.letters).toEqual({ sent: 1 });
    expect(said.threads).toMatchObject({ count: 1, lines: [{ thread_id: busy.thread_id }] });
    expect(said.deals.lines).toMatchObject([
      { value: { amount: '1,250.00 EUR', amount_minor: 125_000, currency: 'EUR' } },
    ]);
    expect(said.messages).toMatchObject({ count: 1, lines: [{ direction: 'in' }] });
    expect((await busy.agent.tool('person_digest', {})).text).toMatch(/give either person_id or address/);
    expect((await busy.agent.tool('person_digest', { address: 'nobody@acme.example' })).text).toMatch(
      /^no person/,
    );
  });

  test('deals: by stage with sums, and those no one touched', async () => {
    const { stages, stale } = await digestOf('deals_digest');
    expect(stages[0]).toMatchObject({
      stage: 'new',
      count: 1,
      sums: [{ currency: 'EUR', amount: '1,250.00 EUR', amount_minor: 125_000 }],
    });
    expect(stale.count).toBe(0);
    const old = await newDeal(app.admin);
    await app.sql`update deals set updated_at = now() - interval '20 days' where id = ${old.id}`;
    expect((await digestOf('deals_digest')).stale.lines).toMatchObject([{ deal_id: old.id }]);
    expect((await digestOf('deals_digest', { stale_days: 30 })).stale.count).toBe(0);
  });
});

describe('of work', () => {
  test('a project: columns, parked, claimed, blocked, overdue, and how many more may be parked', async () => {
    const said = await digestOf('work_digest', { project: busy.project.key });
    expect(said.columns).toMatchObject({ in_review: 1 });
    expect(said.review).toMatchObject({ limit: 5, parked: 1, headroom: 4 });
    expect(said.claims.lines).toMatchObject([{ holder: { name: 'scout' } }]);
    expect(said.blocked.lines).toMatchObject([{ open_blockers: 1 }]);
    expect(said.overdue.lines).toMatchObject([{ due_on: '2020-01-01' }]);
    expect(said.next.map(({ who }: { who: string }) => who)).toContain('person');
  });

  test('activity: what tokens did and were refused, and nothing that people did', async () => {
    const name = 'meddler';
    const meddler = await app.token({ name, mode: 'service' });
    for (const _ of [1, 2]) await meddler.rest('POST', '/api/work/projects', { key: 'NO', name: 'No' });
    const { activity } = await digestOf('activity_digest', { actor: meddler.id });
    expect(activity).toMatchObject({ done: 0, refused: 2, complete: true });
    expect(activity.actors.lines).toMatchObject([{ name, refused: 2 }]);
    expect(activity.refusals.lines).toMatchObject([{ count: 2, acts: ['project_create'] }]);
    const whole = (await digestOf('activity_digest')).activity;
    expect(whole.acts.lines.map(({ act }: { act: string }) => act)).toContain('answer_draft');
    expect(whole.actors.lines.map((line: { name: string }) => line.name)).not.toContain('Ada Operator');
    // What agents read comes a moment later.
    const reads = async () => (await digestOf('activity_digest')).activity.reads;
    await expect.poll(reads).toBeGreaterThan(0);
    const later = new Date(app.clock.now().getTime() + 60_000).toISOString();
    expect((await digestOf('activity_digest', { since: later })).activity.done).toBe(0);
  });
});

test('a rehearsal is no act: it is counted apart', async () => {
  const rehearser = await app.token({ name: 'rehearser' });
  await rehearser.tool('suppress', { domain: 'rehearsed.example', dry_run: true });
  await rehearser.tool('suppress', { address: 'ann@rehearsed.example' });
  const { activity } = await digestOf('activity_digest', { actor: rehearser.id });
  expect(activity).toMatchObject({ done: 1, rehearsed: 1 });
  expect(activity.acts.lines).toMatchObject([{ act: 'suppression_add', done: 1, rehearsed: 1 }]);
});

test('a reading that is asked for is the only one in the answer', async () => {
  const { replies, unread, unanswered } = await digestOf('replies_digest', { reading: 'positive' });
  expect(replies).toEqual({ replies: 0, automatic: 0, by_reading: {} });
  expect([unread.count, unanswered.count]).toEqual([0, 0]);
  const same = await digestOf('replies_digest', { reading: 'unread' });
  expect([same.replies.by_reading, same.unread.count, same.unanswered.count]).toEqual([{ unread: 1 }, 1, 1]);
});

test('a person comes with notes and open cards', async () => {
  const { id } = busy.letter.person;
  await app.admin.rest('POST', `/api/admin/crm/people/${id}/notes`, { text: 'Met in March.' });
  const card = await newItem(app.admin, busy.project.key, { links: [{ kind: 'person', ref: id }] });
  const said = await digestOf('person_digest', { person_id: id });
  expect(said.notes).toMatchObject({ count: 1, lines: [{ note: 'Met in March.' }] });
  expect(said.cards).toMatchObject({ count: 1, lines: [{ item_id: card.id }] });
  expect(said.open_at).toBe(`${app.instance.app.instance.base_url}/people/${id}`);
});

test('the instance lists returned letters with their note, drafts, late work, stale deals and paused campaigns', async () => {
  const campaign = await aCampaign(app, busy.desk);
  const { send_id } = await aLetter(app, campaign);
  await app.admin.rest('POST', `/api/admin/outreach/sends/${send_id}/return`, { note: 'Too long.' });
  await app.admin.rest('POST', `/api/admin/outreach/campaigns/${campaign.id}/pause`, {});
  const { waiting, broken, next } = await digestOf('instance_digest');
  expect(waiting.returned.lines).toMatchObject([{ send_id, outcome: 'returned', note: 'Too long.' }]);
  expect(waiting.drafts).toMatchObject({ count: 1, lines: [{ thread_id: busy.thread_id }] });
  expect(waiting.overdue.count).toBeGreaterThan(0);
  expect(waiting.stale_deals.count).toBeGreaterThan(0);
  expect(broken.campaigns.lines).toMatchObject([{ campaign_id: campaign.id, paused_reason: 'person' }]);
  expect(next.map((step: { with: string }) => step.with)).toContain(
    `thread_digest {"thread_id": "${busy.thread_id}"}`,
  );
});

test('a span ends before until, and one that is turned around is refused', async () => {
  const now = app.clock.now().getTime();
  const [since, until] = [new Date(now - 3_600_000).toISOString(), new Date(now + 1000).toISOString()];
  expect((await digestOf('instance_digest', { since })).changed.work.created).toBeGreaterThan(0);
  expect(
    (await digestOf('instance_digest', { since: '2020-01-01', until: since })).changed.work.created,
  ).toBe(0);
  const refused = await busy.agent.tool('instance_digest', { since: until, until: since });
  expect(refused.text).toMatch(/^until must be after since/);
});

test('lists hold twenty lines at most and say how many more there are', async () => {
  const many = await newProject(app);
  for (let k = 0; k < 23; k += 1) await newItem(app.admin, many.key, { due_on: '2020-01-01' });
  const { overdue } = await digestOf('work_digest', { project: many.key });
  expect([overdue.count, overdue.lines.length, overdue.more]).toEqual([23, 20, 3]);
});

test('letters held for every reason in many campaigns are still one whole answer', async () => {
  await app.sql`
    insert into campaigns (id, name, name_key, state, timezone, created_by_kind, created_by_id, created_by_name, created_at,
      updated_at)
    select gen_random_uuid(), 'C', 'c' || k, 'draft', 'UTC', 'person', 'x', 'X', now(), now() from generate_series(1, 25) k`;
  await app.sql`
    insert into sends (id, kind, campaign_id, state, subject, text, to_address, to_hash, message_id, fingerprint, hold_reason,
      held_at, created_by_kind, created_by_id, created_by_name, created_at, updated_at)
    select gen_random_uuid(), 'one_off', c.id, 'held', '', '', 'a', 'h', gen_random_uuid()::text, 'f', r, now(), 'person', 'x',
      'X', now(), now()
    from campaigns c, unnest(${[...HOLD_REASONS]}::text[]) r where c.name = 'C'`;
  const { held, oldest, next } = await digestOf('held_digest');
  expect(held.count).toBe(25 * HOLD_REASONS.length + 1);
  expect(held.reasons).toHaveLength(HOLD_REASONS.length);
  expect(held.reasons[0].campaigns).toMatchObject({ more: expect.any(Number) });
  expect(oldest).toMatchObject({ count: held.count, more: held.count - oldest.lines.length });
  expect(next.length).toBeLessThan(30);
});
