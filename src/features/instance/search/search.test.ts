// The search over everything, through its entry point: each kind by its own right, in one request, and through indexes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newItem, newProject } from '../../../../test/support/board.ts';
import { newCampaign, O } from '../../../../test/support/campaigns.ts';
import { CRM, newDeal } from '../../../../test/support/crm.ts';
import { openTestApp, type RestClient, type TestApp } from '../../../../test/support/app.ts';
import { aTalk, inboxDesk } from '../../../../test/support/inbox.ts';
import { ADMIN, openPlans, scansIn } from '../../../../test/support/plans.ts';
import { findCampaigns } from '../../outreach/campaigns/search.store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

type Row = { kind: string; id: string; title: string; says: string; place: string };

async function found(query: string, by: RestClient = app.admin): Promise<Row[]> {
  const { status, body } = await by.rest('GET', `/api/search?${new URLSearchParams({ query })}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items;
}
const kinds = (rows: Row[]): string[] => rows.map(({ kind }) => kind);

test('one request finds people, companies, campaigns, deals, conversations and work items by their words', async () => {
  const desk = await inboxDesk(app);
  const given = { name: 'Quill Zephyr', addresses: [{ value: 'quill@zephyr.example' }] };
  const person = (await app.admin.rest('POST', `${CRM}/people`, given)).body.person.id;
  await app.admin.rest('POST', `${CRM}/companies`, { name: 'Zephyr & Sons' });
  const campaign = await newCampaign(app.admin, { name: 'Über Zephyr' });
  await newDeal(app.admin, { name: 'Forty zephyr seats' });
  const project = await newProject(app);
  const item = await newItem(app.admin, project.key, { title: 'Call the zephyr people' });
  await aTalk(app, desk, 'Ann Zephyr');

  const rows = await found('zeph');
  expect(kinds(rows)).toEqual(
    expect.arrayContaining(['person', 'company', 'campaign', 'deal', 'thread', 'item']),
  );
  expect(rows).toContainEqual(
    expect.objectContaining({ kind: 'person', title: 'Quill Zephyr', place: `/people/${person}` }),
  );
  expect(rows.find(({ kind }) => kind === 'item')?.place).toBe(`/work/${project.key}/${item.key}`);
  expect(kinds(await found('über zeph'))).toEqual(['campaign']);

  // What a campaign is found by is the name that it has now.
  const { id, revision } = campaign;
  const renamed = await app.admin.rest('PATCH', `${O}/campaigns/${id}`, { revision, name: 'Mistral' });
  expect(renamed.status, JSON.stringify(renamed.body)).toBe(200);
  expect(kinds(await found('über zeph'))).toEqual([]);
  expect(kinds(await found('mistral'))).toEqual(['campaign']);
});

test('whoever may not read a kind finds none of it, and no more is said of it', async () => {
  const member = await app.person();
  expect(new Set(kinds(await found('zeph', member)))).toEqual(new Set(['thread', 'item']));
  const nobody = await app.token({ mode: 'service', policies: [] });
  expect((await nobody.rest('GET', '/api/search?query=zeph')).status).toBe(403);
});

test('a campaign that someone may not read takes no place of one that they may', async () => {
  await newCampaign(app.admin, { name: 'Simoom, open' });
  app.clock.advance(1_000);
  const shut = [
    await newCampaign(app.admin, { name: 'Simoom, shut' }),
    await newCampaign(app.admin, { name: 'Simoom, too' }),
  ];
  const resources = shut.map(({ id }) => `outreach:campaign/${id}`);
  const statements = [{ effect: 'deny', actions: ['outreach.campaign.read'], resources }];
  await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
  const made = await app.admin.rest('POST', '/api/admin/policies', {
    name: 'kept',
    version: 1,
    statements,
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const kim = await app.person({ name: 'Kim', policies: ['read-all', 'kept'] });
  const asked = async (by: RestClient) =>
    (await by.rest('GET', '/api/search?query=simoom&limit=1')).body.items.map(({ title }: Row) => title);
  expect(await asked(kim)).toEqual(['Simoom, open']);
  expect(await asked(app.admin)).not.toEqual(['Simoom, open']);
});

test('what is no word finds nothing, and an empty question is refused in a sentence', async () => {
  expect(await found('%%%')).toEqual([]);
  for (const query of ['', '\0', 'x'.repeat(201)]) {
    const { status } = await app.admin.rest('GET', `/api/search?${new URLSearchParams({ query })}`);
    expect(status).toBe(400);
  }
});

test('campaigns are found through an index at 100,000 of them', async () => {
  const plans = await openPlans('generic');
  try {
    await plans.seed(`
      insert into campaigns (id, name, name_key, search, state, timezone, created_by_kind, created_by_id, created_by_name,
          created_at, updated_at)
        select gen_random_uuid(), 'Campaign ' || n, 'campaign ' || n, array_to_tsvector(array['campaign', 'word' || n]),
          'draft', 'UTC', 'person', 'x', 'X', now(), now() - n * interval '1 minute'
        from generate_series(1, 100000) n`);
    for (const words of ["'word17':*", "'campaign':*"])
      expect(scansIn(await plans.ofRead(() => findCampaigns(plans.sql, ADMIN, words, 7)), [])).toEqual([]);
  } finally {
    await plans.close();
  }
});
