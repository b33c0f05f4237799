// What a person looked at is what they sign: an activation, a review setting or a pool that someone changed in between is
// refused, and goes through once it is read again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  activate,
  anIdentity,
  aPostalAddress,
  enrolled,
  LETTER,
  newCampaign,
  O,
  readyCampaign,
  saveSteps,
} from '../../../../../test/support/campaigns.ts';
import type { TestApp, TokenClient } from '../../../../../test/support/app.ts';
import { openSenders, type Senders, DOMAINS, IDENTITIES } from '../../../../../test/support/senders.ts';

let app: TestApp;
let t: Senders;
let plain: TokenClient;
let wire: TokenClient;

beforeAll(async () => {
  t = await openSenders();
  ({ app, token: plain, wired: wire } = t);
});
afterAll(() => t?.close());

const at = (id: string): string => `${O}/campaigns/${id}`;
const read = async (id: string) => (await app.admin.rest('GET', at(id))).body.campaign;
const checks = async (id: string) => (await app.admin.rest('GET', `${at(id)}/preflight`)).body;
const start = (id: string, body: object, by: { rest: typeof app.admin.rest } = app.admin) =>
  by.rest('POST', `${at(id)}/activate`, body);

test('hole A5: steps rewritten after a person read the activation page refuse the activation, and it works once they read again', async () => {
  const { id } = await readyCampaign(app);
  const shown = await checks(id);
  expect(shown).toMatchObject({ ok: true, letters: [{ subject: LETTER.subject, text: LETTER.text }] });
  await saveSteps(plain, id, [{ ...LETTER, text: 'Buy from somebody else.' }]);
  const refused = await start(id, { seen: shown.seen });
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  expect(refused.body.error.message).toBe(
    'this campaign changed since you read it: read it again, then decide',
  );
  expect(await read(id)).toMatchObject({ state: 'draft', activated_at: null, review_bound_revision: null });
  const again = await checks(id);
  expect(again.letters).toMatchObject([{ text: 'Buy from somebody else.' }]);
  expect((await start(id, { seen: again.seen })).body.campaign).toMatchObject({ state: 'active' });
});

test('hole A5: whatever its letters depend on is part of what was seen: settings, postal address, sender, domain', async () => {
  const { id, identity_pool } = await readyCampaign(app);
  const identity = identity_pool[0]?.identity_id ?? '';
  const { postal_address_id } = await read(id);
  const changes: (() => Promise<unknown>)[] = [
    async () => plain.rest('PATCH', at(id), { revision: (await read(id)).revision, goal: 'another' }),
    async () => {
      const { revision } = (await app.admin.rest('GET', `${IDENTITIES}/${identity}`)).body.identity;
      await plain.rest('PATCH', `${IDENTITIES}/${identity}`, { revision, name: 'Eve Other' });
    },
    () => app.sql`update postal_addresses set lines = 'Elsewhere' where id = ${postal_address_id}`,
    () =>
      app.sql`update domains set name = 'x' || name where id = (select domain_id from identities where id = ${identity})`,
  ];
  for (const change of changes) {
    const { seen } = await checks(id);
    await change();
    expect((await start(id, { seen })).status).toBe(409);
    expect((await read(id)).state).toBe('draft');
  }
  expect((await activate(app.admin, id)).status).toBe(200);
});

test('hole A5: whoever says what they saw is refused where it is another; a body may say nothing, by a session and by a token', async () => {
  for (const by of [app.admin, wire]) {
    const { id } = await readyCampaign(app);
    const { seen } = await checks(id);
    await saveSteps(plain, id, [{ ...LETTER, text: 'Another' }]);
    expect((await start(id, { seen }, by)).status).toBe(409);
    expect((await start(id, {}, by)).body.campaign).toMatchObject({ state: 'active' });
  }
});

test('hole A5: review policy and confirmation are set for what was seen', async () => {
  const { id } = await readyCampaign(app);
  const { seen, revision, sequence_revision } = await read(id);
  await saveSteps(plain, id, [{ ...LETTER, text: 'Unread' }]);
  // Steps have a revision of their own: without what was seen the new ones would be the ones that the policy trusts.
  const policy = await app.admin.rest('PUT', `${at(id)}/review-policy`, {
    revision,
    review_policy: 'changed',
    seen,
  });
  expect(policy.status).toBe(409);
  const now = await read(id);
  expect(now).toMatchObject({ review_policy: 'every_letter', review_bound_revision: null });
  await plain.rest('PATCH', at(id), { revision, goal: 'another' });
  const confirmation = { confirmed: true, sequence_revision: sequence_revision + 1 };
  const confirm = (body: object) =>
    app.admin.rest('PUT', `${at(id)}/no-human-review`, { ...confirmation, ...body });
  expect((await confirm({ seen: now.seen })).status).toBe(409);
  expect((await read(id)).no_human_review).toBeNull();
  expect((await confirm({ seen: (await read(id)).seen })).status).toBe(200);
});

test('hole A5: people who are enrolled meanwhile make no change of review or pool unseen', async () => {
  const { id, identity_pool } = await readyCampaign(app);
  const { seen, revision } = await read(id);
  await enrolled(app, id);
  const put = (path: string, body: object) => app.admin.rest('PUT', `${at(id)}/${path}`, body);
  const policy = await put('review-policy', { revision, review_policy: 'every_letter', seen });
  expect(policy.status).toBe(200);
  const now = policy.body.campaign;
  await enrolled(app, id);
  const pool = await put('pool', { revision: now.revision, seen: now.seen, identity_pool });
  expect(pool.status).toBe(200);
});

test('hole A5: a pool takes identities as they were seen', async () => {
  const { id, revision, seen } = await newCampaign(app.admin, {
    postal_address_id: await aPostalAddress(app),
  });
  const identity = await anIdentity(app);
  const { identity: shown } = (await app.admin.rest('GET', `${IDENTITIES}/${identity}`)).body;
  await plain.rest('PATCH', `${IDENTITIES}/${identity}`, { revision: shown.revision, name: 'Eve Other' });
  const put = (entry: string) =>
    app.admin.rest('PUT', `${at(id)}/pool`, {
      revision,
      seen,
      identity_pool: [{ identity_id: identity, weight: 1, seen: entry }],
    });
  expect((await put(shown.seen)).status).toBe(409);
  expect((await read(id)).identity_pool).toEqual([]);
  const again = (await app.admin.rest('GET', `${IDENTITIES}/${identity}`)).body.identity;
  expect((await put(again.seen)).body.campaign.identity_pool).toEqual([{ identity_id: identity, weight: 1 }]);
});

test('hole A5: an identity is activated as it was seen', async () => {
  const { id } = await t.anIdentity();
  const { seen } = await t.readIdentity(id);
  await t.patch(id, { name: 'Eve Other' }, plain);
  const set = (body: object) => app.admin.rest('POST', `${IDENTITIES}/${id}/activate`, body);
  const refused = await set({ seen });
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('changed since you read it') } },
  });
  expect((await t.readIdentity(id)).active).toBe(false);
  expect((await set({ seen: (await t.readIdentity(id)).seen })).body.identity).toMatchObject({
    active: true,
  });
});

test('hole A5: a domain is resumed as it was seen: another pause in between refuses it', async () => {
  const domain = await t.active();
  await t.onDomain(domain.id, 'pause');
  const { seen } = await t.readDomain(domain.id);
  await t.wardenPauses(domain.id);
  const resume = (body: object) => app.admin.rest('POST', `${DOMAINS}/${domain.id}/resume`, body);
  expect((await resume({ seen })).status).toBe(409);
  expect(await t.readDomain(domain.id)).toMatchObject({ state: 'paused', paused_by: 'warden' });
  expect((await resume({ seen: (await t.readDomain(domain.id)).seen })).body.domain).toMatchObject({
    state: 'active',
  });
});
