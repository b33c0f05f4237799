// Today through its entry point: what needs a person, what waits on time and what is broken, each under its attention code, and
// nothing of what the reader may not read.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { move, newItem, newProject } from '../../../../test/support/board.ts';
import { openTestApp, type PersonClient, type TestApp } from '../../../../test/support/app.ts';
import { aTalk, inboxDesk, type InboxDesk } from '../../../../test/support/inbox.ts';
import { aCampaign, aLetter, approved } from '../../../../test/support/letters.ts';
import { HOUR_MS, after } from '../../../kernel/clock.ts';

let app: TestApp;
let desk: InboxDesk;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

type Row = Record<string, any>;
type Section = { name: string; count: number; rows: Row[] };

async function today(by: PersonClient = app.admin): Promise<Record<string, Section>> {
  const { status, body } = await by.rest('GET', '/api/today');
  expect(status, JSON.stringify(body)).toBe(200);
  return Object.fromEntries(body.sections.map((section: Section) => [section.name, section]));
}
const rowsOf = async (name: string): Promise<Row[]> => (await today())[name]?.rows ?? [];
/** Codes of every row that is there now. */
const codes = async (): Promise<string[]> =>
  Object.values(await today()).flatMap(({ rows }) => rows.flatMap(({ code }) => code ?? []));

test('where a row says what to do, it leads to where that is done', async () => {
  const busy = await openTestApp();
  const { campaign } = await inboxDesk(busy);
  await busy.sql`update campaigns set state = 'active', paused_reason = null where id = ${campaign.id}`;
  await busy.sql`delete from campaign_identities where campaign_id = ${campaign.id}`;
  await busy.sql`
    insert into event_deliveries (id, event, occurred_at, body, next_attempt_at, state, attempts, last_status)
    values (gen_random_uuid(), 'reply.landed', now(), '{}', null, 'failed', 4, 500)`;
  const { sections } = (await busy.admin.rest('GET', '/api/today')).body as { sections: Section[] };
  const placeOf = (code: string): string | undefined =>
    sections.flatMap(({ rows }) => rows).find((row) => row['code'] === code || row['title'] === code)?.[
      'place'
    ];
  expect(placeOf('pool_empty')).toBe(`/campaigns/${campaign.id}?view=settings`);
  expect(placeOf('reply.landed')).toMatch(/^\/settings\/integrations\?state=failed&open=/);
  expect(sections.find(({ name }) => name === 'mail')).toMatchObject({ place: '/inbox/quarantine' });
  await busy.close();
});

test('on an instance where nothing happened every section is there and empty', async () => {
  const sections = await today();
  expect(Object.keys(sections)).toHaveLength(17);
  expect(Object.values(sections).flatMap(({ rows }) => rows)).toEqual([]);
});

describe('on a busy desk', () => {
  beforeAll(async () => {
    desk = await inboxDesk(app);
  });

  test('a parked item is with the revision it is decided on, and not before whoever made it', async () => {
    const project = await newProject(app);
    const agent = await app.token({ name: 'scout' });
    const item = await newItem(agent, project.key, { title: 'Write to Ghent' });
    await move(agent, item, 'done');
    const [row] = await rowsOf('approvals');
    expect(row).toMatchObject({ title: 'Write to Ghent', act: { kind: 'approval', closed: null } });
    const decided = await app.admin.rest('POST', `/api/approvals/${row!['id']}/decide`, {
      decision: 'approve',
      revision: row!['act'].revision,
    });
    expect(decided.status, JSON.stringify(decided.body)).toBe(200);
    expect(await rowsOf('approvals')).toEqual([]);
  });

  test('review_waiting: a letter is with all that it says and the fingerprint it is approved by', async () => {
    const { send_id } = await aLetter(app, desk.campaign, 'Ann One');
    const [row] = await rowsOf('review');
    expect(row).toMatchObject({ id: send_id, code: 'review_waiting', title: 'Ann One' });
    expect(row!['act']).toMatchObject({ kind: 'letter', whole: true, closed: null });
    expect(row!['act'].text).toContain('Ann One');
    const path = `/api/admin/outreach/sends/${send_id}/approve`;
    const { fingerprint } = row!['act'];
    expect((await app.admin.rest('POST', path, { fingerprint })).status).toBe(200);
    expect(await codes()).not.toContain('review_waiting');
    await app.sql`update sends set state = 'cancelled', cancel_reason = 'x' where id = ${send_id}`;
  });

  test('a letter that is longer than fits says so', async () => {
    const { send_id } = await aLetter(app, desk.campaign, 'Long Letter');
    await app.sql`update sends set text = repeat('x', 2001) where id = ${send_id}`;
    const [row] = await rowsOf('review');
    expect(row!['act']).toMatchObject({ whole: false });
    await app.sql`update sends set state = 'cancelled', cancel_reason = 'x' where id = ${send_id}`;
  });

  test('unanswered_positive: who said yes waits longest first, until we answer', async () => {
    const talk = await aTalk(app, desk, 'Dana Roe');
    await talk.writes({ reading: { reading: 'positive', by: 'rule' } });
    const other = await aTalk(app, desk, 'Eve Late');
    await other.writes({ reading: { reading: 'positive', by: 'rule' } });
    expect((await rowsOf('positives')).map(({ title, code }) => [title, code])).toEqual([
      ['Dana Roe', 'unanswered_positive'],
      ['Eve Late', 'unanswered_positive'],
    ]);
    await talk.wrote();
    const [row] = await rowsOf('positives');
    expect(row).toMatchObject({ title: 'Eve Late' });
    const snoozed_until = after(app.clock.now(), HOUR_MS).toISOString();
    const put = await app.admin.rest('PATCH', `/api/threads/${row!['id']}`, {
      revision: row!['act'].revision,
      snoozed_until,
    });
    expect(put.status, JSON.stringify(put.body)).toBe(200);
    expect(await rowsOf('positives')).toEqual([]);
    expect(await rowsOf('snoozed')).toMatchObject([{ until: snoozed_until, who: 'time' }]);
  });

  test('uncertain_letters: no one knows whether it went, until a person says so', async () => {
    const { send_id } = await aLetter(app, desk.campaign, 'Gus Uncertain');
    await app.sql`
      update sends set state = 'uncertain', sending_at = ${app.clock.now()} where id = ${send_id}`;
    expect(await rowsOf('uncertain')).toMatchObject([{ code: 'uncertain_letters', title: 'Gus Uncertain' }]);
    await app.admin.rest('POST', `/api/admin/outreach/sends/${send_id}/resolve`, { outcome: 'sent' });
    expect(await rowsOf('uncertain')).toEqual([]);
  });

  test.each([
    ['suppressed', 'held_letters'],
    ['unresolved_variable', 'missing_variables'],
    ['review_confirmation_stale', 'review_confirmation_stale'],
    ['window_never_opens', 'window_never_opens'],
    ['no_identity', 'pool_empty'],
    ['identity_inactive', 'identity_inactive'],
  ])('letters held by %s stand as %s, with what lifts it', async (reason, code) => {
    const { send_id } = await aLetter(app, desk.campaign);
    await app.sql`
      update sends set state = 'held', hold_reason = ${reason}, held_at = ${app.clock.now()} where id = ${send_id}`;
    expect(await rowsOf('held')).toMatchObject([{ code, place: `/sends?state=held&reason=${reason}` }]);
    await app.sql`
      update sends set state = 'cancelled', cancel_reason = 'x', hold_reason = null, held_at = null where id = ${send_id}`;
  });

  const auth = (outcome: string) =>
    Object.fromEntries(
      ['spf', 'dkim', 'dmarc', 'mx', 'ptr'].map((name) => [
        name,
        { outcome, says: 'x', found: [], checked_at: app.clock.now().toISOString() },
      ]),
    );

  test('domain_warned, domain_paused, auth_failing and auth_unknown: a domain exists once, under what weighs most', async () => {
    const { domain_id } = desk.campaign;
    const set = async (change: Record<string, unknown>) => {
      await app.sql`update domains set ${app.sql(change as { state: string })} where id = ${domain_id}`;
    };
    const [before] = await app.sql`
      select state, warned, warned_at, paused_by, paused_reason, paused_at, auth from domains where id = ${domain_id}`;
    await set({ warned: 'complaints', warned_at: app.clock.now() });
    expect((await rowsOf('warnings')).map(({ code }) => code)).toEqual(['domain_warned']);
    await set({ warned: null, warned_at: null, auth: app.sql.json(auth('unknown')) });
    expect((await rowsOf('warnings')).map(({ code }) => code)).toEqual(['auth_unknown']);
    await set({ auth: app.sql.json(auth('failing')) });
    expect(await rowsOf('domains')).toMatchObject([{ code: 'auth_failing', who: 'operator' }]);
    expect(await rowsOf('warnings')).toEqual([]);
    await set({
      state: 'paused',
      paused_by: 'warden',
      paused_reason: 'complaints',
      paused_at: app.clock.now(),
      evidence: app.sql.json({}),
    });
    expect((await rowsOf('domains')).map(({ code }) => code)).toEqual(['domain_paused']);
    await set({ ...before, auth: app.sql.json(before!['auth'] as never) });
    expect(await rowsOf('domains')).toEqual([]);
  });

  test('complaint_seen, pool_empty, identity_inactive and review_confirmation_stale: of campaigns that run', async () => {
    const quiet = await aCampaign(app, desk.campaign, { name: 'Quiet' });
    const codesOf = async () =>
      (await rowsOf('warnings')).filter(({ title }) => title === 'Quiet').map(({ code }) => code);
    expect(await codesOf()).toEqual([]);
    const { send_id } = await aLetter(app, quiet);
    const now = app.clock.now();
    await app.sql`
      update sends set state = 'sent', delivery = 'complaint', sending_at = ${now}, sent_at = ${now} where id = ${send_id}`;
    expect(await codesOf()).toEqual(['complaint_seen']);
    await app.sql`update sends set delivery = 'delivered' where id = ${send_id}`;
    await app.sql`update identities set active = false, state_reason = 'person' where id = ${quiet.identity_id}`;
    expect(await codesOf()).toEqual(['identity_inactive']);
    await app.sql`update identities set active = true, state_reason = null where id = ${quiet.identity_id}`;
    await app.sql`delete from campaign_identities where campaign_id = ${quiet.id}`;
    expect(await codesOf()).toEqual(['pool_empty']);
    await app.sql`update campaigns set review_policy = 'none' where id = ${quiet.id}`;
    expect(await codesOf()).toEqual(['pool_empty', 'review_confirmation_stale']);
    await app.sql`update campaigns set state = 'paused', paused_reason = 'guardrail_bounce' where id = ${quiet.id}`;
    expect(await codesOf()).toEqual([]);
    expect(await rowsOf('campaigns')).toMatchObject([{ title: 'Quiet' }]);
  });

  test('letters that go by themselves wait on time alone, and say when', async () => {
    const { send_id } = await aLetter(app, desk.campaign, 'Tim Later');
    await approved(app.admin, send_id);
    const until = after(app.clock.now(), HOUR_MS);
    await app.sql`
      update sends set state = 'scheduled', not_before = ${until}, waiting_for = 'outside_window' where id = ${send_id}`;
    expect(await rowsOf('letters_wait')).toMatchObject([{ who: 'time', until: until.toISOString() }]);
  });
});

test('a person who may not read letters sees no letters, and what they may read is there', async () => {
  const member = await app.person({ name: 'Ben Okafor' });
  const sections = await today(member);
  expect(Object.keys(sections).sort()).toEqual([
    'approvals',
    'erasures',
    'named',
    'positives',
    'runs',
    'snoozed',
  ]);
});

test('a token reads it too, and approves nothing by it', async () => {
  const agent = await app.token({ name: 'reader' });
  expect((await agent.rest('GET', '/api/today')).status).toBe(200);
});
