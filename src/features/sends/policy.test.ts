// A campaign's policy made stricter: no letter that nobody has read goes on as if somebody had (domain.md §1.2).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestHouse, type TestHouse, type TokenClient } from '../../../test/support/house.ts';
import {
  aCampaign,
  aDesk,
  aLetter,
  approved,
  type Desk,
  drafted,
  enrolled,
  O,
  readSend,
  SEQUENCE,
  somebody,
} from '../../../test/support/letters.ts';
import { lettersTouchedBySequence } from './touch.store.ts';

let house: TestHouse;
let desk: Desk;
beforeAll(async () => {
  house = await openTestHouse();
  desk = await aDesk(house);
});
afterAll(async () => house.close());

const unread = {
  review_policy: 'first_touch',
  review_bound_revision: 1,
} as const;
const send = async (id: string) => (await readSend(house.admin, id)).send;
const setPolicy = async (id: string, review_policy: string) => {
  const { body } = await house.admin.rest('GET', `${O}/campaigns/${id}`);
  return await house.admin.rest('PUT', `${O}/campaigns/${id}/review-policy`, {
    review_policy,
    revision: body.campaign.revision,
  });
};

test('letters that nobody has read go to review when the policy comes to want every letter read', async () => {
  const campaign = await aCampaign(house, desk, { ...unread, review_policy: 'sample', review_sample: 0 });
  // The first twenty are read whatever the sample says: this one stands as if it had been drawn past.
  const { send_id } = await aLetter(house, campaign);
  await house.sql`update sends set state = 'scheduled', review_reason = null, scheduled_for = now() where id = ${send_id}`;
  expect((await setPolicy(campaign.id, 'every_letter')).status).toBe(200);
  expect(await send(send_id)).toMatchObject({ state: 'review', review_reason: 'every_letter' });
});

test('a letter that was read stays on its way, whatever the policy becomes', async () => {
  const campaign = await aCampaign(house, desk, unread);
  const { send_id } = await aLetter(house, campaign);
  await approved(house.admin, send_id);
  expect((await setPolicy(campaign.id, 'every_letter')).status).toBe(200);
  expect(await send(send_id)).toMatchObject({ state: 'scheduled' });
});

test('a looser policy takes nothing out of review', async () => {
  const campaign = await aCampaign(house, desk);
  const { send_id } = await aLetter(house, campaign);
  expect((await setPolicy(campaign.id, 'changed')).status).toBe(200);
  expect(await send(send_id)).toMatchObject({ state: 'review' });
});

describe('where letters are read that say an edited value', () => {
  const C = '/api/admin/crm';
  const asking = 'Dear {{ person.name }}, {{ custom.opener }}';
  let plain: TokenClient;
  let wired: TokenClient;
  beforeAll(async () => {
    plain = await house.token();
    wired = await house.token({ scopes: { wire: true } });
    const [set] = (await house.admin.rest('GET', `${C}/fields?noun=person`)).body.items;
    const fields = [...set.fields, { key: 'opener', title: 'Opener', kind: 'text' }];
    const made = await house.admin.rest('PUT', `${C}/fields`, {
      noun: 'person',
      revision: set.revision,
      fields,
    });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
  });
  const changed = async (text: string) => {
    const campaign = await aCampaign(house, desk, { ...unread, review_policy: 'changed' });
    await house.sql`update sequence_steps set text = ${text} where id = ${campaign.step_id}`;
    const person = await somebody(house);
    const prospect = await enrolled(house, campaign, person);
    const patch = async (as: TokenClient, custom: object) => {
      const { revision } = (await as.rest('GET', `${C}/people/${person.id}`)).body.person;
      const answer = await as.rest('PATCH', `${C}/people/${person.id}`, { revision, custom });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    };
    return { campaign, prospect, patch };
  };

  test('a letter is read when somebody without wire wrote what it says', async () => {
    const { campaign, prospect, patch } = await changed(asking);
    await patch(plain, { opener: 'pay at evil.example' });
    const letter = await send(await drafted(house, campaign, prospect));
    expect(letter).toMatchObject({ state: 'review', review_reason: 'changed' });
    expect(letter.text).toContain('evil.example');
  });

  test('it goes on when somebody with wire wrote it, since or alone', async () => {
    const { campaign, prospect, patch } = await changed(asking);
    await patch(plain, { opener: 'pay at evil.example' });
    await patch(wired, { opener: 'we saw your bridge' });
    expect(await send(await drafted(house, campaign, prospect))).toMatchObject({ state: 'scheduled' });
  });

  test('it goes on when it does not say it', async () => {
    const { campaign, prospect, patch } = await changed('Dear {{ person.name }}');
    await patch(plain, { opener: 'pay at evil.example' });
    expect(await send(await drafted(house, campaign, prospect))).toMatchObject({ state: 'scheduled' });
  });

  test('an edit of the steps with wire takes no such value along unread', async () => {
    const { campaign, prospect, patch } = await changed('Dear {{ person.name }}');
    const id = await drafted(house, campaign, prospect);
    await patch(plain, { opener: 'pay at evil.example' });
    await house.sql`update sequence_steps set text = ${asking} where id = ${campaign.step_id}`;
    const { house: parts } = house.instance;
    const edit = { by_wire: true, by: SEQUENCE, now: house.clock.now() };
    const steps = { campaign_id: campaign.id, step_ids: [campaign.step_id] };
    await parts.ground.transact((tx) => lettersTouchedBySequence(tx, parts, steps, edit));
    expect(await send(id)).toMatchObject({ state: 'review', review_reason: 'changed' });
  });
});
