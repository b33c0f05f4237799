// Checks that an address belongs to one person, whoever else wants it and when: through the entry points.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, openTestApp, type PersonClient, type TestApp } from '../../../../test/support/app.ts';

let app: TestApp;
let admin: PersonClient;
const PEOPLE = '/api/admin/crm/people';

beforeAll(async () => {
  app = await openTestApp();
  admin = app.admin;
});
afterAll(async () => {
  await app?.close();
});

async function made(body: Record<string, unknown>): Promise<any> {
  const answer = await admin.rest('POST', PEOPLE, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.person;
}
const patch = (person: { id: string; revision: number }, body: Record<string, unknown>): Promise<Answer> =>
  admin.rest('PATCH', `${PEOPLE}/${person.id}`, { revision: person.revision, ...body });
const mail = (...values: string[]) => ({ addresses: values.map((value) => ({ value })) });
const factsOf = async (id: string): Promise<any[]> =>
  (await admin.rest('GET', `${PEOPLE}/${id}/timeline`)).body.items;

describe('addresses', () => {
  test('a taken one is refused, naming who has it to whoever may read them', async () => {
    const holder = await made({ name: 'Holder', ...mail('taken@example.com') });
    const answer = await admin.rest('POST', PEOPLE, { name: 'Other', ...mail('Taken@EXAMPLE.com') });
    expect(answer.status).toBe(409);
    expect(answer.body.error.message).toContain(holder.id);
    expect(answer.body.error.details.person).toEqual({ id: holder.id, name: 'Holder' });
    const service = await app.token({ mode: 'service', policies: [await makers()] });
    const blind = await service.rest('POST', PEOPLE, { name: 'Other', ...mail('taken@example.com') });
    expect(blind.status).toBe(409);
    expect(JSON.stringify(blind.body)).not.toContain(holder.id);
    expect(JSON.stringify(blind.body)).not.toContain('Holder');
  });

  async function makers(): Promise<string> {
    const answer = await admin.rest('POST', '/api/admin/policies', {
      name: 'makers',
      version: 1,
      statements: [{ effect: 'allow', actions: ['crm.person.create'], resources: ['*'] }],
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return 'makers';
  }

  test('of two who want one address in the same moment one has it, and the other hears who', async () => {
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        ['A', 'B', 'C'].map((name) =>
          admin.rest('POST', PEOPLE, {
            name,
            ...mail(`race${round}@example.com`, `${name}${round}@example.com`),
          }),
        ),
      );
      expect(answers.map((each) => each.status).sort()).toEqual([201, 409, 409]);
      const winner = answers.find((each) => each.status === 201)?.body.person;
      for (const loser of answers.filter((each) => each.status === 409))
        expect(loser.body.error.details.person.id).toBe(winner.id);
    }
  });

  test('two who swap their addresses in the same moment end with one holder each', async () => {
    const one = await made({ name: 'One', ...mail('swap-a@example.com') });
    const two = await made({ name: 'Two', ...mail('swap-b@example.com') });
    const answers = await Promise.all([
      patch(one, mail('swap-b@example.com')),
      patch(two, mail('swap-a@example.com')),
    ]);
    for (const answer of answers) expect([200, 409]).toContain(answer.status);
    const [row] = await app.sql`
      select count(*)::int as count, count(distinct normalised)::int as spellings from person_addresses where normalised like 'swap-%'`;
    expect(row!['count']).toBe(row!['spellings']);
  });

  test('what stays keeps its kind, its place as the primary one and what its verification said', async () => {
    const person = await made({ name: 'Keep', ...mail('k1@example.com', 'k2@example.com') });
    await app.sql`
      update person_addresses set verdict = 'DELIVERABLE', verdict_reason = 'mailbox_confirmed', rungs = '[{"rung":"syntax"}]', verified_at = now()
      where normalised = 'k2@example.com'`;
    const answer = await patch(person, {
      addresses: [
        { value: 'new@example.com' },
        { value: 'K2@example.com', kind: 'other' },
        { value: 'k1@example.com' },
      ],
    });
    expect(answer.status).toBe(200);
    expect(answer.body.person.addresses).toMatchObject([
      { value: 'k1@example.com', primary: true },
      { value: 'new@example.com', primary: false, verification: null },
      {
        value: 'K2@example.com',
        kind: 'other',
        verification: { verdict: 'DELIVERABLE', rungs: [{ rung: 'syntax' }] },
      },
    ]);
    const [listed] = (await admin.rest('GET', `${PEOPLE}?address=k2@example.com`)).body.items;
    expect(listed.addresses[2].verification).not.toHaveProperty('rungs');
    expect((await factsOf(person.id)).map((fact) => [fact.kind, fact.details.address])).toEqual([
      ['address_added', 'new@example.com'],
      ['created', undefined],
    ]);
  });

  test('two primary ones are refused, and a primary one that goes leaves the first in its place', async () => {
    const two = [
      { value: 'x1@example.com', primary: true },
      { value: 'x2@example.com', primary: true },
    ];
    expect((await admin.rest('POST', PEOPLE, { addresses: two })).status).toBe(400);
    const person = await made({ name: 'P', ...mail('x1@example.com', 'x2@example.com') });
    const { body } = await patch(person, mail('x2@example.com'));
    expect(body.person.addresses).toMatchObject([{ value: 'x2@example.com', primary: true }]);
  });
});
