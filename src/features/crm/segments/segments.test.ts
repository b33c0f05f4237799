// Covers segments and of the filters of the list, which are made of the same conditions: through the entry points.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, openTestApp, type PersonClient, type TestApp } from '../../../../test/support/app.ts';
import { ADMIN } from '../../../../test/support/plans.ts';
import { peopleOfSegment, segmentAfter } from './store.ts';

let app: TestApp;
let admin: PersonClient;
let company: any;
const PEOPLE = '/api/admin/crm/people';
const SEGMENTS = '/api/admin/crm/segments';

beforeAll(async () => {
  app = await openTestApp();
  admin = app.admin;
  const set = (await admin.rest('GET', '/api/admin/crm/fields?noun=person')).body.items[0];
  const fields = [
    { key: 'seats', title: 'Seats', kind: 'number' },
    { key: 'plan', title: 'Plan', kind: 'select', options: ['free', 'paid'] },
    { key: 'likes', title: 'Likes', kind: 'multiselect', options: ['tea', 'rum'] },
    { key: 'since', title: 'Since', kind: 'date' },
    { key: 'beta', title: 'Beta', kind: 'bool' },
    { key: 'nick', title: 'Nick', kind: 'text' },
  ];
  await admin.rest('PUT', '/api/admin/crm/fields', { noun: 'person', revision: set.revision, fields });
  company = (
    await admin.rest('POST', '/api/admin/crm/companies', { name: 'Wren Works', domain: 'wren.example' })
  ).body.company;
  const people = [
    {
      name: 'Ann Lee',
      title: 'Chief Buyer',
      company_id: company.id,
      country: 'DE',
      language: 'de',
      source: 'fair',
      basis: 'consent',
      owner: 'me',
      tags: ['vip', 'fair'],
      addresses: [{ value: 'ann@wren.example' }, { value: 'ann@home.example' }],
      custom: {
        seats: 12,
        plan: 'paid',
        likes: ['tea', 'rum'],
        since: '2025-05-01',
        beta: true,
        nick: "A'n",
      },
    },
    {
      name: 'Bo Ray',
      country: 'AT',
      basis: 'customer',
      tags: ['fair'],
      addresses: [{ value: 'bo@other.example' }],
      custom: { seats: 3, plan: 'free', likes: ['tea'], since: '2026-01-01', beta: false },
    },
    { name: 'Cy Moe' },
  ];
  for (const person of people) {
    const answer = await admin.rest('POST', PEOPLE, person);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  }
  await admin.rest('POST', '/api/admin/outreach/suppressions', { domain: 'other.example', reason: 'legal' });
});
afterAll(async () => {
  await app?.close();
});

let count = 0;
const saved = (filter: unknown): Promise<Answer> =>
  admin.rest('POST', SEGMENTS, { name: `Segment ${++count}`, filter });
const namesOf = (answer: Answer): string[] => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.items.map((each: any) => each.name.split(' ')[0]);
};

const c = (field: string, op: string, value?: unknown) => ({
  field,
  op,
  ...(value !== undefined && { value }),
});

describe('a segment has whom its filter says', () => {
  const CASES: [string, object, string[]][] = [
    ['words of a name', { all: [c('name', 'contains', 'an')] }, ['Ann']],
    ['words of a title, not of a name', { all: [c('title', 'contains', 'ann')] }, []],
    ['not those words', { all: [c('name', 'contains_not', 'an')] }, ['Bo', 'Cy']],
    ['words of a company', { all: [c('company', 'contains', 'wren')] }, ['Ann']],
    ['no company', { all: [c('company', 'not_set')] }, ['Bo', 'Cy']],
    ['a domain, in any case', { all: [c('email_domain', 'is', 'WREN.example')] }, ['Ann']],
    ['not a domain', { all: [c('email_domain', 'is_not', ['wren.example', 'other.example'])] }, ['Cy']],
    ['no address', { all: [c('has_address', 'is', false)] }, ['Cy']],
    ['any of these tags', { all: [c('tags', 'any', ['vip', 'none'])] }, ['Ann']],
    ['all of these tags', { all: [c('tags', 'all', ['vip', 'fair'])] }, ['Ann']],
    ['none of these tags', { all: [c('tags', 'none', 'vip')] }, ['Bo', 'Cy']],
    ['no tag', { all: [c('tags', 'not_set')] }, ['Cy']],
    ['a country', { all: [c('country', 'is', ['DE', 'AT'])] }, ['Ann', 'Bo']],
    ['another country, or none', { all: [c('country', 'is_not', 'DE')] }, ['Bo', 'Cy']],
    ['a language', { all: [c('language', 'is', 'de')] }, ['Ann']],
    ['a source', { all: [c('source', 'is', 'fair')] }, ['Ann']],
    ['a basis', { all: [c('basis', 'is_not', 'none')] }, ['Ann', 'Bo']],
    ['an owner', { all: [c('owner', 'set')] }, ['Ann']],
    ['never verified', { all: [c('verdict', 'not_set')] }, ['Ann', 'Bo', 'Cy']],
    ['suppressed, by the domain', { all: [c('suppressed', 'is', true)] }, ['Bo']],
    ['not suppressed', { all: [c('suppressed', 'is', false)] }, ['Ann', 'Cy']],
    ['created after', { all: [c('created', 'after', '2020-01-01')] }, ['Ann', 'Bo', 'Cy']],
    ['updated before', { all: [c('updated', 'before', '2020-01-01T00:00:00Z')] }, []],
    ['a number, less', { all: [c('custom.seats', 'less', 10)] }, ['Bo']],
    ['a number, more', { all: [c('custom.seats', 'more', 2.5)] }, ['Ann', 'Bo']],
    ['one of the options', { all: [c('custom.plan', 'is', ['paid'])] }, ['Ann']],
    ['not one of the options', { all: [c('custom.plan', 'is_not', 'paid')] }, ['Bo', 'Cy']],
    ['all of the options', { all: [c('custom.likes', 'all', ['tea', 'rum'])] }, ['Ann']],
    ['a date after', { all: [c('custom.since', 'after', '2025-12-31')] }, ['Bo']],
    ['false, and not unsaid', { all: [c('custom.beta', 'is', false)] }, ['Bo']],
    ['a text with a quote', { all: [c('custom.nick', 'is', "A'n")] }, ['Ann']],
    ['any of the conditions', { any: [c('country', 'is', 'AT'), c('tags', 'not_set')] }, ['Bo', 'Cy']],
    ['all of the conditions', { all: [c('country', 'set'), c('suppressed', 'is', false)] }, ['Ann']],
  ];
  test.each(CASES)('%s', async (_says, filter, expected) => {
    const answer = await saved(filter);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const { segment } = answer.body;
    expect(segment).toMatchObject({ filter, count: expected.length, fault: null, revision: 1 });
    expect(namesOf(await admin.rest('GET', `${SEGMENTS}/${segment.id}/people`))).toEqual(expected);
    expect(namesOf(await admin.rest('GET', `${PEOPLE}?segment=${segment.id}`))).toEqual(expected);
  });
});

test('every fault of a filter is named at once, and nothing is saved', async () => {
  const answer = await saved({
    all: [
      c('nose', 'is', 'big'),
      c('country', 'contains', 'DE'),
      c('country', 'is', 'Germany'),
      c('custom.seats', 'less', 'ten'),
      c('custom.gone', 'is', 1),
      c('title', 'set', 'x'),
      c('__proto__', 'is', 'x'),
      c('country', 'constructor', 'x'),
      c('name', 'contains', '!!!'),
    ],
  });
  expect(answer.status).toBe(400);
  expect(Object.keys(answer.body.error.details.fields).sort()).toEqual([
    'filter.all.0.field',
    'filter.all.1.op',
    'filter.all.2.value',
    'filter.all.3.value',
    'filter.all.4.field',
    'filter.all.5.value',
    'filter.all.6.field',
    'filter.all.7.op',
    'filter.all.8.value',
  ]);
  for (const filter of [{}, { all: [] }, { all: [c('name', 'contains', 'x')], any: [] }, 'all', null])
    expect((await saved(filter)).status).toBe(400);
});

test('no value of a condition is a fault', async () => {
  const values = [
    "'; drop table people; --",
    '%',
    '\\',
    '\u0001',
    '﷽',
    1e308,
    -0,
    true,
    [],
    {},
    [[]],
    'x'.repeat(201),
  ];
  for (const field of ['name', 'country', 'email_domain', 'created', 'custom.seats', 'custom.nick'])
    for (const op of ['contains', 'is', 'any', 'less', 'after'])
      for (const value of values)
        expect((await saved({ all: [c(field, op, value)] })).status, `${field} ${op}`).toBeLessThan(500);
});

test('a segment is changed against the revision that was read, has a name of its own, and can be deleted', async () => {
  const one = (await saved({ all: [c('country', 'is', 'DE')] })).body.segment;
  const two = (await saved({ all: [c('country', 'is', 'AT')] })).body.segment;
  const change = (body: object) => admin.rest('PATCH', `${SEGMENTS}/${two.id}`, { revision: 1, ...body });
  expect((await change({ name: one.name.toUpperCase() })).status).toBe(409);
  const changed = (await change({ name: 'Two', filter: { all: [c('country', 'set')] } })).body.segment;
  expect(changed).toMatchObject({ name: 'Two', count: 2, revision: 2 });
  expect((await change({ name: 'Late' })).body.error.message).toContain('current revision is 2');
  expect((await admin.rest('DELETE', `${SEGMENTS}/${two.id}`)).status).toBe(200);
  expect((await admin.rest('GET', `${SEGMENTS}/${two.id}/people`)).status).toBe(404);
});

test('of two segments of one name in one moment one exists', async () => {
  const filter = { all: [c('country', 'set')] };
  const both = await Promise.all([1, 2].map(() => admin.rest('POST', SEGMENTS, { name: 'Twice', filter })));
  expect(both.map((each) => each.status).sort()).toEqual([201, 409]);
});

test('the people of a segment are paged by key, and enrolment reads them in portions by id', async () => {
  const { segment } = (await saved({ all: [c('created', 'after', '2020-01-01')] })).body;
  const seen: string[] = [];
  let cursor = '';
  do {
    const page: any = (await admin.rest('GET', `${SEGMENTS}/${segment.id}/people?limit=1${cursor}`)).body;
    seen.push(...page.items.map((each: any) => each.id));
    cursor = page.next_cursor && `&cursor=${page.next_cursor}`;
  } while (cursor);
  expect(seen).toHaveLength(3);
  const ids: string[] = [];
  await app.sql.begin(async (tx) => {
    const loaded = await segmentAfter(tx, segment.id);
    let after: string | null = null;
    for (;;) {
      const portion: string[] = await peopleOfSegment(tx, ADMIN, loaded, after, 2, app.clock.now());
      if (portion.length === 0) break;
      ids.push(...portion);
      after = portion.at(-1) ?? null;
    }
  });
  expect(ids).toEqual(seen.toSorted());
});

test('a segment whose custom field went has no one, and says why', async () => {
  const { segment } = (await saved({ any: [c('custom.plan', 'is', 'paid'), c('country', 'is', 'DE')] })).body;
  const set = (await admin.rest('GET', '/api/admin/crm/fields?noun=person')).body.items[0];
  const fields = set.fields.filter((each: any) => each.key !== 'plan');
  const body = { noun: 'person', revision: set.revision, fields, drop_values: true };
  expect((await admin.rest('PUT', '/api/admin/crm/fields', body)).status).toBe(200);
  const listed = (await admin.rest('GET', SEGMENTS)).body.items.find((each: any) => each.id === segment.id);
  expect(listed.count).toBe(0);
  expect(listed.fault).toContain('no field has that name');
  expect((await admin.rest('GET', `${SEGMENTS}/${segment.id}/people`)).status).toBe(409);
});

describe('the filters of the list', () => {
  const CASES: [string, string[]][] = [
    ['query=ann', ['Ann']],
    ['query=wren', ['Ann']],
    ['query=other.example', ['Bo']],
    ['query=!!!', []],
    ['address=ANN@home.example', ['Ann']],
    ['address=nobody@home.example', []],
    ['address=nonsense', []],
    ['tag=vip,none', ['Ann']],
    ['country=DE,AT', ['Ann', 'Bo']],
    ['owner=none', ['Bo', 'Cy']],
    ['owner=me,none', ['Ann', 'Bo', 'Cy']],
    ['suppressed=true', ['Bo']],
    ['suppressed=false', ['Ann', 'Cy']],
    ['has_address=false', ['Cy']],
    ['verdict=none', ['Ann', 'Bo', 'Cy']],
    ['verdict=RISKY', []],
    ['country=DE,AT&suppressed=false&tag=fair', ['Ann']],
    ['sort=created', ['Cy', 'Bo', 'Ann']],
    ['sort=updated', ['Cy', 'Bo', 'Ann']],
  ];
  test.each(CASES)('%s', async (query, expected) => {
    expect(namesOf(await admin.rest('GET', `${PEOPLE}?${query}`))).toEqual(expected);
  });

  test('a moment that is none, or that no calendar has, is refused', async () => {
    for (const at of ['0000-01-01T00:00:00Z', '0000-01-01', '2026-02-30', 'someday', '2026-01-01T25:00:00Z'])
      expect((await admin.rest('GET', `${PEOPLE}?created_after=${at}`)).status, at).toBe(400);
    expect((await saved({ all: [c('created', 'after', '0000-01-01T00:00:00Z')] })).status).toBe(400);
  });

  test('one company', async () => {
    expect(namesOf(await admin.rest('GET', `${PEOPLE}?company=${company.id}`))).toEqual(['Ann']);
  });

  test('a service token is no one, and cannot ask for its own', async () => {
    const token = await app.token({ mode: 'service', policies: ['crm-editor'] });
    expect((await token.rest('GET', `${PEOPLE}?owner=me`)).status).toBe(400);
  });

  test('pages in every order have everyone once', async () => {
    for (const sort of ['name', 'updated', 'created']) {
      const seen: string[] = [];
      let cursor = '';
      do {
        const page: any = (await admin.rest('GET', `${PEOPLE}?sort=${sort}&limit=1${cursor}`)).body;
        seen.push(...page.items.map((each: any) => each.id));
        cursor = page.next_cursor && `&cursor=${page.next_cursor}`;
      } while (cursor);
      expect(new Set(seen).size).toBe(3);
      expect(seen).toHaveLength(3);
    }
  });
});
