// What a reading brings about when it is set after landing: every stage against every reading, a person's word and a program's,
// and that nothing ever goes back (domain.md §1.3, §1.4).
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type RestClient, type TestApp } from '../../../../test/support/app.ts';
import { comesIn, standing, told } from '../../../../test/support/inbound.ts';
import { aCampaign, aDesk, type TestCampaign } from '../../../../test/support/letters.ts';
import { type SentLetter, sentLetter } from '../../../../test/support/sent.ts';
import { READINGS } from '../../../kernel/events.rules.ts';
import { standingAmong } from '../../crm/suppressions/store.ts';
import { STAGES } from '../../crm/people/stages.rules.ts';

let app: TestApp;
let campaign: TestCampaign;
beforeAll(async () => {
  app = await openTestApp();
  campaign = await aCampaign(app, await aDesk(app));
});
afterAll(() => app.close());

type Answered = SentLetter & { thread_id: string; touch_id: string };

async function anAnswer(of = campaign, text = 'Tell me more.'): Promise<Answered> {
  const letter = await sentLetter(app, of);
  const { touch } = await comesIn(app, {
    from: letter.person.address,
    in_reply_to: letter.message_id,
    text,
  });
  return { ...letter, thread_id: touch?.['thread_id'], touch_id: touch?.['id'] };
}

const correct = (thread: string, reading: string, more: object = {}, as: RestClient = app.admin) =>
  as.rest('POST', `/api/threads/${thread}/reading`, { reading, ...more });
const reasonOn = async (letter: SentLetter) =>
  (await standingAmong(app.sql, [{ hash: letter.person.hash, domain: 'acme.example' }], app.clock.now())).get(
    letter.person.hash,
  )?.reason ?? null;
const dealsOf = (letter: SentLetter) =>
  app.sql`select state, opened_by, thread_id, prospect_id, campaign_id from deals where person_id = ${letter.person.id}`;
const openedOf = async (letter: SentLetter) =>
  (await told(app, 'deal.opened')).filter(({ person_id }) => person_id === letter.person.id);
const landedOf = async (letter: SentLetter) =>
  (await told(app, 'reply.landed')).filter(({ person_id }) => person_id === letter.person.id);

/** Where each reading leaves someone who is at each stage: written by hand from domain.md §1.3 and §1.4. */
const TABLE: Record<string, string> = {
  //             positive     neutral     negative    referral    unsubscribe  out_of_office unread
  enrolled: '    positive     replied     declined    replied     unsubscribed enrolled      replied',
  contacted: '   positive     replied     declined    replied     unsubscribed contacted     replied',
  bounced: '     positive     replied     declined    replied     unsubscribed bounced       replied',
  replied: '     positive     replied     declined    replied     unsubscribed replied       replied',
  declined: '    positive     declined    declined    declined    unsubscribed declined      declined',
  positive: '    positive     positive    positive    positive    unsubscribed positive      positive',
  meeting: '     meeting      meeting     meeting     meeting     unsubscribed meeting       meeting',
  won: '         won          won         won         won         unsubscribed won           won',
  unsubscribed: 'unsubscribed unsubscribed unsubscribed unsubscribed unsubscribed unsubscribed unsubscribed',
};

describe('every stage against every reading', () => {
  let answered: Answered;
  beforeAll(async () => {
    answered = await anAnswer();
  });

  test.each(
    STAGES.flatMap((stage) =>
      READINGS.map((reading, at) => [stage, reading, TABLE[stage]?.trim().split(/\s+/)[at] ?? ''] as const),
    ),
  )('%s and %s come to %s, and the answer says so', async (stage, reading, becomes) => {
    const { prospect_id, thread_id } = answered;
    await app.sql`
      update prospects set stage = ${stage}, ended = null, ended_at = null, hold_by = null, hold_reason = null,
        hold_until = null, held_at = null where id = ${prospect_id}`;
    const { status, body } = await correct(thread_id, reading);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ reading, moved: becomes !== stage, stage: becomes });
    expect(body.sentence.length).toBeLessThan(300);
    expect((await standing(app, prospect_id))['stage']).toBe(becomes);
  });

  test('none of these told the world again that someone wrote', async () => {
    expect(await landedOf(answered)).toHaveLength(1);
  });
});

describe('a correction', () => {
  test('to positive opens one deal and tells of it once, however often it is made', async () => {
    const answered = await anAnswer();
    expect(await dealsOf(answered)).toEqual([]);
    const first = await correct(answered.thread_id, 'positive');
    expect(first.body.deal_id).toEqual(expect.any(String));
    await correct(answered.thread_id, 'neutral');
    expect((await correct(answered.thread_id, 'positive')).body).toMatchObject({
      deal_id: null,
      moved: false,
    });
    expect(await dealsOf(answered)).toEqual([
      {
        state: 'open',
        opened_by: 'reading',
        thread_id: answered.thread_id,
        prospect_id: answered.prospect_id,
        campaign_id: campaign.id,
      },
    ]);
    expect(await openedOf(answered)).toEqual([
      {
        deal_id: first.body.deal_id,
        campaign_id: campaign.id,
        person_id: answered.person.id,
        prospect_id: answered.prospect_id,
        state: 'open',
      },
    ]);
  });

  test('opens none where the campaign opens none, and tells of one that a person opened', async () => {
    const quiet = await aCampaign(app, campaign, { open_deal_on_positive: false });
    const answered = await anAnswer(quiet);
    expect((await correct(answered.thread_id, 'positive')).body.deal_id).toBeNull();
    expect(await openedOf(answered)).toEqual([]);
    const deal = { name: 'By hand', person_id: answered.person.id };
    expect((await app.admin.rest('POST', '/api/admin/crm/deals', deal)).status).toBe(201);
    expect(await openedOf(answered)).toHaveLength(1);
  });

  test('to unsubscribe suppresses, and away from it lifts nothing and says so', async () => {
    const answered = await anAnswer();
    expect((await correct(answered.thread_id, 'unsubscribe')).body.stage).toBe('unsubscribed');
    expect(await reasonOn(answered)).toBe('unsubscribe');
    const away = await correct(answered.thread_id, 'positive');
    expect(away.body).toMatchObject({
      was: 'unsubscribe',
      moved: false,
      stage: 'unsubscribed',
      asked: 'positive',
    });
    expect(away.body.sentence).toMatch(/stays at unsubscribed: they opted out on .* The suppression stays/);
    expect(await reasonOn(answered)).toBe('unsubscribe');
    expect(await dealsOf(answered)).toEqual([]);
  });

  test('is the person’s word: a guessed answer opens a deal by it, and by an agent’s it does not', async () => {
    const guess = async () => {
      const letter = await sentLetter(app, campaign);
      const { touch } = await comesIn(app, { from: letter.person.address });
      expect(touch?.['attributed_by']).toBe('guessed');
      return { letter, thread: String(touch?.['thread_id']) };
    };
    const [mine, agents] = [await guess(), await guess()];
    const token = await app.token();
    await token.rpc('ping');
    const byAgent = await correct(agents.thread, 'positive', {}, token);
    expect(byAgent.body).toMatchObject({ reading_by: 'model', stage: 'replied', deal_id: null });
    expect(await dealsOf(agents.letter)).toEqual([]);
    const byPerson = await correct(mine.thread, 'positive');
    expect(byPerson.body).toMatchObject({
      reading_by: 'person',
      stage: 'positive',
      deal_id: expect.any(String),
    });
  });

  test('to out_of_office holds whoever still goes on, until a working day after they are back', async () => {
    const going = await aCampaign(app, campaign, { stop_on_reply: false });
    const answered = await anAnswer(going);
    const back = new Date(app.clock.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10);
    const { body } = await correct(answered.thread_id, 'out_of_office', { details: { returns_on: back } });
    expect(body.held_until > back).toBe(true);
    expect((await standing(app, answered.prospect_id))['hold_by']).toBe('away');
  });

  test('of a touch that is named leaves the others, and one that is not theirs is not found', async () => {
    const answered = await anAnswer();
    const { touch } = await comesIn(app, {
      from: answered.person.address,
      in_reply_to: answered.message_id,
    });
    await correct(answered.thread_id, 'negative', { touch_id: answered.touch_id });
    expect(
      await app.sql`select id, reading, reading_by, read_by_name from touches
      where thread_id = ${answered.thread_id} and direction = 'in' order by at, id`,
    ).toEqual([
      { id: answered.touch_id, reading: 'negative', reading_by: 'person', read_by_name: 'Ada Operator' },
      { id: touch?.['id'], reading: 'unread', reading_by: 'rule', read_by_name: null },
    ]);
    const missing = await correct(answered.thread_id, 'negative', { touch_id: randomUUID() });
    expect(missing.status).toBe(404);
  });

  test.each([
    ['a reading that is none of the seven', { reading: 'delighted' }, 400],
    ['no reading', {}, 400],
    ['a day that is none', { reading: 'out_of_office', details: { returns_on: '2026-02-30' } }, 400],
    ['half a letter', { reading: 'referral', details: { referred_to: '\ud800' } }, 400],
  ])('with %s is refused and changes nothing', async (_, body, status) => {
    const answered = await anAnswer();
    const refused = await app.admin.rest('POST', `/api/threads/${answered.thread_id}/reading`, body);
    expect(refused.status).toBe(status);
    expect(await app.sql`select reading from touches where id = ${answered.touch_id}`).toEqual([
      { reading: 'unread' },
    ]);
  });

  test('of a thread that no one has, or in which they said nothing, says so', async () => {
    expect((await correct(randomUUID(), 'positive')).status).toBe(404);
  });

  test('by someone who may only read threads is denied', async () => {
    const answered = await anAnswer();
    const token = await app.token({ mode: 'service', policies: ['read-all'] });
    expect((await correct(answered.thread_id, 'positive', {}, token)).status).toBe(403);
  });
});
