// Owns the numbers of campaigns: the overview with its attention codes, the forecast, and numbers by day.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  aCampaign,
  aDesk,
  type Desk,
  O,
  somebody,
  type TestCampaign,
} from '../../../../../test/support/letters.ts';
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts';

let app: TestApp;
let desk: Desk;

beforeAll(async () => {
  app = await openTestApp();
  desk = await aDesk(app);
});
afterAll(() => app.close());

const enrolSome = async (campaign: TestCampaign, count: number): Promise<string[]> => {
  const people = await Promise.all(Array.from({ length: count }, () => somebody(app)));
  const ids = people.map(({ id }) => id);
  const answer = await app.admin.rest('POST', `${O}/campaigns/${campaign.id}/enrol`, { people: ids });
  expect(answer.body.enrolled).toBe(count);
  return ids;
};

const overviewOf = async (campaign: { id: string }) =>
  (await app.admin.rest('GET', `${O}/campaigns/${campaign.id}/overview`)).body.overview;
const codes = async (campaign: { id: string }): Promise<string[]> =>
  (await overviewOf(campaign)).attention.map(({ code }: { code: string }) => code);

describe('the overview', () => {
  test('is the resource service://campaign/{id}/overview, read as the route is', async () => {
    const campaign = await aCampaign(app, desk);
    await enrolSome(campaign, 2);
    await app.instance.jobs.run('stepping');
    const token = await app.token();
    const read = await token.rpc('resources/read', { uri: `service://campaign/${campaign.id}/overview` });
    const { overview } = JSON.parse(read.result.contents[0].text);
    expect(overview).toMatchObject({
      campaign_id: campaign.id,
      state: 'active',
      counts: { people: 2, review: 2 },
      rates: { reply: null, bounce: null },
      today: { started: 0, left: 5 },
    });
    const review = overview.attention.find(({ code }: { code: string }) => code === 'review_waiting');
    expect(review).toEqual({
      code: 'review_waiting',
      count: 2,
      sentence: '2 letters are waiting for review.',
      fix: 'Review the letters.',
      who: 'person',
    });
  });

  test('a member’s token gets -32002 for it, as for every route that answers 403', async () => {
    const campaign = await aCampaign(app, desk);
    const member = await app.person();
    const token = await app.token({ user_id: member.id });
    const uri = `service://campaign/${campaign.id}/overview`;
    expect((await token.rpc('resources/read', { uri })).error.code).toBe(-32002);
  });

  test('asks attention for senders and domains that are in the way', async () => {
    const own = await aDesk(app);
    const campaign = await aCampaign(app, own);
    await enrolSome(campaign, 1);
    const auth = { spf: { outcome: 'passing' }, dkim: { outcome: 'failing' }, dmarc: { outcome: 'passing' } };
    await app.sql`update domains set auth = ${app.sql.json(auth)}, warned = 'complaints' where id = ${own.domain_id}`;
    expect(await codes(campaign)).toEqual(
      expect.arrayContaining(['auth_failing', 'domain_warned', 'unverified_people']),
    );
    await app.sql`
      update domains set state = 'paused', paused_by = 'person', paused_at = now(), warned = null where id = ${own.domain_id}`;
    expect(await codes(campaign)).toContain('domain_paused');
    await app.sql`update identities set active = false where id = ${own.identity_id}`;
    expect(await codes(campaign)).toContain('identity_inactive');
    await app.sql`delete from campaign_identities where campaign_id = ${campaign.id}`;
    const now = await codes(campaign);
    expect(now).toContain('pool_empty');
    expect(now).not.toContain('identity_inactive');
  });

  test('asks attention for hours that never meet and an end that comes before it is done', async () => {
    const today = app.clock.now().toISOString().slice(0, 10);
    const campaign = await aCampaign(app, desk, { ends_on: today });
    await enrolSome(campaign, 6);
    expect(await codes(campaign)).toContain('ends_before_finish');
    const none = await aCampaign(app, desk, { windows: app.sql.json([]) });
    expect(await codes(none)).toContain('window_never_opens');
  });

  test('gives rates from the floor of letters on, and says which are bad', async () => {
    const campaign = await aCampaign(app, desk, {
      guardrails: app.sql.json({
        bounce_rate: 0.05,
        complaint_rate: 0.003,
        reply_rate: null,
        min_sends: 3,
        window_days: 7,
      }),
    });
    await enrolSome(campaign, 4);
    await app.instance.jobs.run('stepping');
    const at = app.clock.now();
    await app.sql`
      update sends set state = 'sent', sending_at = ${at}, sent_at = ${at},
        delivery = case when id = (select min(id::text)::uuid from sends where campaign_id = ${campaign.id}) then 'hard' else 'accepted' end
      where campaign_id = ${campaign.id}`;
    await app.sql`update prospects set stage = 'contacted' where campaign_id = ${campaign.id}`;
    const count = (started: number) => app.sql`
      insert into letters_started (scope, scope_id, day, started) values ('campaign', ${campaign.id}, ${at}::timestamptz::date, ${started})
      on conflict (scope, scope_id, day) do update set started = excluded.started`;
    await count(2);
    expect((await overviewOf(campaign)).rates.bounce).toBeNull();
    await count(4);
    const { rates, attention } = await overviewOf(campaign);
    expect(rates).toMatchObject({ floor: 3, bounce: 0.25, reply: 0 });
    const said = Object.fromEntries(
      attention.map((each: { code: string; sentence: string }) => [each.code, each.sentence]),
    );
    expect(said['bounce_rate_high']).toBe('25.0 % of recent letters bounced.');
    expect(said['low_reply_rate']).toBe('Only 0.0 % of the people contacted have replied.');
  });

  test('knows who said yes and got no answer', async () => {
    const campaign = await aCampaign(app, desk);
    const [person_id = ''] = await enrolSome(campaign, 1);
    const moved = await app.admin.rest('POST', `${O}/campaigns/${campaign.id}/spine`, {
      person_id,
      stage: 'positive',
    });
    expect(moved.body).toMatchObject({ moved: true, stage: 'positive' });
    expect(await codes(campaign)).toContain('unanswered_positive');
  });
});

describe('the forecast', () => {
  test('is answered by its route for the people who are left', async () => {
    const campaign = await aCampaign(app, desk);
    await enrolSome(campaign, 7);
    const { forecast } = (await app.admin.rest('GET', `${O}/campaigns/${campaign.id}/forecast`)).body;
    expect(forecast).toMatchObject({ people_left: 7, letters_left: 7, why_not: null });
    expect(forecast.days.map(({ letters }: { letters: number }) => letters)).toEqual([5, 2]);
    await app.instance.jobs.run('stepping');
    const again = (await app.admin.rest('GET', `${O}/campaigns/${campaign.id}/forecast`)).body.forecast;
    expect(again).toMatchObject({ people_left: 7, letters_left: 7, finishes_on: forecast.finishes_on });
  });
});

describe('numbers by day', () => {
  test('count letters and stages reached, of one campaign or of all', async () => {
    const campaign = await aCampaign(app, desk);
    const [person_id = ''] = await enrolSome(campaign, 3);
    await app.admin.rest('POST', `${O}/campaigns/${campaign.id}/spine`, { person_id, stage: 'replied' });
    const day = app.clock.now().toISOString().slice(0, 10);
    await app.sql`insert into letters_started (scope, scope_id, day, started) values ('campaign', ${campaign.id}, ${day}, 9)`;
    const { body } = await app.admin.rest('GET', `${O}/stats?campaign=${campaign.id}&from=${day}&to=${day}`);
    expect(body.days).toEqual([{ ...body.totals, day }]);
    expect(body.totals).toMatchObject({ letters: 9, enrolled: 3, replied: 1, positive: 0 });
    const all = (await app.admin.rest('GET', `${O}/stats`)).body;
    expect(all.days).toHaveLength(30);
    expect(all.totals.enrolled).toBeGreaterThan(3);
    for (const query of ['from=2026-03-02&to=2026-03-01', 'from=2020-01-01&to=2026-01-01', 'from=0000-01-01'])
      expect((await app.admin.rest('GET', `${O}/stats?${query}`)).status).toBe(400);
  });
});
