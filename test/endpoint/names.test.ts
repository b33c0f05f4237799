// Names where people use names, and times as people say them, over every entry point: what fits one record is that record, what
// fits several names them, and what a caller may not read is no candidate.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newItem, newProject } from '../support/board.ts';
import { newCampaign, O } from '../support/campaigns.ts';
import { CRM, newDeal } from '../support/crm.ts';
import { openTestApp, type PersonClient, type TestApp, type TokenClient } from '../support/app.ts';

let app: TestApp;
let agent: TokenClient;
let noor: PersonClient;
beforeAll(async () => {
  app = await openTestApp();
  agent = await app.token({ name: 'scout' });
  noor = await app.person({ name: 'Noor Haddad', email: 'noor@desk.example' });
});
afterAll(() => app?.close());

test('a campaign is found by its name, whole or in part, in any letter case', async () => {
  const { id } = await newCampaign(app.admin, { name: 'Ropeworks of the North' });
  for (const campaign of [id, 'Ropeworks of the North', 'ropeworks'])
    expect((await agent.tool('campaign_digest', { campaign })).json.campaign.campaign_id).toBe(id);
  const by = await app.admin.rest('GET', `${O}/stats?campaign=ropeworks`);
  expect(by.status, JSON.stringify(by.body)).toBe(200);
  const none = await agent.tool('campaign_digest', { campaign: 'Sailmakers' });
  expect(none.text).toBe(
    'campaign: no campaign you may read is called "Sailmakers": GET /api/admin/outreach/campaigns lists campaigns',
  );
});

test('a name that fits several gives the candidates, and the whole name of one is that one', async () => {
  const one = await newCampaign(app.admin, { name: 'Museums 1' });
  const ten = await newCampaign(app.admin, { name: 'Museums 10' });
  const several = await agent.tool('campaign_digest', { campaign: 'Museums' });
  expect(several.isError).toBe(true);
  expect(several.text).toMatch(/^campaign: "Museums" fits 2 campaigns: give the id of one, /);
  for (const { id } of [one, ten]) expect(several.text).toContain(id);
  const { result } = await agent.rpc('tools/call', {
    name: 'campaign_digest',
    arguments: { campaign: 'Museums' },
  });
  // Names are what others wrote: they are in a block of their own, as data.
  expect(JSON.parse(result.content[1].text)).toEqual({
    candidates: expect.arrayContaining([{ id: one.id, name: 'Museums 1' }]) as unknown,
  });
  expect((await agent.tool('campaign_digest', { campaign: 'museums 1' })).json.campaign.campaign_id).toBe(
    one.id,
  );
});

test('what cannot be undone is done to a record that was named whole', async () => {
  const { id } = await newCampaign(app.admin, { name: 'Glassblowers of Ghent' });
  const part = await app.admin.rest('DELETE', `${O}/campaigns/glassblowers`);
  expect([part.status, part.body.error.message]).toEqual([
    400,
    `campaign: "glassblowers" is not the whole name of a campaign: give its id, ${id}`,
  ]);
  expect((await app.admin.rest('GET', `${O}/campaigns/${id}`)).status).toBe(200);
});

test('a campaign that someone may not read is no candidate, and its name finds nothing', async () => {
  const open = await newCampaign(app.admin, { name: 'Harbor, open' });
  const shut = await newCampaign(app.admin, { name: 'Harbor, shut' });
  const statements = [
    { effect: 'deny', actions: ['outreach.campaign.read'], resources: [`outreach:campaign/${shut.id}`] },
  ];
  await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
  await app.admin.rest('POST', '/api/admin/policies', { name: 'no-shut', version: 1, statements });
  const kim = await app.person({ name: 'Kim', policies: ['read-all', 'no-shut'] });
  const digest = (campaign: string) =>
    kim.rest('GET', `/api/digests/campaign_digest?${new URLSearchParams({ campaign })}`);
  expect((await digest('Harbor')).body.campaign.campaign_id).toBe(open.id);
  expect((await digest('Harbor, shut')).status).toBe(404);
});

test('a card is found by its key where a tool takes an item, and item_id takes a UUID alone', async () => {
  const { key } = await newProject(app, { name: 'Ropewalk' });
  const { id, key: card } = await newItem(app.admin, key);
  expect((await agent.tool('work_get', { item: card.toLowerCase() })).json.item.id).toBe(id);
  expect((await agent.tool('work_move', { item: card, status: 'in_progress' })).json.item.status).toBe(
    'in_progress',
  );
  expect((await agent.tool('work_get', { item_id: card })).text).toBe('item_id must be a work item uuid');
  expect((await agent.tool('work_get', {})).text).toBe('item_id must be a work item uuid');
  const child = await agent.tool('work_create', { project: 'ropewalk', title: 'Twist', parent_id: card });
  expect(child.json.item.parent_id).toBe(id);
  // A board that someone does not see has no cards for them.
  const lee = await app.person({ name: 'Lee', projects: [] });
  const hidden = await lee.rest('PATCH', `/api/work/items/${id}`, { revision: 1, parent_id: card });
  expect(hidden.body.error.message).toMatch(/^parent_id: no work item you may read is called/);
});

test('whom something is given to is found by name or address', async () => {
  const { key } = await newProject(app);
  for (const assignee of ['Noor Haddad', 'noor', 'NOOR@desk.example']) {
    const { json } = await agent.tool('work_create', { project: key, title: 'Call', assignee });
    expect(json.item.assignee).toMatchObject({ kind: 'person', id: noor.id });
  }
  const found = await agent.tool('work_search', { project: key, assignee: 'haddad' });
  expect(found.json.items).toHaveLength(3);
  const nobody = await agent.tool('work_search', { assignee: 'Zed' });
  expect(nobody.text).toMatch(/^assignee: no assignee you may read is called "Zed": /);
  const person = await app.admin.rest('POST', `${CRM}/people`, {
    name: 'Ann Lee',
    owner: 'noor@desk.example',
  });
  expect(person.body.person.owner.id).toBe(noor.id);
});

test('a deal’s stage is found by its title', async () => {
  const deal = await newDeal(app.admin);
  const stages = (await app.admin.rest('GET', `${CRM}/pipeline`)).body.stages;
  const { key, title } = stages[1];
  const moved = await agent.tool('api_request', {
    method: 'PATCH',
    path: `${CRM}/deals/${deal.id}`,
    body: { revision: deal.revision, stage: title },
  });
  expect(moved.json.deal.stage).toBe(key);
});

test('times are taken as people say them, and a refusal states which ways there are', async () => {
  const since = async (said: string) => (await agent.tool('instance_digest', { since: said })).json.since;
  const now = app.clock.now();
  const today = `${now.toISOString().slice(0, 10)}T00:00:00.000Z`;
  const dayBefore = new Date(Date.parse(today) - 86_400_000).toISOString();
  expect(await since('yesterday')).toBe(dayBefore);
  expect(await since(dayBefore.slice(0, 10))).toBe(dayBefore);
  expect(now.getTime() - Date.parse(await since('7d'))).toBeLessThan(7 * 86_400_000 + 1);
  expect(now.getTime() - Date.parse(await since('7d'))).toBeGreaterThan(7 * 86_400_000 - 60_000);
  const { text } = await agent.tool('instance_digest', { since: 'last Monday' });
  expect(text).toBe(
    'since: give a time, 2026-11-16T09:00:00Z; a day, 2026-11-16; yesterday, today, tomorrow; or a span, 7d, 24h',
  );
  // What is changed looks ahead.
  const { key } = await newProject(app);
  const due = await agent.tool('work_create', { project: key, title: 'Later', due_on: '3d' });
  expect(due.json.item.due_on).toBe(new Date(now.getTime() + 3 * 86_400_000).toISOString().slice(0, 10));
  const bad = await agent.tool('work_create', { project: key, title: 'Later', due_on: '2026-02-31' });
  expect(bad.text).toBe('due_on: give a day, 2026-11-16; yesterday, today, tomorrow; or a span, 7d');
});
