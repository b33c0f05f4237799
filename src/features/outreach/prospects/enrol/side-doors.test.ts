// Owns the side doors to enrolling (domain.md §4.3, 10 and 11; people created, imported, tagged or filtered into a campaign):
// there is one way to enrol, and it needs wire.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aCampaign,
  aDesk,
  aLetter,
  O,
  somebody,
  type TestCampaign,
} from '../../../../../test/support/letters.ts';
import { openTestApp, type TestApp, type TokenClient } from '../../../../../test/support/app.ts';

let app: TestApp;
let token: TokenClient;
let campaign: TestCampaign;

beforeAll(async () => {
  app = await openTestApp();
  token = await app.token();
  campaign = await aCampaign(app, await aDesk(app));
});
afterAll(() => app.close());

const enrolledInto = (id: string) => app.sql`select 1 from prospects where campaign_id = ${id}`;

test('a prospect is not moved to another campaign: no route takes a campaign for one', async () => {
  const other = await aCampaign(app, await aDesk(app));
  const { prospect_id } = await aLetter(app, other);
  for (const [method, path, body] of [
    ['PATCH', `${O}/prospects/${prospect_id}`, { campaign_id: campaign.id }],
    ['POST', `${O}/prospects/${prospect_id}/hold`, { reason: 'x', campaign_id: campaign.id }],
    ['POST', `${O}/prospects/${prospect_id}/spine`, { stage: 'replied', campaign: campaign.id }],
  ] as const) {
    const answer = await token.rest(method, path, body);
    expect([400, 404, 405], `${method} ${path}`).toContain(answer.status);
  }
  expect(await enrolledInto(campaign.id)).toHaveLength(0);
});

test('no one is created, changed or imported into a campaign', async () => {
  const { id } = await somebody(app);
  const tries = [
    await token.rest('POST', '/api/admin/crm/people', { name: 'New', campaign: campaign.id }),
    await token.rest('POST', '/api/admin/crm/people', { name: 'New', stage: 'enrolled' }),
    await token.rest('PATCH', `/api/admin/crm/people/${id}`, { revision: 1, campaign_id: campaign.id }),
  ];
  expect(tries.map(({ status }) => status)).toEqual([400, 400, 400]);
  const file = `email,campaign,sequence\nnew@acme.example,${campaign.id},${campaign.id}\n`;
  const planned = await token.tool('people_import', { file, dry_run: true });
  expect(planned.isError, planned.text).toBe(false);
  const written = await token.tool('people_import', { file, dry_run: false });
  expect(written.json.batch_id, written.text).toBeTruthy();
  const mapped = await token.tool('people_import', {
    file,
    mapping: { campaign: 'campaign' },
    dry_run: true,
  });
  expect(mapped.isError, mapped.text).toBe(true);
  expect(await enrolledInto(campaign.id)).toHaveLength(0);
});

test('a segment that was enrolled once takes in no one who joins it later, and changing it enrols no one', async () => {
  const tag = 'joins-later';
  const made = await app.admin.rest('POST', '/api/admin/crm/segments', {
    name: tag,
    filter: { all: [{ field: 'tags', op: 'any', value: tag }] },
  });
  const { segment } = made.body;
  await app.admin.rest('POST', `${O}/campaigns/${campaign.id}/enrol`, { segment: segment.id });
  const { id } = await somebody(app);
  expect(
    (await token.rest('PATCH', `/api/admin/crm/people/${id}`, { revision: 1, tags: [tag] })).status,
  ).toBe(200);
  await token.rest('PATCH', `/api/admin/crm/segments/${segment.id}`, { filter: { all: [] }, revision: 1 });
  for (const pass of ['stepping', 'finishing', 'imports']) await app.instance.jobs.run(pass);
  expect(await enrolledInto(campaign.id)).toHaveLength(0);
  const audience = await token.rest('PATCH', `${O}/campaigns/${campaign.id}`, {
    revision: 1,
    segment: segment.id,
    people: [id],
  });
  expect(audience.status).toBe(400);
});

test('moving someone on the spine sends nothing and enrols no one', async () => {
  const { id } = await somebody(app);
  const answer = await token.tool('spine_move', { campaign: campaign.id, person_id: id, stage: 'contacted' });
  expect(answer.isError).toBe(true);
  expect(await enrolledInto(campaign.id)).toHaveLength(0);
});
