// Campaigns through the entry points: what a new one is, what changes and copies it, who sees it, and the side doors into what is gated.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  activate,
  enrolled,
  LETTER,
  newCampaign,
  O,
  readyCampaign,
  saveSteps,
  seenBy,
} from '../../../../test/support/campaigns.ts';
import { openTestApp, type TestApp, type TokenClient } from '../../../../test/support/app.ts';

let app: TestApp;
let wire: TokenClient;
let plain: TokenClient;

beforeAll(async () => {
  app = await openTestApp();
  wire = await app.token({ scopes: { wire: true } });
  plain = await app.token();
});
afterAll(() => app?.close());

const read = async (id: string) => (await app.admin.rest('GET', `${O}/campaigns/${id}`)).body.campaign;
const patch = (id: string, body: unknown, by = app.admin as { rest: typeof app.admin.rest }) =>
  by.rest('PATCH', `${O}/campaigns/${id}`, body);

describe('a new campaign', () => {
  test('is a draft whose every letter is reviewed, with an empty pool and no confirmation', async () => {
    const campaign = await newCampaign(app.admin);
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
      require_basis: true,
      verification_policy: 'not_undeliverable',
      windows: [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }],
      activated_at: null,
      revision: 1,
    });
    expect(campaign.counts).toEqual({
      people: 0,
      contacted: 0,
      replied: 0,
      positive: 0,
      meetings: 0,
      won: 0,
      declined: 0,
      bounced: 0,
      unsubscribed: 0,
      drafted: 0,
      review: 0,
      scheduled: 0,
      held: 0,
      sent: 0,
      sent_today: 0,
      uncertain: 0,
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
      const { id, revision } = await newCampaign(app.admin);
      for (const by of [app.admin, wire, plain])
        for (const answer of [
          await by.rest('POST', `${O}/campaigns`, { name: 'Smuggled', [field]: value }),
          await by.rest('POST', `${O}/campaigns/${id}/clone`, { [field]: value }),
          await by.rest('PATCH', `${O}/campaigns/${id}`, { revision, name: 'Smuggled', [field]: value }),
        ]) {
          expect(answer.status, JSON.stringify(answer.body)).toBe(400);
          expect(answer.body.error.details.fields[field]).toContain(route);
        }
      expect(await read(id)).toMatchObject({ name: 'Spring', revision: 1, state: 'draft' });
      const [{ smuggled } = { smuggled: -1 }] = await app.sql<{ smuggled: number }[]>`
      select count(*)::int as smuggled from campaigns where name = 'Smuggled'`;
      expect(smuggled).toBe(0);
    },
  );

  test('the whole object as it was read is refused, with every gated field named at once', async () => {
    const campaign = await newCampaign(app.admin);
    const answer = await patch(campaign.id, { ...campaign, campaign: undefined, revision: 1 });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details.fields)).toEqual(
      expect.arrayContaining(['review_policy', 'no_human_review', 'identity_pool', 'state']),
    );
  });

  test('bad settings are named all at once, and none breaks the app', async () => {
    const answer = await app.admin.rest('POST', `${O}/campaigns`, {
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
    const named = await app.admin.rest('POST', `${O}/campaigns`, {
      name: 'x',
      owner: nobody,
      postal_address_id: nobody,
    });
    expect(Object.keys(named.body.error.details.fields)).toEqual(['owner', 'postal_address_id']);
    const days = await app.admin.rest('POST', `${O}/campaigns`, {
      name: 'x',
      starts_on: '2026-05-02',
      ends_on: '2026-05-01',
    });
    expect(days.body.error.details.fields).toHaveProperty('ends_on');
  });
});

describe('clone', () => {
  test('of an unreviewed active campaign is a draft with safe defaults: its settings and steps, and nothing that was confirmed', async () => {
    const ready = await readyCampaign(app, { goal: 'Meetings', starts_on: '2026-01-01', daily_cap: 7 });
    const steps = (await app.admin.rest('GET', `${O}/campaigns/${ready.id}/sequence`)).body.sequence;
    await app.admin.rest('PUT', `${O}/campaigns/${ready.id}/no-human-review`, {
      seen: await seenBy(app.admin, `${O}/campaigns/${ready.id}`),
      confirmed: true,
      sequence_revision: steps.revision,
    });
    const confirmed = await read(ready.id);
    await app.admin.rest('PUT', `${O}/campaigns/${ready.id}/review-policy`, {
      seen: await seenBy(app.admin, `${O}/campaigns/${ready.id}`),
      review_policy: 'none',
      revision: confirmed.revision,
    });
    expect((await activate(app.admin, ready.id)).body.campaign.state).toBe('active');
    const copy = (await plain.rest('POST', `${O}/campaigns/${ready.id}/clone`, { name: 'Again' })).body
      .campaign;
    expect(copy).toMatchObject({
      name: 'Again',
      state: 'draft',
      goal: 'Meetings',
      daily_cap: 7,
      starts_on: null,
      activated_at: null,
      review_policy: 'every_letter',
      no_human_review: null,
      review_bound_revision: null,
      identity_pool: [],
    });
    expect(copy.counts.people).toBe(0);
    const copied = (await plain.rest('GET', `${O}/campaigns/${copy.id}/sequence`)).body.sequence.steps;
    expect(copied).toMatchObject([{ kind: 'letter', subject: LETTER.subject, text: LETTER.text }]);
    expect(copied[0].id).not.toBe(steps.steps[0].id);
  });

  test('keeps branches inside the copy', async () => {
    const { id } = await newCampaign(app.admin);
    const end = '0198c0de-0000-7000-8000-0000000000e1';
    await saveSteps(app.admin, id, [
      LETTER,
      { kind: 'branch', branch: { on: { kind: 'tag', tag: 'vip' }, yes: end, no: null } },
      { id: end, kind: 'letter', subject: 'Later', text: 'Later' },
    ]);
    const { id: copy } = (await app.admin.rest('POST', `${O}/campaigns/${id}/clone`, {})).body.campaign;
    const { steps } = (await app.admin.rest('GET', `${O}/campaigns/${copy}/sequence`)).body.sequence;
    expect(steps[1].branch).toEqual({ on: { kind: 'tag', tag: 'vip' }, yes: steps[2].id, no: null });
    expect(steps[2].id).not.toBe(end);
  });
});

describe('change and delete', () => {
  test('a change needs the revision that was read; the refusal names the current one', async () => {
    const { id } = await newCampaign(app.admin);
    expect((await patch(id, { revision: 1, goal: 'More' })).body.campaign).toMatchObject({
      goal: 'More',
      revision: 2,
    });
    const stale = await patch(id, { revision: 1, goal: 'Less' });
    expect(stale).toMatchObject({ status: 409, body: { error: { details: { revision: 2 } } } });
    expect(stale.body.error.message).toContain('the current revision is 2');
  });

  test('more volume after the start is allowed without wire, and is in the history with who did it', async () => {
    const ready = await readyCampaign(app, { daily_cap: 10 });
    const { revision } = (await activate(wire, ready.id)).body.campaign;
    const raised = await patch(ready.id, { revision, daily_cap: 500, new_per_day: 100 }, plain);
    expect(raised.status).toBe(200);
    const { items } = (await app.admin.rest('GET', `${O}/campaigns/${ready.id}/history`)).body;
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
    const { id } = await newCampaign(app.admin);
    await enrolled(app, id);
    expect((await app.admin.rest('DELETE', `${O}/campaigns/${id}`)).status).toBe(409);
    const ready = await readyCampaign(app);
    await activate(app.admin, ready.id);
    expect((await app.admin.rest('DELETE', `${O}/campaigns/${ready.id}`)).status).toBe(409);
    const empty = await newCampaign(app.admin);
    expect((await app.admin.rest('DELETE', `${O}/campaigns/${empty.id}`)).body).toEqual({ ok: true });
    expect((await app.admin.rest('GET', `${O}/campaigns/${empty.id}`)).status).toBe(404);
  });
});

describe('the list', () => {
  test('is read by pages, by state, and as the resource service://campaigns', async () => {
    const { id } = await readyCampaign(app, { name: 'Listed' });
    await activate(app.admin, id);
    await enrolled(app, id);
    const active = (await app.admin.rest('GET', `${O}/campaigns?state=active&limit=1`)).body;
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
      const page: { items: { id: string }[]; next_cursor: string | null } = (
        await app.admin.rest('GET', `${O}/campaigns?limit=3${cursor && `&cursor=${cursor}`}`)
      ).body;
      for (const item of page.items) {
        expect(seen.has(item.id)).toBe(false);
        seen.add(item.id);
      }
      cursor = page.next_cursor;
    }
    const [{ all } = { all: -1 }] = await app.sql<
      { all: number }[]
    >`select count(*)::int as all from campaigns`;
    expect(seen.size).toBe(all);
    const resource = await wire.rpc('resources/read', { uri: 'service://campaigns' });
    expect(JSON.parse(resource.result.contents[0].text).items[0]).toMatchObject({ id });
  });

  test('a campaign that policies deny is not in it, and not told to be there', async () => {
    const { id } = await newCampaign(app.admin, { name: 'Hidden' });
    await app.admin.rest('POST', '/api/admin/policies', {
      name: 'most-campaigns',
      version: 1,
      statements: [
        { effect: 'allow', actions: ['outreach.*'], resources: ['*'] },
        { effect: 'deny', actions: ['outreach.*'], resources: [`outreach:campaign/${id}`] },
      ],
    });
    const service = await app.token({ mode: 'service', policies: ['most-campaigns'] });
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
