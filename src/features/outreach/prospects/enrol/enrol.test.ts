// Owns enrolling: wire act 5 on every route, who is refused and why, what a dry run writes (nothing), and races.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { WIRE_REQUIRED } from '../../../../kernel/sentences.ts';
import { enrol } from './enrol.ts';
import {
  aCampaign,
  aDesk,
  type Desk,
  O,
  somebody,
  type TestCampaign,
} from '../../../../../test/support/letters.ts';
import { openTestApp, type TestApp, type TokenClient } from '../../../../../test/support/app.ts';

let app: TestApp;
let desk: Desk;
let wire: TokenClient;
let wireless: TokenClient;

beforeAll(async () => {
  app = await openTestApp();
  desk = await aDesk(app);
  wire = await app.token({ scopes: { wire: true } });
  wireless = await app.token();
});
afterAll(() => app.close());

const enrolInto = (campaign: { id: string }, people: readonly string[], more: object = {}) =>
  app.admin.rest('POST', `${O}/campaigns/${campaign.id}/enrol`, { people, ...more });

const placesOf = (person: string): Promise<{ campaign_id: string }[]> =>
  app.sql`select campaign_id from prospects where person_id = ${person}`;

async function suppress(address: string, reason: string): Promise<void> {
  const answer = await app.admin.rest('POST', `${O}/suppressions`, { address, reason });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
}

describe('enrolling people into a sequence needs wire', () => {
  test('a token without it is refused with the sentence on every route, and nothing is written', async () => {
    const campaign = await aCampaign(app, desk);
    const { id } = await somebody(app);
    const body = { people: [id] };
    const path = `${O}/campaigns/${campaign.id}/enrol`;
    const rest = await wireless.rest('POST', path, body);
    expect([rest.status, rest.body.error.code, rest.body.error.message]).toEqual([
      403,
      'wire_required',
      WIRE_REQUIRED,
    ]);
    const named = await wireless.tool('sequence_enrol', { campaign: campaign.id, ...body });
    expect([named.isError, named.text]).toEqual([true, WIRE_REQUIRED]);
    for (const source of ['api_request', 'admin_request']) {
      const asked = await wireless.tool(source, { method: 'POST', path, body });
      expect([asked.isError, asked.text]).toEqual([true, `HTTP 403: ${WIRE_REQUIRED}`]);
    }
    expect(await placesOf(id)).toEqual([]);
  });

  test('any value but the literal true is no dry run', async () => {
    const campaign = await aCampaign(app, desk);
    const { id } = await somebody(app);
    const path = `${O}/campaigns/${campaign.id}/enrol`;
    for (const dry_run of [false, undefined])
      expect((await wireless.rest('POST', path, { people: [id], dry_run })).status).toBe(403);
    for (const dry_run of ['true', 1, null])
      expect((await wireless.rest('POST', path, { people: [id], dry_run })).status).toBe(400);
    expect(await placesOf(id)).toEqual([]);
  });

  test('the domain function asks for it too, whoever comes to it', async () => {
    const campaign = await aCampaign(app, desk);
    const caller = {
      principal: { kind: 'agent' as const, id: wireless.id, name: 'a token' },
      turn: 'agent' as const,
      surface: 'workflow' as const,
      credential: {
        kind: 'token' as const,
        id: wireless.id,
        name: 'a token',
        scopes: { wire: false, scripts: true },
        first_agent_turn_at: null,
      },
      user_id: app.admin.id,
      rights: { admin: true, policies: [], projects: null },
    };
    const { id } = await somebody(app);
    await expect(
      app.instance.app.database.transact((tx) =>
        enrol(tx, caller, campaign.id, { people: [id] }, app.clock.now()),
      ),
    ).rejects.toThrow(WIRE_REQUIRED);
  });

  test('a dry run needs none, writes nothing and says who would be refused', async () => {
    const campaign = await aCampaign(app, desk);
    const [able, barred] = [await somebody(app), await somebody(app, 'Ben Bar')];
    await suppress(barred.address, 'manual');
    const answer = await wireless.tool('sequence_enrol', {
      campaign: campaign.id,
      people: [able.id, barred.id],
      dry_run: true,
    });
    expect(answer.json).toEqual({
      dry_run: true,
      enrolled: 1,
      refused: [
        {
          person_id: barred.id,
          why: 'suppressed',
          sentence: 'Ben Bar can’t get letters: the address is suppressed (manual).',
        },
      ],
      refused_by: { suppressed: 1 },
      sentence: '1 person would be enrolled. Nothing was changed.',
    });
    expect(await placesOf(able.id)).toEqual([]);
  });

  test('a token with it enrols', async () => {
    const campaign = await aCampaign(app, desk);
    const { id } = await somebody(app);
    const answer = await wire.tool('sequence_enrol', { campaign: campaign.id, people: [id] });
    expect(answer.json).toMatchObject({ enrolled: 1, refused: [] });
    expect(await placesOf(id)).toEqual([{ campaign_id: campaign.id }]);
  });
});

describe('who is refused, and why', () => {
  const why = async (campaign: TestCampaign, id: string): Promise<string | undefined> =>
    (await enrolInto(campaign, [id])).body.refused[0]?.why;

  test('whoever is in already, and no one is enrolled twice', async () => {
    const campaign = await aCampaign(app, desk);
    const { id } = await somebody(app);
    expect((await enrolInto(campaign, [id, id, id.toUpperCase()])).body.enrolled).toBe(1);
    expect(await why(campaign, id)).toBe('already_enrolled');
    expect(await placesOf(id)).toHaveLength(1);
  });

  test('whoever was taken out', async () => {
    const campaign = await aCampaign(app, desk);
    const { id } = await somebody(app);
    await enrolInto(campaign, [id]);
    const { items } = (await app.admin.rest('GET', `${O}/campaigns/${campaign.id}/prospects`)).body;
    const removed = await app.admin.rest('POST', `${O}/prospects/${items[0].id}/remove`, {});
    expect(removed.body.prospect).toMatchObject({ ended: 'removed', step_id: null, next_at: null });
    expect(await why(campaign, id)).toBe('removed');
  });

  test('whoever opted out, in every campaign, until someone lifts it', async () => {
    const [one, other] = [await aCampaign(app, desk), await aCampaign(app, desk, { exclusive: false })];
    const { id } = await somebody(app);
    await enrolInto(one, [id]);
    const { items } = (await app.admin.rest('GET', `${O}/campaigns/${one.id}/prospects`)).body;
    await app.admin.rest('POST', `${O}/prospects/${items[0].id}/spine`, { stage: 'unsubscribed' });
    expect(await why(other, id)).toBe('unsubscribed');
    const [row] =
      await app.sql`select s.id from suppressions s join person_addresses a on a.hash = s.value_hash
      where a.person_id = ${id}`;
    app.clock.advance(1000);
    expect((await app.admin.rest('DELETE', `${O}/suppressions/${row?.['id']}`)).status).toBe(200);
    expect((await enrolInto(other, [id])).body.enrolled).toBe(1);
  });

  test('a suppressed address, one of several complained, no address, no one', async () => {
    const campaign = await aCampaign(app, desk);
    const bounced = await somebody(app);
    await suppress(bounced.address, 'hard_bounce');
    expect(await why(campaign, bounced.id)).toBe('suppressed');
    const none = await somebody(app);
    await app.sql`delete from person_addresses where person_id = ${none.id}`;
    expect(await why(campaign, none.id)).toBe('no_address');
    expect(await why(campaign, randomUUID())).toBe('no_such_person');
  });

  test('whoever is live in another campaign, where one of the two is exclusive', async () => {
    const exclusive = await aCampaign(app, desk, { name: 'Spring' });
    const open = await aCampaign(app, desk, { exclusive: false });
    const third = await aCampaign(app, desk, { exclusive: false });
    const { id } = await somebody(app);
    await enrolInto(open, [id]);
    expect((await enrolInto(third, [id])).body.enrolled).toBe(1);
    const refused = (await enrolInto(exclusive, [id])).body.refused[0];
    expect(refused.why).toBe('in_another_campaign');
    expect(refused.sentence).toContain('is active in ');
  });

  test('everyone, where the campaign is archived', async () => {
    const campaign = await aCampaign(app, desk, { state: 'archived' });
    const { id } = await somebody(app);
    const answer = await enrolInto(campaign, [id]);
    expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict']);
    expect(await placesOf(id)).toEqual([]);
  });

  test('bad arguments, each field named', async () => {
    const campaign = await aCampaign(app, desk);
    for (const body of [
      {},
      { people: [], segment: randomUUID() },
      { people: ['x'] },
      { people: Array.from({ length: 501 }, () => randomUUID()) },
    ]) {
      const answer = await app.admin.rest('POST', `${O}/campaigns/${campaign.id}/enrol`, body);
      expect(answer.status).toBe(400);
      expect(Object.keys(answer.body.error.details.fields).join()).toContain('people');
    }
    const nowhere = await app.admin.rest('POST', `${O}/campaigns/${randomUUID()}/enrol`, {
      people: [randomUUID()],
    });
    expect(nowhere.status).toBe(404);
  });
});

describe('a segment', () => {
  test('is enrolled whole, as it is at this moment, and again only those who came since', async () => {
    const campaign = await aCampaign(app, desk, { exclusive: false });
    const title = `Buyer ${randomUUID().slice(0, 8)}`;
    const made = await app.admin.rest('POST', '/api/admin/crm/segments', {
      name: title,
      filter: { all: [{ field: 'tags', op: 'any', value: title }] },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const join = async (): Promise<void> => {
      const { id } = await somebody(app);
      await app.sql`update people set tags = ${[title]} where id = ${id}`;
    };
    for (let n = 0; n < 3; n++) await join();
    const path = `${O}/campaigns/${campaign.id}/enrol`;
    const segment = made.body.segment.id;
    expect((await app.admin.rest('POST', path, { segment })).body).toMatchObject({
      enrolled: 3,
      refused_by: {},
    });
    await join();
    expect((await app.admin.rest('POST', path, { segment })).body).toMatchObject({
      enrolled: 1,
      refused_by: { already_enrolled: 3 },
    });
  });
});

test('a segment of more people than one act enrols is refused, naming how many it has', async () => {
  const campaign = await aCampaign(app, desk);
  const made = await app.admin.rest('POST', '/api/admin/crm/segments', {
    name: 'everybody',
    filter: { all: [{ field: 'tags', op: 'any', value: 'crowd' }] },
  });
  await app.sql`
    insert into people (id, name, name_key, search, tags, created_by_kind, created_by_id, created_by_name, created_at, updated_at)
    select gen_random_uuid(), 'P' || k, 'p' || k, '', '{crowd}', 'person', 'x', 'X', now(), now()
    from generate_series(1, 10001) k`;
  const answer = await app.admin.rest('POST', `${O}/campaigns/${campaign.id}/enrol`, {
    segment: made.body.segment.id,
  });
  expect([answer.status, answer.body.error.message]).toEqual([
    409,
    'this segment has more than 10,000 people, the most one call can enrol: narrow it with another condition. No one was enrolled.',
  ]);
});

describe('races', () => {
  test('the same people enrolled twice at once are in once', async () => {
    const campaign = await aCampaign(app, desk);
    const people = await Promise.all(Array.from({ length: 20 }, () => somebody(app)));
    const ids = people.map(({ id }) => id);
    const answers = await Promise.all([enrolInto(campaign, ids), enrolInto(campaign, ids.toReversed())]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body.enrolled + answers[1]?.body.enrolled).toBe(20);
  });

  test('of two exclusive campaigns that take the same person at once, one has them', async () => {
    const [one, other] = [await aCampaign(app, desk), await aCampaign(app, desk)];
    const people = await Promise.all(Array.from({ length: 20 }, () => somebody(app)));
    const ids = people.map(({ id }) => id);
    const answers = await Promise.all([enrolInto(one, ids), enrolInto(other, ids)]);
    expect(answers[0]?.body.enrolled + answers[1]?.body.enrolled).toBe(20);
    for (const id of ids) expect(await placesOf(id)).toHaveLength(1);
  });
});
