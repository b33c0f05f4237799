// Owns the proof of what one person's record does: through the doors, on a database of its own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  openTestHouse,
  type PersonClient,
  type TestHouse,
} from '../../../test/support/house.ts';

let house: TestHouse;
let admin: PersonClient;
const PEOPLE = '/api/admin/crm/people';

beforeAll(async () => {
  house = await openTestHouse();
  admin = house.admin;
});
afterAll(async () => {
  await house?.close();
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

describe('a record', () => {
  test('has every field that was given, and answers it again', async () => {
    const company = (await admin.rest('POST', '/api/admin/crm/companies', { name: 'Lark & Sons' })).body
      .company;
    const person = await made({
      given: 'Ann',
      family: 'Lee',
      title: 'Head of Sales',
      company_id: company.id,
      addresses: [
        { value: 'Ann.Lee@Lark.example', kind: 'work' },
        { value: 'ann@home.example', kind: 'personal', primary: true },
      ],
      phone: '030 123456',
      country: 'DE',
      language: 'de',
      timezone: 'Europe/Berlin',
      links: ['https://lark.example/ann'],
      source: 'fair',
      basis: 'consent',
      basis_note: 'Card handed over',
      tags: ['vip', 'vip', 'fair'],
      owner: 'me',
    });
    expect(person).toMatchObject({
      name: 'Ann Lee',
      company: { id: company.id, name: 'Lark & Sons' },
      phone: '+4930123456',
      tags: ['vip', 'fair'],
      owner: { id: admin.id, name: admin.name },
      suppressed: null,
      revision: 1,
      addresses: [
        { value: 'ann@home.example', kind: 'personal', primary: true, verification: null },
        { value: 'Ann.Lee@Lark.example', kind: 'work', primary: false, verification: null },
      ],
    });
    expect((await admin.rest('GET', `${PEOPLE}/${person.id}`)).body.person).toEqual(person);
  });

  test('every bad field is named at once, and nothing is written', async () => {
    const answer = await admin.rest('POST', PEOPLE, {
      name: 'X',
      company_id: '0198c0de-0000-7000-8000-00000000dead',
      owner: '0198c0de-0000-7000-8000-00000000dead',
      ...mail('not an address', 'two@example.com', 'TWO@example.com'),
    });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details.fields).sort()).toEqual([
      'addresses.0.value',
      'addresses.2.value',
      'company_id',
      'owner',
    ]);
    expect((await admin.rest('GET', `${PEOPLE}?address=two@example.com`)).body.items).toEqual([]);
  });

  test('nobody is a person without a name and without an address', async () => {
    expect((await admin.rest('POST', PEOPLE, { title: 'CEO' })).status).toBe(400);
    const person = await made(mail('only@example.com'));
    expect((await patch(person, { addresses: [] })).status).toBe(400);
  });

  test('what a program may not say of a person is refused: their id, whether they are suppressed, who made them (J7)', async () => {
    const person = await made({ name: 'Plain' });
    for (const stray of [
      { id: person.id },
      { suppressed: null },
      { created_by: null },
      { created_at: '2020-01-01T00:00:00Z' },
      { policies: ['read-all'] },
    ])
      expect((await patch(person, stray)).status, JSON.stringify(stray)).toBe(400);
    const verified = await patch(person, {
      addresses: [{ value: 'p@example.com', verification: { verdict: 'DELIVERABLE' } }],
    });
    expect(verified.status).toBe(400);
  });

  test('no text is a fault, whatever it is made of', async () => {
    for (const name of [
      'ﷺ'.repeat(200),
      '"\\'.repeat(100),
      '\u0001'.repeat(3),
      '=1+1',
      '𠀀'.repeat(100),
      '㌀'.repeat(200),
    ]) {
      const answer = await admin.rest('POST', PEOPLE, { name, title: name });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    }
    const first = await admin.rest('GET', `${PEOPLE}?limit=1`);
    let cursor = first.body.next_cursor;
    while (cursor) {
      const next: Answer = await admin.rest('GET', `${PEOPLE}?limit=1&cursor=${encodeURIComponent(cursor)}`);
      expect(next.status, JSON.stringify(next.body)).toBe(200);
      cursor = next.body.next_cursor;
    }
  });
});

describe('addresses', () => {
  test('a taken one is refused, naming who has it to whoever may read them', async () => {
    const holder = await made({ name: 'Holder', ...mail('taken@example.com') });
    const answer = await admin.rest('POST', PEOPLE, { name: 'Other', ...mail('Taken@EXAMPLE.com') });
    expect(answer.status).toBe(409);
    expect(answer.body.error.message).toContain(holder.id);
    expect(answer.body.error.details.person).toEqual({ id: holder.id, name: 'Holder' });
    const service = await house.token({ mode: 'service', policies: [await makers()] });
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
    const [row] = await house.sql`
      select count(*)::int as count, count(distinct normalised)::int as spellings from person_addresses where normalised like 'swap-%'`;
    expect(row!['count']).toBe(row!['spellings']);
  });

  test('what stays keeps its kind, its place as the primary one and what its verification said', async () => {
    const person = await made({ name: 'Keep', ...mail('k1@example.com', 'k2@example.com') });
    await house.sql`
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

describe('changes', () => {
  test('need the revision that was read, and the refusal names the current one', async () => {
    const person = await made({ name: 'Rev' });
    expect((await patch(person, { title: 'A' })).body.person.revision).toBe(2);
    const stale = await patch(person, { title: 'B' });
    expect(stale.status).toBe(409);
    expect(stale.body.error.message).toContain('current revision is 2');
  });

  test('are facts with who, from what and to what; what changes nothing is none', async () => {
    const person = await made({ name: 'Fact', title: 'Old', tags: ['a'] });
    const same = await patch(person, { title: 'Old', tags: ['a'] });
    expect(same.body.person.revision).toBe(1);
    await patch(person, { title: 'New', country: 'AT' });
    const [changed, created] = await factsOf(person.id);
    expect(changed).toMatchObject({
      kind: 'changed',
      by: { kind: 'person', id: admin.id },
      details: {
        changes: [
          { field: 'title', from: 'Old', to: 'New' },
          { field: 'country', from: null, to: 'AT' },
        ],
      },
    });
    expect(created.kind).toBe('created');
  });

  test('a name that is made of its parts follows them, one that was written does not', async () => {
    const parts = await made({ given: 'Ann', family: 'Lee' });
    const married = (await patch(parts, { family: 'Ray' })).body.person;
    expect(married.name).toBe('Ann Ray');
    const named = (await patch(married, { name: 'Dr Ray' })).body.person;
    expect((await patch(named, { family: 'Lo' })).body.person.name).toBe('Dr Ray');
  });

  test('custom values are those of the fields that people have', async () => {
    const set = (await admin.rest('GET', '/api/admin/crm/fields?noun=person')).body.items[0];
    await admin.rest('PUT', '/api/admin/crm/fields', {
      noun: 'person',
      revision: set.revision,
      fields: [{ key: 'seats', title: 'Seats', kind: 'number' }],
    });
    const person = await made({ name: 'Custom', custom: { seats: 12 } });
    const bad = await patch(person, { custom: { seats: 'many', rank: 1 } });
    expect(Object.keys(bad.body.error.details.fields).sort()).toEqual(['custom.rank', 'custom.seats']);
    expect((await patch(person, { custom: { seats: null } })).body.person.custom).toEqual({});
  });
});

describe('notes and the timeline', () => {
  test('are read newest first and paged by key', async () => {
    const person = await made({ name: 'Noted' });
    for (const text of ['one', 'two', 'three'])
      expect((await admin.rest('POST', `${PEOPLE}/${person.id}/notes`, { text })).body.note).toMatchObject({
        kind: 'note',
        text,
        by: { id: admin.id },
      });
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = (await admin.rest('GET', `${PEOPLE}/${person.id}/timeline?limit=1${cursor}`)).body;
      seen.push(page.items[0].text ?? page.items[0].kind);
      cursor = page.next_cursor && `&cursor=${page.next_cursor}`;
    } while (cursor);
    expect(seen).toEqual(['three', 'two', 'one', 'created']);
  });
});

describe('rights', () => {
  test('a list leaves out whom policies deny one by one, and their record is not there', async () => {
    const seen = await made({ name: 'Zelda Seen' });
    const hidden = await made({ name: 'Zelda Hidden' });
    await admin.rest('POST', '/api/admin/policies', {
      name: 'not-her',
      version: 1,
      statements: [
        { effect: 'allow', actions: ['crm.person.*'], resources: ['*'] },
        {
          effect: 'deny',
          actions: ['crm.person.read', 'crm.person.export'],
          resources: [`crm:person/${hidden.id}`],
        },
      ],
    });
    const token = await house.token({ mode: 'service', policies: ['not-her'] });
    const list = await token.rest('GET', `${PEOPLE}?query=zelda`);
    expect(list.body.items.map((each: any) => each.id)).toEqual([seen.id]);
    expect((await token.rest('GET', `${PEOPLE}/${hidden.id}`)).status).toBe(404);
    expect((await token.rest('GET', `${PEOPLE}/export?query=zelda`)).body).not.toContain(hidden.id);
    expect((await token.tool('people_search', { query: 'zelda' })).json.items).toHaveLength(1);
  });
});
