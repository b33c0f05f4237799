// Covers sample data through the entry points: it fills the screens, nothing of it can leave, and removing it leaves what was
// there before, row by row, whatever was done with it since. And of the first steps, which follow from what is there.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anIdentity, newCampaign } from '../../../../test/support/campaigns.ts';
import { fingerprint } from '../../../../test/support/fingerprint.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { aPerson } from '../../../../test/support/crm.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const get = async (path: string): Promise<any> => {
  const answer = await app.admin.rest('GET', path);
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
};
const make = () => app.admin.rest('POST', '/api/admin/samples', {});
const remove = () => app.admin.rest('DELETE', '/api/admin/samples');

async function samples<T>(work: () => Promise<T>): Promise<T> {
  expect((await make()).status).toBe(201);
  try {
    return await work();
  } finally {
    expect((await remove()).status).toBe(200);
  }
}

test('it fills every screen, and removing it leaves what was there before, row by row', async () => {
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  await aPerson(app);
  await newCampaign(app.admin);
  const before = await fingerprint(app);
  await samples(async () => {
    expect(await fingerprint(app)).not.toBe(before);
    for (const [path, at_least] of [
      ['/api/admin/crm/people?limit=200', 40],
      ['/api/admin/crm/companies?limit=200', 20],
      ['/api/admin/crm/deals', 8],
      ['/api/admin/outreach/campaigns', 2],
      ['/api/admin/outreach/domains', 1],
      ['/api/admin/outreach/identities', 1],
      ['/api/admin/outreach/sends?state=review', 6],
      ['/api/admin/outreach/sends?state=sent', 20],
      ['/api/inbox', 3],
      ['/api/work/items?project=SAMPLE', 14],
      ['/api/approvals', 1],
      ['/api/admin/outreach/suppressions', 1],
    ] as const)
      expect((await get(path)).items.length, path).toBeGreaterThanOrEqual(at_least);
    const { items: campaigns } = await get('/api/admin/outreach/campaigns');
    const { items: facts } = await get(`/api/admin/outreach/campaigns/${campaigns[0].id}/history`);
    expect(facts.map(({ kind }: { kind: string }) => kind)).toContain('activated');
    const { items } = await get('/api/inbox?limit=50');
    expect(new Set(items.map(({ reading }: { reading: string }) => reading)).size).toBeGreaterThan(2);
  });
  expect(await fingerprint(app)).toBe(before);
});

test('what was done with it goes with it, and what is real stays and only loses what it said of it', async () => {
  const before = await fingerprint(app);
  const mine = await samples(async () => {
    const { items: letters } = await get('/api/admin/outreach/sends?state=review');
    const { send } = await get(`/api/admin/outreach/sends/${letters[0].id}`);
    const approved = await app.admin.rest('POST', `/api/admin/outreach/sends/${send.id}/approve`, {
      fingerprint: send.fingerprint,
    });
    expect(approved.status, JSON.stringify(approved.body)).toBe(200);
    const { items: talks } = await get('/api/inbox');
    const answer = await app.admin.rest('POST', `/api/threads/${talks[0].id}/answers`, {
      text: 'Thank you.',
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const { items: cards } = await get('/api/work/items?project=SAMPLE&status=todo');
    const edited = await app.admin.rest('PATCH', `/api/work/items/${cards[0].id}`, {
      title: 'Mine now',
      revision: cards[0].revision,
    });
    expect(edited.status, JSON.stringify(edited.body)).toBe(200);
    await app.admin.rest('POST', `/api/work/items/${cards[0].id}/comments`, { text: 'Mine' });
    await app.admin.rest('POST', '/api/work/items', { project: 'SAMPLE', title: 'Made here' });
    const { items: people } = await get('/api/admin/crm/people?tag=newsletter');
    const kept = await app.admin.rest('POST', '/api/admin/crm/deals', {
      name: 'Real',
      person_id: people[0].id,
    });
    expect(kept.status, JSON.stringify(kept.body)).toBe(201);
    return kept.body.deal.id;
  });
  expect((await get(`/api/admin/crm/deals/${mine}`)).deal).toMatchObject({ name: 'Real' });
  await app.sql`delete from deals where id = ${mine}`;
  await app.sql`delete from event_deliveries`;
  expect(await fingerprint(app)).toBe(before);
});

test('nothing of it can leave: its sender is the sink, its addresses belong to no one, and no event waits', async () => {
  await samples(async () => {
    expect(await app.sql`select distinct transport_kind from identities`).toEqual([
      { transport_kind: 'sandbox' },
    ]);
    expect(await app.sql`select 1 from person_addresses where normalised not like '%.example'`).toEqual([]);
    expect(await app.sql`select 1 from sends where to_address not like '%.example'`).toEqual([]);
    expect(await app.sql`select 1 from event_deliveries`).toEqual([]);
  });
});

test('it is there once, and two who ask at once make one', async () => {
  const both = await Promise.all([make(), make()]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  const gone = await Promise.all([remove(), remove()]);
  expect(gone.map(({ status }) => status).sort()).toEqual([200, 404]);
});

test('where something of yours has its place it is refused in a sentence, with nothing written', async () => {
  await app.admin.rest('POST', '/api/work/projects', { key: 'SAMPLE', name: 'Mine' });
  const before = await fingerprint(app);
  expect(await make()).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  expect(await fingerprint(app)).toBe(before);
  await app.sql`delete from work_projects where key = 'SAMPLE'`;
});

test('an agent makes none of it and removes none of it', async () => {
  const token = await app.token({ scopes: { wire: true } });
  for (const method of ['POST', 'DELETE'])
    expect(
      await token.tool('api_request', {
        method,
        path: '/api/admin/samples',
        ...(method === 'POST' && { body: {} }),
      }),
    ).toMatchObject({ isError: true, text: expect.stringMatching(/^HTTP 403: /) });
});

test('the first steps say whether links in letters lead here from outside', async () => {
  const address = async (baseUrl: string) => {
    const own = await openTestApp({ baseUrl });
    const { body } = await own.admin.rest('GET', '/api/admin/start');
    await own.close();
    return body.address;
  };
  expect(await address('http://127.0.0.1:4400')).toEqual({
    base_url: 'http://127.0.0.1:4400',
    opens_outside: false,
  });
  expect(await address('https://desk.example')).toMatchObject({ opens_outside: true });
});

test('the first steps follow from what is there, what is made up counts for nothing, and each person puts them away', async () => {
  const own = await openTestApp();
  const steps = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await own.admin.rest('GET', '/api/admin/start')).body.steps.map(
        ({ key, state }: { key: string; state: string }) => [key, state],
      ),
    );
  const none = {
    domain: 'open',
    identity: 'open',
    postal_address: 'open',
    people: 'open',
    campaign: 'open',
    agent: 'open',
    mail: 'open',
    second_factor: 'open',
  };
  expect(await steps()).toEqual(none);
  await own.admin.rest('POST', '/api/admin/samples', {});
  expect(await steps()).toEqual(none);
  expect((await own.admin.rest('GET', '/api/admin/start')).body.samples).toBe(true);
  await anIdentity(own);
  await aPerson(own);
  await newCampaign(own.admin);
  const token = await own.token();
  expect(await steps()).toMatchObject({
    domain: 'begun',
    identity: 'done',
    people: 'done',
    campaign: 'begun',
    agent: 'begun',
    mail: 'open',
    second_factor: 'open',
  });
  await own.admin.rest('POST', '/api/admin/outreach/postal-addresses', {
    name: 'Office',
    lines: '1 Road\nGhent',
  });
  await own.sql`update users set totp_secret = 'x', totp_confirmed_at = now() where id = ${own.admin.id}`;
  expect(await steps()).toMatchObject({ postal_address: 'done', second_factor: 'done' });
  await own.sql`update users set totp_secret = null, totp_confirmed_at = null where id = ${own.admin.id}`;
  await token.tool('work_search', { query: 'x' });
  expect(await steps()).toMatchObject({ agent: 'done' });
  const eve = await own.person({ admin: true });
  await own.admin.rest('POST', '/api/admin/start/dismiss', { dismissed: true });
  expect((await own.admin.rest('GET', '/api/admin/start')).body.dismissed).toBe(true);
  expect((await eve.rest('GET', '/api/admin/start')).body.dismissed).toBe(false);
  await own.admin.rest('POST', '/api/admin/start/dismiss', { dismissed: false });
  expect((await own.admin.rest('GET', '/api/admin/start')).body.dismissed).toBe(false);
  await own.close();
});
