// Covers what one person's record does: through the entry points, on a database of its own.
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

  test('no one is a person without a name and without an address', async () => {
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
    const token = await app.token({ mode: 'service', policies: ['not-her'] });
    const list = await token.rest('GET', `${PEOPLE}?query=zelda`);
    expect(list.body.items.map((each: any) => each.id)).toEqual([seen.id]);
    expect((await token.rest('GET', `${PEOPLE}/${hidden.id}`)).status).toBe(404);
    expect((await token.rest('GET', `${PEOPLE}/export?query=zelda`)).body).not.toContain(hidden.id);
    expect((await token.tool('people_search', { query: 'zelda' })).json.items).toHaveLength(1);
  });
});
