// A campaign's policy made stricter: no letter that nobody has read goes on as if somebody had (domain.md §1.2).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestHouse, type TestHouse } from '../../../test/support/house.ts';
import {
  aCampaign,
  aDesk,
  aLetter,
  approved,
  type Desk,
  O,
  readSend,
} from '../../../test/support/letters.ts';

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
