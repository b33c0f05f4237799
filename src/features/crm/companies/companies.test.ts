// Covers companies: through the entry points.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, openTestApp, type PersonClient, type TestApp } from '../../../../test/support/app.ts';

let app: TestApp;
let admin: PersonClient;
const COMPANIES = '/api/admin/crm/companies';
const PEOPLE = '/api/admin/crm/people';

beforeAll(async () => {
  app = await openTestApp();
  admin = app.admin;
});
afterAll(async () => {
  await app?.close();
});

const make = (body: object): Promise<Answer> => admin.rest('POST', COMPANIES, body);
const namesOf = (answer: Answer): string[] => answer.body.items.map((each: { name: string }) => each.name);

test('a company has what was given, its domain as it is in an address', async () => {
  const { status, body } = await make({
    name: 'Bücher & Co',
    domain: 'Bücher.Example.',
    country: 'DE',
    size: '11–50',
  });
  expect(status).toBe(201);
  expect(body.company).toMatchObject({
    domain: 'xn--bcher-kva.example',
    people: 0,
    revision: 1,
    size: '11–50',
  });
  expect((await admin.rest('GET', `${COMPANIES}/${body.company.id}`)).body).toEqual(body);
  for (const query of ['domain=BÜCHER.example', 'query=büch'])
    expect(namesOf(await admin.rest('GET', `${COMPANIES}?${query}`))).toEqual(['Bücher & Co']);
});

test('a domain belongs to one company, also of two that want it in one moment', async () => {
  const both = await Promise.all(['One', 'Two'].map((name) => make({ name, domain: 'race.example' })));
  expect(both.map((each) => each.status).sort()).toEqual([201, 409]);
  const winner = both.find((each) => each.status === 201)!.body.company;
  const loser = both.find((each) => each.status === 409)!.body.error;
  expect(loser.details.company).toEqual({ id: winner.id, name: winner.name });
  const other = (await make({ name: 'Three', domain: 'three.example' })).body.company;
  const taken = await admin.rest('PATCH', `${COMPANIES}/${other.id}`, {
    revision: 1,
    domain: 'race.example',
  });
  expect(taken.status).toBe(409);
});

test('every fault is a sentence that names its field', async () => {
  for (const body of [
    { name: 'X', domain: 'not a domain' },
    { name: 'X', domain: 'localhost' },
    { name: 'X', timezone: 'Mars/Olympus' },
    { name: 'X', timezone: '+02:00' },
    { name: 'X', country: 'de' },
    { name: 'X', custom: { nothing: 1 } },
  ]) {
    const answer = await make(body);
    expect(answer.status, JSON.stringify(body)).toBe(400);
    expect(Object.keys(answer.body.error.details.fields)[0]).toMatch(
      /^(domain|timezone|country|custom\.nothing)$/,
    );
  }
});

test('a change needs the revision that was read; a new name is what its people are found by', async () => {
  const { company } = (await make({ name: 'Old Mill' })).body;
  const { person } = (await admin.rest('POST', PEOPLE, { name: 'Works There', company_id: company.id })).body;
  const change = (body: object) =>
    admin.rest('PATCH', `${COMPANIES}/${company.id}`, { revision: 1, ...body });
  const changed = (await change({ name: 'New Forge' })).body.company;
  expect(changed).toMatchObject({ name: 'New Forge', revision: 2, people: 1 });
  expect((await change({ size: '5' })).body.error.message).toContain('current revision is 2');
  expect(namesOf(await admin.rest('GET', `${PEOPLE}?query=forge`))).toEqual(['Works There']);
  expect(namesOf(await admin.rest('GET', `${PEOPLE}?query=mill`))).toEqual([]);
  expect(namesOf(await admin.rest('GET', `${PEOPLE}?query=works`))).toEqual(['Works There']);
  expect((await admin.rest('GET', `${PEOPLE}/${person.id}`)).body.person.company.name).toBe('New Forge');
});

test('a company that is deleted leaves its people, without one and not found by its name', async () => {
  const { company } = (await make({ name: 'Closing Down' })).body;
  const { person } = (await admin.rest('POST', PEOPLE, { name: 'Left Over', company_id: company.id })).body;
  expect((await admin.rest('DELETE', `${COMPANIES}/${company.id}`)).status).toBe(200);
  expect((await admin.rest('GET', `${PEOPLE}/${person.id}`)).body.person).toMatchObject({
    company_id: null,
    company: null,
  });
  expect(namesOf(await admin.rest('GET', `${PEOPLE}?query=closing`))).toEqual([]);
  expect((await admin.rest('GET', `${COMPANIES}/${company.id}`)).status).toBe(404);
});

test('lists are paged by key, by name and by newest change', async () => {
  for (const sort of ['name', 'updated']) {
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body }: Answer = await admin.rest('GET', `${COMPANIES}?sort=${sort}&limit=2${cursor}`);
      seen.push(...body.items.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor && `&cursor=${body.next_cursor}`;
    } while (cursor);
    const [row] = await app.sql<{ count: number }[]>`select count(*)::int as count from companies`;
    expect(new Set(seen).size).toBe(row?.count);
    expect(seen).toHaveLength(row?.count ?? 0);
  }
});
