// Campaigns through the doors: what a new one is, what changes it, what starts and stops it, and the side doors around review,
// pool and start.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  activate,
  anIdentity,
  enrolled,
  LETTER,
  newCampaign,
  O,
  readyCampaign,
  saveSteps,
  setPool,
} from '../../../test/support/campaigns.ts';
import { openTestHouse, type TestHouse, type TokenClient } from '../../../test/support/house.ts';

let house: TestHouse;
let wire: TokenClient;
let plain: TokenClient;

beforeAll(async () => {
  house = await openTestHouse();
  wire = await house.token({ scopes: { wire: true } });
  plain = await house.token();
});
afterAll(() => house?.close());

const read = async (id: string) => (await house.admin.rest('GET', `${O}/campaigns/${id}`)).body.campaign;
const patch = (id: string, body: unknown, by = house.admin as { rest: typeof house.admin.rest }) =>
  by.rest('PATCH', `${O}/campaigns/${id}`, body);

describe('a new campaign', () => {
  test('is a draft whose every letter is reviewed, with an empty pool and no confirmation', async () => {
    const campaign = await newCampaign(house.admin);
    expect(campaign).toMatchObject({
      state: 'draft',
      review_policy: 'every_letter',
      no_human_review: null,
      identity_pool: [],
      stop_on_reply: true,
      open_deal_on_positive: true,
      exclusive: true,
      max_touches_per_week_per_person: 3,
      unsubscribe_mode: 'one_click',
      tracking: { opens: false, links: false },
      require_basis: true,
      verification_policy: 'not_undeliverable',
      windows: [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }],
      activated_at: null,
      revision: 1,
    });
    expect(campaign.counts).toEqual({
      ...{ people: 0, contacted: 0, replied: 0, positive: 0, meetings: 0, won: 0, declined: 0, bounced: 0 },
      ...{
        unsubscribed: 0,
        drafted: 0,
        review: 0,
        scheduled: 0,
        held: 0,
        sent: 0,
        sent_today: 0,
        uncertain: 0,
      },
    });
  });

  test.each([
    ['review_policy', 'none', 'PUT /api/admin/outreach/campaigns/:campaign/review-policy'],
    ['review_policy', 'every_letter', 'PUT /api/admin/outreach/campaigns/:campaign/review-policy'],
    ['review_sample', 5, 'PUT /api/admin/outreach/campaigns/:campaign/review-policy'],
    [
      'no_human_review',
      { confirmed_by: 'me' },
      'PUT /api/admin/outreach/campaigns/:campaign/no-human-review',
    ],
    ['no_human_review', null, 'PUT /api/admin/outreach/campaigns/:campaign/no-human-review'],
    ['identity_pool', [], 'PUT /api/admin/outreach/campaigns/:campaign/pool'],
    ['state', 'active', 'POST /api/admin/outreach/campaigns/:campaign/activate'],
    ['activated_at', '2026-01-01T00:00:00.000Z', 'POST /api/admin/outreach/campaigns/:campaign/activate'],
  ])(
    'no one creates, clones or changes it with %s = %j: the route of that is named',
    async (field, value, route) => {
      const { id, revision } = await newCampaign(house.admin);
      for (const by of [house.admin, wire, plain])
        for (const answer of [
          await by.rest('POST', `${O}/campaigns`, { name: 'Smuggled', [field]: value }),
          await by.rest('POST', `${O}/campaigns/${id}/clone`, { [field]: value }),
          await by.rest('PATCH', `${O}/campaigns/${id}`, { revision, name: 'Smuggled', [field]: value }),
        ]) {
          expect(answer.status, JSON.stringify(answer.body)).toBe(400);
          expect(answer.body.error.details.fields[field]).toContain(route);
        }
      expect(await read(id)).toMatchObject({ name: 'Spring', revision: 1, state: 'draft' });
      const [{ smuggled } = { smuggled: -1 }] = await house.sql<{ smuggled: number }[]>`
      select count(*)::int as smuggled from campaigns where name = 'Smuggled'`;
      expect(smuggled).toBe(0);
    },
  );

  test('the whole object as it was read is refused, with every gated field named at once', async () => {
    const campaign = await newCampaign(house.admin);
    const answer = await patch(campaign.id, { ...campaign, campaign: undefined, revision: 1 });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details.fields)).toEqual(
      expect.arrayContaining(['review_policy', 'no_human_review', 'identity_pool', 'state']),
    );
  });

  test('bad settings are named all at once, and none breaks the house', async () => {
    const answer = await house.admin.rest('POST', `${O}/campaigns`, {
      name: '  ',
      timezone: 'Mars/Base',
      windows: [{ days: [8], from: '25:00', to: '09:00' }],
      blackout_dates: ['0000-01-01'],
      daily_cap: 1e12,
      starts_on: 'soon',
    });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details.fields)).toEqual(
      expect.arrayContaining([
        'name',
        'timezone',
        'windows.0.from',
        'windows.0.days.0',
        'blackout_dates.0',
        'daily_cap',
        'starts_on',
      ]),
    );
    const nobody = '0198c0de-0000-7000-8000-00000000dead';
    const named = await house.admin.rest('POST', `${O}/campaigns`, {
      name: 'x',
      owner: nobody,
      postal_address_id: nobody,
    });
    expect(Object.keys(named.body.error.details.fields)).toEqual(['owner', 'postal_address_id']);
    const days = await house.admin.rest('POST', `${O}/campaigns`, {
      name: 'x',
      starts_on: '2026-05-02',
      ends_on: '2026-05-01',
    });
    expect(days.body.error.details.fields).toHaveProperty('ends_on');
  });
});

describe('clone', () => {
  test('of an unreviewed active campaign is a draft with safe defaults: its settings and steps, and nothing that was confirmed', async () => {
    const ready = await readyCampaign(house, { goal: 'Meetings', starts_on: '2026-01-01', daily_cap: 7 });
    const steps = (await house.admin.rest('GET', `${O}/campaigns/${ready.id}/sequence`)).body.sequence;
    await house.admin.rest('PUT', `${O}/campaigns/${ready.id}/no-human-review`, {
      confirmed: true,
      sequence_revision: steps.revision,
    });
    const confirmed = await read(ready.id);
    await house.admin.rest('PUT', `${O}/campaigns/${ready.id}/review-policy`, {
      review_policy: 'none',
      revision: confirmed.revision,
    });
    expect((await activate(house.admin, ready.id)).body.campaign.state).toBe('active');
    const copy = (await plain.rest('POST', `${O}/campaigns/${ready.id}/clone`, { name: 'Again' })).body
      .campaign;
    expect(copy).toMatchObject({
      ...{
        name: 'Again',
        state: 'draft',
        goal: 'Meetings',
        daily_cap: 7,
        starts_on: null,
        activated_at: null,
      },
      ...{
        review_policy: 'every_letter',
        no_human_review: null,
        review_bound_revision: null,
        identity_pool: [],
      },
    });
    expect(copy.counts.people).toBe(0);
    const copied = (await plain.rest('GET', `${O}/campaigns/${copy.id}/sequence`)).body.sequence.steps;
    expect(copied).toMatchObject([{ kind: 'letter', subject: LETTER.subject, text: LETTER.text }]);
    expect(copied[0].id).not.toBe(steps.steps[0].id);
  });

  test('keeps branches inside the copy', async () => {
    const { id } = await newCampaign(house.admin);
    const end = '0198c0de-0000-7000-8000-0000000000e1';
    await saveSteps(house.admin, id, [
      LETTER,
      { kind: 'branch', branch: { on: { kind: 'tag', tag: 'vip' }, yes: end, no: null } },
      { id: end, kind: 'letter', subject: 'Later', text: 'Later' },
    ]);
    const { id: copy } = (await house.admin.rest('POST', `${O}/campaigns/${id}/clone`, {})).body.campaign;
    const { steps } = (await house.admin.rest('GET', `${O}/campaigns/${copy}/sequence`)).body.sequence;
    expect(steps[1].branch).toEqual({ on: { kind: 'tag', tag: 'vip' }, yes: steps[2].id, no: null });
    expect(steps[2].id).not.toBe(end);
  });
});

describe('change and delete', () => {
  test('a change needs the revision that was read; the refusal names the current one', async () => {
    const { id } = await newCampaign(house.admin);
    expect((await patch(id, { revision: 1, goal: 'More' })).body.campaign).toMatchObject({
      goal: 'More',
      revision: 2,
    });
    const stale = await patch(id, { revision: 1, goal: 'Less' });
    expect(stale).toMatchObject({ status: 409, body: { error: { details: { revision: 2 } } } });
    expect(stale.body.error.message).toContain('the current revision is 2');
  });

  test('more volume after the start is allowed without wire, and stands in the history with who did it', async () => {
    const ready = await readyCampaign(house, { daily_cap: 10 });
    const { revision } = (await activate(wire, ready.id)).body.campaign;
    const raised = await patch(ready.id, { revision, daily_cap: 500, new_per_day: 100 }, plain);
    expect(raised.status).toBe(200);
    const { items } = (await house.admin.rest('GET', `${O}/campaigns/${ready.id}/history`)).body;
    expect(items[0]).toMatchObject({
      kind: 'changed',
      by: { kind: 'person', name: 'Ada Operator' },
      details: {
        changes: [
          { field: 'daily_cap', from: 10, to: 500 },
          { field: 'new_per_day', from: null, to: 100 },
        ],
      },
    });
    expect(items[1]).toMatchObject({ kind: 'activated' });
  });

  test('only a draft without people is deleted', async () => {
    const { id } = await newCampaign(house.admin);
    await enrolled(house, id);
    expect((await house.admin.rest('DELETE', `${O}/campaigns/${id}`)).status).toBe(409);
    const ready = await readyCampaign(house);
    await activate(house.admin, ready.id);
    expect((await house.admin.rest('DELETE', `${O}/campaigns/${ready.id}`)).status).toBe(409);
    const empty = await newCampaign(house.admin);
    expect((await house.admin.rest('DELETE', `${O}/campaigns/${empty.id}`)).body).toEqual({ ok: true });
    expect((await house.admin.rest('GET', `${O}/campaigns/${empty.id}`)).status).toBe(404);
  });
});

describe('starting and stopping', () => {
  test('a start is refused with every check that fails, at once, and changes nothing', async () => {
    const { id } = await newCampaign(house.admin, { ends_on: '2020-01-01' });
    const refused = await activate(house.admin, id);
    expect(refused.status).toBe(409);
    expect(refused.body.error.details.checks.map((check: { code: string }) => check.code)).toEqual([
      'sequence_empty',
      'pool_empty',
      'ended',
      'postal_address',
    ]);
    for (const says of [
      'No step says anything.',
      'the pool is empty',
      'Its last day was 2020-01-01.',
      'postal address',
    ])
      expect(refused.body.error.message).toContain(says);
    expect(refused.body.error.message.length).toBeLessThan(300);
    expect(await read(id)).toMatchObject({ state: 'draft', activated_at: null, revision: 1 });
  });

  test('a token without wire neither starts nor resumes; with wire it does both', async () => {
    const { id } = await readyCampaign(house);
    expect((await activate(plain, id)).body.error.code).toBe('wire_required');
    expect((await activate(wire, id)).body.campaign).toMatchObject({ state: 'active', paused_reason: null });
    expect((await plain.rest('POST', `${O}/campaigns/${id}/pause`, {})).body.campaign).toMatchObject({
      state: 'paused',
    });
    expect((await activate(plain, id)).body.error.code).toBe('wire_required');
    expect((await read(id)).state).toBe('paused');
    expect((await activate(wire, id)).body.campaign.state).toBe('active');
  });

  test('a pause says whether a person or an agent paused it, and pausing again changes nothing', async () => {
    const { id } = await readyCampaign(house);
    await activate(house.admin, id);
    const byPerson = (await house.admin.rest('POST', `${O}/campaigns/${id}/pause`, {})).body.campaign;
    expect(byPerson).toMatchObject({ state: 'paused', paused_reason: 'person' });
    expect((await house.admin.rest('POST', `${O}/campaigns/${id}/pause`, {})).body.campaign.revision).toBe(
      byPerson.revision,
    );
    await activate(house.admin, id);
    await wire.tool('api_request', { method: 'POST', path: `${O}/campaigns/${id}/pause`, body: {} });
    expect(await read(id)).toMatchObject({ state: 'paused', paused_reason: 'agent' });
  });

  test('its first day starts nothing by itself: a draft stays one', async () => {
    const ready = await readyCampaign(house, { starts_on: '2026-01-01' });
    house.clock.advance(48 * 3_600_000);
    for (const pass of house.instance.house.passes) await house.instance.jobs.run(pass.name);
    expect((await read(ready.id)).state).toBe('draft');
  });

  test('an archived one can only be read: no change, no start, no steps, no pool, no policy', async () => {
    const { id } = await readyCampaign(house);
    await activate(house.admin, id);
    expect((await house.admin.rest('POST', `${O}/campaigns/${id}/archive`, {})).status).toBe(409);
    await house.admin.rest('POST', `${O}/campaigns/${id}/pause`, {});
    const archived = (await house.admin.rest('POST', `${O}/campaigns/${id}/archive`, {})).body.campaign;
    expect(archived).toMatchObject({ state: 'archived', paused_reason: null });
    const { revision, sequence_revision } = archived;
    for (const answer of [
      await patch(id, { revision, goal: 'x' }),
      await activate(house.admin, id),
      await house.admin.rest('POST', `${O}/campaigns/${id}/pause`, {}),
      await house.admin.rest('PUT', `${O}/campaigns/${id}/sequence`, {
        revision: sequence_revision,
        steps: [],
      }),
      await house.admin.rest('PUT', `${O}/campaigns/${id}/pool`, { revision, identity_pool: [] }),
      await house.admin.rest('PUT', `${O}/campaigns/${id}/review-policy`, {
        revision,
        review_policy: 'changed',
      }),
      await house.admin.rest('PUT', `${O}/campaigns/${id}/no-human-review`, {
        confirmed: true,
        sequence_revision,
      }),
      await house.admin.rest('DELETE', `${O}/campaigns/${id}`),
    ])
      expect(answer.status, JSON.stringify(answer.body)).toBe(409);
    expect((await read(id)).revision).toBe(revision);
  });
});

describe('review, confirmation and pool', () => {
  test('none needs a confirmation of the present steps, and a later edit makes it stale', async () => {
    const ready = await readyCampaign(house);
    const route = (tail: string) => `${O}/campaigns/${ready.id}/${tail}`;
    const before = await wire.rest('PUT', route('review-policy'), {
      review_policy: 'none',
      revision: ready.revision,
    });
    expect(before).toMatchObject({ status: 409, body: { error: { details: { sequence_revision: 2 } } } });
    expect(
      (await wire.rest('PUT', route('no-human-review'), { confirmed: true, sequence_revision: 1 })).status,
    ).toBe(409);
    expect(
      (await wire.rest('PUT', route('no-human-review'), { confirmed: false, sequence_revision: 2 })).status,
    ).toBe(400);
    const { campaign } = (
      await wire.rest('PUT', route('no-human-review'), { confirmed: true, sequence_revision: 2 })
    ).body;
    expect(campaign.no_human_review).toMatchObject({
      confirmed_by: { kind: expect.any(String) },
      sequence_revision: 2,
      stale: false,
    });
    const set = await wire.rest('PUT', route('review-policy'), {
      review_policy: 'none',
      revision: campaign.revision,
    });
    expect(set.body.campaign).toMatchObject({ review_policy: 'none', review_bound_revision: 2 });
    await saveSteps(plain, ready.id, [{ ...LETTER, text: 'Something else' }]);
    expect((await read(ready.id)).no_human_review).toMatchObject({ stale: true, sequence_revision: 2 });
    const refused = await activate(wire, ready.id);
    expect(refused.body.error.details.checks.map((check: { code: string }) => check.code)).toEqual([
      'review_confirmation_stale',
    ]);
  });

  test('a looser policy stays bound to the steps it was set for, unless somebody with wire edits them', async () => {
    const ready = await readyCampaign(house);
    const route = `${O}/campaigns/${ready.id}/review-policy`;
    const set = await house.admin.rest('PUT', route, {
      review_policy: 'sample',
      review_sample: 5,
      revision: ready.revision,
    });
    expect(set.body.campaign).toMatchObject({
      review_policy: 'sample',
      review_sample: 5,
      review_bound_revision: 2,
    });
    await saveSteps(wire, ready.id, [{ ...LETTER, text: 'By wire' }]);
    expect(await read(ready.id)).toMatchObject({ sequence_revision: 3, review_bound_revision: 3 });
    await saveSteps(plain, ready.id, [{ ...LETTER, text: 'Without wire' }]);
    expect(await read(ready.id)).toMatchObject({ sequence_revision: 4, review_bound_revision: 3 });
    await saveSteps(wire, ready.id, [{ ...LETTER, text: 'By wire again' }]);
    expect(await read(ready.id)).toMatchObject({ sequence_revision: 5, review_bound_revision: 3 });
    expect((await activate(wire, ready.id)).body.campaign.review_bound_revision).toBe(5);
  });

  test('the pool names every identity that is none or stands twice, and needs the revision', async () => {
    const { id } = await newCampaign(house.admin);
    const [one, gone] = [await anIdentity(house), '0198c0de-0000-7000-8000-00000000dead'];
    const entry = (identity_id: string) => ({ identity_id, weight: 1 });
    const refused = await wire.rest('PUT', `${O}/campaigns/${id}/pool`, {
      revision: 1,
      identity_pool: [entry(one), entry(gone), entry(one)],
    });
    expect(refused.status).toBe(400);
    expect(Object.keys(refused.body.error.details.fields)).toEqual([
      'identity_pool.1.identity_id',
      'identity_pool.2.identity_id',
    ]);
    expect((await setPool(wire, id, [one])).identity_pool).toEqual([entry(one)]);
    expect(
      (await wire.rest('PUT', `${O}/campaigns/${id}/pool`, { revision: 1, identity_pool: [] })).status,
    ).toBe(409);
  });

  test('an active campaign whose pool is emptied pauses itself', async () => {
    const { id } = await readyCampaign(house);
    await activate(house.admin, id);
    await setPool(house.admin, id, []);
    expect(await read(id)).toMatchObject({ state: 'paused', paused_reason: 'pool_empty', identity_pool: [] });
  });

  test('whose token an activation and a confirmation was given with is kept, so that the word falls with the token', async () => {
    const own = await house.token({ scopes: { wire: true } });
    const { id } = await readyCampaign(house);
    await own.rest('PUT', `${O}/campaigns/${id}/no-human-review`, { confirmed: true, sequence_revision: 2 });
    await activate(own, id);
    const [row] = await house.sql`
      select activated_by_kind, activated_token, no_human_review_token from campaigns where id = ${id}`;
    expect(row).toEqual({
      activated_by_kind: 'person',
      activated_token: own.id,
      no_human_review_token: own.id,
    });
    await house.admin.rest('POST', `${O}/campaigns/${id}/pause`, {});
    await activate(house.admin, id);
    const [again] = await house.sql`select activated_token from campaigns where id = ${id}`;
    expect(again).toEqual({ activated_token: null });
  });
});

describe('the list', () => {
  test('is read by pages, by state, and as the resource service://campaigns', async () => {
    const { id } = await readyCampaign(house, { name: 'Listed' });
    await activate(house.admin, id);
    await enrolled(house, id);
    const active = (await house.admin.rest('GET', `${O}/campaigns?state=active&limit=1`)).body;
    expect(active.items).toHaveLength(1);
    expect(active.items[0]).toMatchObject({
      id,
      name: 'Listed',
      state: 'active',
      counts: { people: 1, contacted: 0 },
    });
    expect(active.next_cursor).not.toBeNull();
    const seen = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: any = (
        await house.admin.rest('GET', `${O}/campaigns?limit=3${cursor && `&cursor=${cursor}`}`)
      ).body;
      for (const item of page.items) (expect(seen.has(item.id)).toBe(false), seen.add(item.id));
      cursor = page.next_cursor;
    }
    const [{ all } = { all: -1 }] = await house.sql<
      { all: number }[]
    >`select count(*)::int as all from campaigns`;
    expect(seen.size).toBe(all);
    const resource = await wire.rpc('resources/read', { uri: 'service://campaigns' });
    expect(JSON.parse(resource.result.contents[0].text).items[0]).toMatchObject({ id });
  });

  test('a campaign that policies deny is not in it, and not told to be there', async () => {
    const { id } = await newCampaign(house.admin, { name: 'Hidden' });
    await house.admin.rest('POST', '/api/admin/policies', {
      name: 'most-campaigns',
      version: 1,
      statements: [
        { effect: 'allow', actions: ['outreach.*'], resources: ['*'] },
        { effect: 'deny', actions: ['outreach.*'], resources: [`outreach:campaign/${id}`] },
      ],
    });
    const service = await house.token({ mode: 'service', policies: ['most-campaigns'] });
    const ids = (await service.rest('GET', `${O}/campaigns?limit=200`)).body.items.map(
      (it: { id: string }) => it.id,
    );
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).not.toContain(id);
    for (const tail of ['', '/sequence', '/preflight', '/history'])
      expect((await service.rest('GET', `${O}/campaigns/${id}${tail}`)).status).toBe(404);
    expect((await service.rest('POST', `${O}/campaigns/${id}/clone`, {})).status).toBe(404);
  });
});
