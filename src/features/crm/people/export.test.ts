// Covers the export: what is in it, that no cell is a formula to a spreadsheet (J6), who may have it, and what
// the audit log keeps of it.
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type PersonClient, type TestApp } from '../../../../test/support/app.ts';
import { csvCell } from '../../../kernel/csv.ts';

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

const made = async (body: object): Promise<any> => (await admin.rest('POST', PEOPLE, body)).body.person;
const rowsOf = (text: string): Record<string, string>[] =>
  parse(text, { bom: true, columns: true, relax_column_count: false });

async function exported(query = ''): Promise<Response> {
  return fetch(`${app.url}${PEOPLE}/export${query}`, {
    headers: { cookie: admin.cookie, origin: app.url },
  });
}

test('has everyone with every field, as a file in UTF-8 that says so', async () => {
  const person = await made({
    name: 'Zoë "Zo" Lee, PhD',
    title: 'Line one\nline two',
    country: 'DE',
    tags: ['a', 'b'],
    addresses: [{ value: 'zoe@example.com' }, { value: 'z@example.com' }],
  });
  const answer = await exported();
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="people-\d{4}-\d\d-\d\d\.csv"$/,
  );
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(rowsOf(bytes.toString('utf8'))).toMatchObject([
    {
      id: person.id,
      name: 'Zoë "Zo" Lee, PhD',
      title: 'Line one\nline two',
      email: 'zoe@example.com',
      other_emails: 'z@example.com',
      tags: 'a; b',
      suppressed: '',
    },
  ]);
});

test('no cell begins a formula, whatever field it came from (J6)', async () => {
  const evil = ['=HYPERLINK("http://evil.example")', '+1+1', '-2', '@SUM(A1)', '=cmd|x'];
  for (const text of evil)
    await made({ name: text, title: text, source: text, tags: [text], basis_note: text });
  const rows = rowsOf(await (await exported('?tag=%3DHYPERLINK(%22http%3A%2F%2Fevil.example%22)')).text());
  expect(rows).toHaveLength(1);
  for (const cell of Object.values(rows[0]!)) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
  expect(rows[0]!['name']).toBe(`'${evil[0]}`);
  for (const text of ['=1', '+1', '-1', '@a', '\ta', '\ra'])
    expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/);
  expect(['plain', 'a=b', '', null].map(csvCell)).toEqual(['plain', 'a=b', '', '']);
});

describe('by filter', () => {
  test('those of the list, and a segment', async () => {
    await made({ name: 'Filter One', country: 'SE' });
    await made({ name: 'Filter Two', country: 'SE', tags: ['only'] });
    const filter = { all: [{ field: 'tags', op: 'any', value: 'only' }] };
    const { segment } = (await admin.rest('POST', '/api/admin/crm/segments', { name: 'Only', filter })).body;
    expect(rowsOf(await (await exported('?country=SE')).text())).toHaveLength(2);
    const few = rowsOf(await (await exported(`?country=SE&segment=${segment.id}`)).text());
    expect(few.map((each) => each['name'])).toEqual(['Filter Two']);
    expect((await exported('?colour=red')).status).toBe(400);
  });

  test('more than one portion of rows are all there once, by name', async () => {
    await app.sql`
      insert into people (id, name, name_key, country, search, created_by_kind, created_by_id, created_by_name, created_at, updated_at)
      select gen_random_uuid(), 'Bulk ' || n, 'bulk ' || n % 7, 'NO', '', 'person', 'x', 'X', now(), now() from generate_series(1, 1203) n`;
    const rows = rowsOf(await (await exported('?country=NO')).text());
    expect(new Set(rows.map((each) => each['id'])).size).toBe(1203);
    expect(rows).toHaveLength(1203);
  });
});

test('who exported how many by which filter is in the audit log; words that were looked for are not', async () => {
  await exported('?country=SE&query=secretword');
  const [row] = (await admin.rest('GET', '/api/admin/audit?act=person_export&limit=1')).body.items;
  expect(row).toMatchObject({ outcome: 'done', principal: { id: admin.id } });
  expect(row.sentence).toBe('0 people as CSV, by query country=SE');
});

test('needs its own right, and a request tool is told what to read instead', async () => {
  const editor = await app.token({ mode: 'service', policies: ['crm-editor', 'read-all'] });
  const refused = await editor.rest('GET', `${PEOPLE}/export`);
  expect(refused.body.error.code).toBe('policy_denied');
  const agent = await app.token();
  const told = await agent.tool('api_request', { method: 'GET', path: `${PEOPLE}/export` });
  expect(told).toMatchObject({ isError: true });
  expect(told.text).toContain('GET /api/admin/crm/people');
});
