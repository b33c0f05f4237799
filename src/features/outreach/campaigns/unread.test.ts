// Fields of a campaign that nothing reads yet: what is so is taken, and anything more is refused with the reason.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newCampaign, O } from '../../../../test/support/campaigns.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const patch = (id: string, body: unknown) => app.admin.rest('PATCH', `${O}/campaigns/${id}`, body);

test.each([
  ['tracking', { opens: true }, 'tracking.opens'],
  ['tracking', { opens: false, links: true }, 'tracking.links'],
  ['channel_mix', ['email', 'sms'], 'channel_mix.1'],
])('what nothing reads is refused in a sentence: %s = %j', async (field, value, at) => {
  const { id, revision } = await newCampaign(app.admin);
  const answer = await patch(id, { revision, [field]: value });
  expect(answer.status).toBe(400);
  expect(answer.body.error.details.fields[at]).toContain('this can only be');
  const modest = await patch(id, { revision, tracking: { opens: false }, channel_mix: ['email'] });
  expect(modest.status).toBe(200);
  expect(modest.body.campaign).not.toHaveProperty('tracking');
  expect(modest.body.campaign).not.toHaveProperty('channel_mix');
});
