// Starting, stopping and reviewing through the entry points: what refuses a start, what a policy and a confirmation are bound to.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  activate,
  anIdentity,
  LETTER,
  newCampaign,
  O,
  readyCampaign,
  saveSteps,
  setPool,
  seenBy,
} from '../../../../../test/support/campaigns.ts';
import { openTestApp, type TestApp, type TokenClient } from '../../../../../test/support/app.ts';

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

describe('starting and stopping', () => {
  test('a start is refused with every check that fails, at once, and changes nothing', async () => {
    const { id } = await newCampaign(app.admin, { ends_on: '2020-01-01' });
    const refused = await activate(app.admin, id);
    expect(refused.status).toBe(409);
    expect(refused.body.error.details.checks.map((check: { code: string }) => check.code)).toEqual([
      'sequence_empty',
      'pool_empty',
      'ended',
      'postal_address',
    ]);
    for (const says of [
      'The campaign has no letter or task.',
      'The pool has no identity.',
      'The campaign’s last day was 2020-01-01.',
      'postal address',
    ])
      expect(refused.body.error.message).toContain(says);
    expect(refused.body.error.message.length).toBeLessThan(300);
    expect(await read(id)).toMatchObject({ state: 'draft', activated_at: null, revision: 1 });
  });

  test('a token without wire neither starts nor resumes; with wire it does both', async () => {
    const { id } = await readyCampaign(app);
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
    const { id } = await readyCampaign(app);
    await activate(app.admin, id);
    const byPerson = (await app.admin.rest('POST', `${O}/campaigns/${id}/pause`, {})).body.campaign;
    expect(byPerson).toMatchObject({ state: 'paused', paused_reason: 'person' });
    expect((await app.admin.rest('POST', `${O}/campaigns/${id}/pause`, {})).body.campaign.revision).toBe(
      byPerson.revision,
    );
    await activate(app.admin, id);
    await wire.tool('api_request', { method: 'POST', path: `${O}/campaigns/${id}/pause`, body: {} });
    expect(await read(id)).toMatchObject({ state: 'paused', paused_reason: 'agent' });
  });

  test('its first day starts nothing on its own: a draft stays one', async () => {
    const ready = await readyCampaign(app, { starts_on: '2026-01-01' });
    app.clock.advance(48 * 3_600_000);
    for (const pass of app.instance.app.passes) await app.instance.jobs.run(pass.name);
    expect((await read(ready.id)).state).toBe('draft');
  });

  test('an archived one can only be read: no change, no start, no steps, no pool, no policy', async () => {
    const { id } = await readyCampaign(app);
    await activate(app.admin, id);
    expect((await app.admin.rest('POST', `${O}/campaigns/${id}/archive`, {})).status).toBe(409);
    await app.admin.rest('POST', `${O}/campaigns/${id}/pause`, {});
    const archived = (await app.admin.rest('POST', `${O}/campaigns/${id}/archive`, {})).body.campaign;
    expect(archived).toMatchObject({ state: 'archived', paused_reason: null });
    const { revision, sequence_revision } = archived;
    for (const answer of [
      await patch(id, { revision, goal: 'x' }),
      await activate(app.admin, id),
      await app.admin.rest('POST', `${O}/campaigns/${id}/pause`, {}),
      await app.admin.rest('PUT', `${O}/campaigns/${id}/sequence`, {
        revision: sequence_revision,
        steps: [],
      }),
      await app.admin.rest('PUT', `${O}/campaigns/${id}/pool`, { revision, identity_pool: [] }),
      await app.admin.rest('PUT', `${O}/campaigns/${id}/review-policy`, {
        revision,
        review_policy: 'changed',
      }),
      await app.admin.rest('PUT', `${O}/campaigns/${id}/no-human-review`, {
        confirmed: true,
        sequence_revision,
      }),
      await app.admin.rest('DELETE', `${O}/campaigns/${id}`),
    ])
      expect(answer.status, JSON.stringify(answer.body)).toBe(409);
    expect((await read(id)).revision).toBe(revision);
  });
});

describe('review, confirmation and pool', () => {
  test('none needs a confirmation of the present steps, and a later edit makes it stale', async () => {
    const ready = await readyCampaign(app);
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

  test('a looser policy stays bound to the steps it was set for, unless someone with wire edits them', async () => {
    const ready = await readyCampaign(app);
    const route = `${O}/campaigns/${ready.id}/review-policy`;
    const set = await app.admin.rest('PUT', route, {
      seen: await seenBy(app.admin, `${O}/campaigns/${ready.id}`),
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

  test('the pool names every identity that is none or exists twice, and needs the revision', async () => {
    const { id } = await newCampaign(app.admin);
    const [one, gone] = [await anIdentity(app), '0198c0de-0000-7000-8000-00000000dead'];
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
    const { id } = await readyCampaign(app);
    await activate(app.admin, id);
    await setPool(app.admin, id, []);
    expect(await read(id)).toMatchObject({ state: 'paused', paused_reason: 'pool_empty', identity_pool: [] });
  });

  test('whose token an activation and a confirmation was given with is kept, so that the word falls with the token', async () => {
    const own = await app.token({ scopes: { wire: true } });
    const { id } = await readyCampaign(app);
    await own.rest('PUT', `${O}/campaigns/${id}/no-human-review`, { confirmed: true, sequence_revision: 2 });
    await activate(own, id);
    const [row] = await app.sql`
      select activated_by_kind, activated_token, no_human_review_token from campaigns where id = ${id}`;
    expect(row).toEqual({
      activated_by_kind: 'person',
      activated_token: own.id,
      no_human_review_token: own.id,
    });
    await app.admin.rest('POST', `${O}/campaigns/${id}/pause`, {});
    await activate(app.admin, id);
    const [again] = await app.sql`select activated_token from campaigns where id = ${id}`;
    expect(again).toEqual({ activated_token: null });
  });
});
