// Files as people really have them: encodings, delimiters, line endings, headings of many tools, workbooks; and those that are
// no list, each refused with one sentence (domain.md §1.9).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { base64, csv, give, list, planAndWrite, planOf, ROUTE } from './support.ts';
import { bomb, workbook } from './workbook.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(async () => app?.close());
beforeEach(async () => {
  await app.sql`truncate people, companies, import_previews, import_batches, import_rows, suppressions cascade`;
});

const people = () => app.sql`
  select p.name, p.given, p.family, array(select a.value from person_addresses a where a.person_id = p.id order by a.position) as addresses
  from people p order by p.name_key collate "C", p.id`;

const ZOE = { name: 'Zoë Müller', given: 'Zoë', family: 'Müller', addresses: ['zoe@list.example'] };
const TEXT = csv(['E-Mail', 'Vorname', 'Nachname'], [['zoe@list.example', 'Zoë', 'Müller']]);

const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();

describe('encodings', () => {
  test.each<[string, Buffer, string]>([
    ['UTF-8', Buffer.from(TEXT), 'utf-8'],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${TEXT}`), 'utf-8'],
    ['UTF-16 little-endian with its mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le'), 'utf-16le'],
    ['UTF-16 big-endian with its mark', swapped(Buffer.from(`\ufeff${TEXT}`, 'utf16le')), 'utf-16be'],
    ['UTF-16 without its mark', Buffer.from(TEXT, 'utf16le'), 'utf-16le'],
    ['Windows-1252', Buffer.from(TEXT, 'latin1'), 'windows-1252'],
  ])('%s', async (_, bytes, encoding) => {
    const plan = await planOf(app.admin, { file_base64: base64(bytes) });
    expect(plan.format.encoding).toBe(encoding);
    await planAndWrite(app.admin, { file_base64: base64(bytes) });
    expect(await people()).toEqual([ZOE]);
  });
});

describe('delimiters, quotes and line endings', () => {
  test.each([',', ';', '\t', '|'])('%j is found', async (delimiter) => {
    const rows = Array.from({ length: 5 }, (_, i) => [`p${i}@list.example`, 'Lee, Ann; B', 'One|two']);
    const plan = await planOf(app.admin, { file: csv(['Email', 'Job title', 'Notes'], rows, delimiter) });
    expect(plan.format.delimiter).toBe(delimiter);
    expect(plan.totals.create).toBe(5);
  });

  test('the line by which Excel names it is followed', async () => {
    const plan = await planOf(app.admin, {
      file: 'sep=|\r\nEmail|Name\r\na@list.example|x, y; z\r\n',
    });
    expect(plan.format.delimiter).toBe('|');
    expect(plan.totals.create).toBe(1);
  });

  test('line breaks within quotes, doubled quotes, lone quotes, carriage returns, empty lines and trailing commas', async () => {
    const file =
      '\r\nEmail,First name,Last name,,\r\n' +
      'a@list.example,"Ann\r\nMarie","O""Neil",,\r\n' +
      ',,,,\r\n' +
      '\r\n' +
      'b@list.example,Bo 5" Bob,Lee\r\n' +
      'c@list.example,=HYPERLINK("http://x.example"),+1,too,many,cells\r\n';
    const { rows } = (await planOf(app.admin, { file })).preview;
    expect(rows).toBe(3);
    await planAndWrite(app.admin, { file });
    const found = await people();
    expect(found.map(({ given }) => given)).toEqual([
      '=HYPERLINK("http://x.example")',
      'Ann\nMarie',
      'Bo 5" Bob',
    ]);
    expect(found[1]?.['family']).toBe('O"Neil');
  });

  test('old Mac line endings', async () => {
    expect((await planOf(app.admin, { file: list(3).replaceAll('\n', '\r') })).totals.create).toBe(3);
  });

  test('characters that no text may have, in headings and in the cells shown beside them', async () => {
    const file = '\ufeffE-Mail\0,Vor\u0001name,Note\0\nzoe@list.example,Z\0oë,a\0b\u0007c\n';
    const plan = await planOf(app.admin, { file_base64: base64(Buffer.from(file, 'utf16le')) });
    const shown = plan.columns.map((column: { name: string; samples: string[] }) => [
      column.name,
      column.samples,
    ]);
    expect(shown).toEqual([
      ['E-Mail', ['zoe@list.example']],
      ['Vorname', ['Zoë']],
      ['Note', ['abc']],
    ]);
  });

  test('two hundred columns, doubled and empty headings', async () => {
    const headings = [
      'Email',
      'Email',
      '',
      'Name',
      'Name',
      ...Array.from({ length: 195 }, (_, i) => `Column ${i}`),
    ];
    const cells = [
      'a@list.example',
      'b@list.example',
      '',
      'Ann Lee',
      'other',
      ...Array.from({ length: 195 }, () => 'x'),
    ];
    const plan = await planOf(app.admin, { file: csv(headings, [cells]) });
    expect(plan.totals.create).toBe(1);
    expect(plan.columns[4]).toMatchObject({ field: null, why: '"Name" gives the name already' });
    expect(plan.columns[3].samples).toEqual(['Ann Lee']);
    expect(plan.columns_in_all).toBe(200);
    expect(JSON.stringify(plan).length).toBeLessThan(48_000);
    await planAndWrite(app.admin, { file: csv(headings, [cells]) });
    expect(await people()).toMatchObject([
      { name: 'Ann Lee', addresses: ['a@list.example', 'b@list.example'] },
    ]);
  });
});

describe('lists from other tools', () => {
  test.each<[string, string[], string[], Record<string, unknown>]>([
    [
      'HubSpot',
      [
        'Record ID',
        'First Name',
        'Last Name',
        'Email',
        'Phone Number',
        'Contact owner',
        'Lead Status',
        'Marketing contact status',
        'Primary Associated Company',
        'Country/Region',
      ],
      ['1', 'Ann', 'Lee', 'a@list.example', '+49 30 1234567', 'me', 'NEW', 'Marketing', 'Acme', 'Germany'],
      { given: 'Ann', family: 'Lee', country: 'DE' },
    ],
    [
      'Salesforce',
      [
        'Salutation',
        'First Name',
        'Last Name',
        'Title',
        'Account Name',
        'Mailing Country',
        'Email',
        'Email Opt Out',
        'Contact ID',
      ],
      ['Ms', 'Ann', 'Lee', 'Buyer', 'Acme', 'DE', 'a@list.example', '0', '003'],
      { title: 'Buyer', country: 'DE' },
    ],
    [
      'Pipedrive',
      [
        'Person - Name',
        'Person - Organization',
        'Person - Email - Work',
        'Person - Phone - Work',
        'Person - Label',
        'Person - Owner',
      ],
      ['Ann Lee', 'Acme', 'a@list.example', '1', 'vip', 'me'],
      { given: 'Ann', family: 'Lee', tags: ['vip'] },
    ],
    [
      'Mailchimp',
      ['Email Address', 'First Name', 'Last Name', 'MEMBER_RATING', 'OPTIN_TIME', 'LEID', 'EUID', 'TAGS'],
      ['a@list.example', 'Ann', 'Lee', '2', '2026-01-01', '1', 'x', '"a","b"'],
      { given: 'Ann' },
    ],
    [
      'Google Contacts',
      [
        'First Name',
        'Last Name',
        'Organization Name',
        'Organization Title',
        'Labels',
        'E-mail 1 - Label',
        'E-mail 1 - Value',
        'E-mail 2 - Value',
        'Phone 1 - Value',
      ],
      [
        'Ann',
        'Lee',
        'Acme',
        'Buyer',
        'Friends ::: * myContacts',
        'Work',
        'a@list.example',
        'b@list.example',
        '1',
      ],
      { title: 'Buyer', tags: ['Friends', 'myContacts'] },
    ],
    [
      'Outlook',
      [
        'First Name',
        'Last Name',
        'Company',
        'Job Title',
        'E-mail Address',
        'E-mail 2 Address',
        'Business Phone',
        'Categories',
      ],
      ['Ann', 'Lee', 'Acme', 'Buyer', 'a@list.example', '', '1', 'vip'],
      { title: 'Buyer', tags: ['vip'] },
    ],
    [
      'LinkedIn',
      ['First Name', 'Last Name', 'URL', 'Email Address', 'Company', 'Position', 'Connected On'],
      ['Ann', 'Lee', 'https://www.linkedin.com/in/ann', 'a@list.example', 'Acme', 'Buyer', '01 Mar 2026'],
      { title: 'Buyer', links: ['https://www.linkedin.com/in/ann'] },
    ],
    [
      'Apollo',
      [
        'First Name',
        'Last Name',
        'Title',
        'Company',
        'Email',
        'Email Status',
        'Email Confidence',
        'Website',
        'Person Linkedin Url',
        'Stage',
        'Contact Owner',
      ],
      [
        'Ann',
        'Lee',
        'Buyer',
        'Acme',
        'a@list.example',
        'Verified',
        '',
        'https://www.acme.example/x',
        'http://linkedin.com/in/ann',
        'Cold',
        'me',
      ],
      { title: 'Buyer' },
    ],
    [
      'a German list',
      ['Anrede', 'Vollständiger Name', 'Firma', 'Funktion', 'E-Mail-Adresse', 'Land', 'Sprache'],
      ['Frau', 'Ann von der Lee', 'Acme', 'Einkauf', 'a@list.example', 'Österreich', 'Deutsch'],
      { given: 'Ann', family: 'von der Lee', country: 'AT', language: 'de' },
    ],
    [
      'a French list',
      ['Prénom', 'Nom', 'Société', 'Adresse e-mail', 'Pays'],
      ['Ann', 'Lee', 'Acme', 'a@list.example', 'Allemagne'],
      { given: 'Ann', family: 'Lee', country: 'DE' },
    ],
  ])('%s', async (_, headings, cells, expected) => {
    await planAndWrite(app.admin, { file: csv(headings, [cells]) });
    const [person] =
      await app.sql`select p.*, (select a.value from person_addresses a where a.person_id = p.id and a.is_primary) as address from people p`;
    expect(person).toMatchObject({ address: 'a@list.example', ...expected });
    expect(person!['owner']).toBeNull();
  });

  test('several addresses in one cell, and names before them', async () => {
    const file = csv(['Email', 'Name'], [['Ann Lee <ann@list.example>; ann.b@list.example', 'Lee, Ann']]);
    await planAndWrite(app.admin, { file });
    expect(await people()).toEqual([
      {
        name: 'Lee, Ann',
        given: 'Ann',
        family: 'Lee',
        addresses: ['ann@list.example', 'ann.b@list.example'],
      },
    ]);
  });

  test('rows that no one can be made of are rejected, with row, column and reason', async () => {
    const file = csv(
      ['Name', 'Mail'],
      [
        ['A', 'a@list.example'],
        ['B', 'b at list.example'],
        ['C', ''],
        ['D', 'A@LIST.example'],
      ],
    );
    const plan = await planOf(app.admin, { file });
    expect(plan.totals).toMatchObject({ create: 1, skip: 1, reject: 2 });
    expect(plan.examples.reject).toMatchObject([
      { row: 3, column: 'Mail' },
      { row: 4, column: null, reason: 'the row has no address, and people are known by theirs' },
    ]);
    expect(plan.examples.skip).toMatchObject([{ row: 5, reason: 'row 2 has the same address' }]);
  });
});

describe('workbooks', () => {
  test('days, formulas, numbers and errors are read as they are shown', async () => {
    await app.admin.rest('PUT', '/api/admin/crm/fields', {
      noun: 'person',
      revision: (await app.admin.rest('GET', '/api/admin/crm/fields?noun=person')).body.items[0].revision,
      fields: [
        { key: 'born', title: 'Born', kind: 'date' },
        { key: 'points', title: 'Points', kind: 'number' },
      ],
    });
    const bytes = workbook([
      ['Email', 'Name', 'Born', 'Points', 'Phone', 'Job title'],
      [
        'a@list.example',
        'Ann Lee',
        { day: 46083 },
        0.1 + 0.2,
        493012345678,
        { formula: 'CONCAT("x")', value: '=1+1' },
      ],
      ['b@list.example', 'Bob', null, { formula: '1/0', value: 3 }, null, { error: '#N/A' }],
    ]);
    const plan = await planOf(app.admin, { file_base64: base64(bytes) });
    expect(plan.format.kind).toBe('xlsx');
    await planAndWrite(app.admin, { file_base64: base64(bytes) });
    const rows = await app.sql`select name, custom, phone, title from people order by name`;
    expect(rows[0]).toMatchObject({
      name: 'Ann Lee',
      custom: { born: '2026-03-02', points: 0.3 },
      title: '=1+1',
      phone: '493012345678',
    });
    expect(rows[1]).toMatchObject({ custom: { points: 3 } });
  });

  test.each<[string, Buffer]>([
    ['a bomb that says how large it is', bomb(110 * 1024 * 1024, 110 * 1024 * 1024)],
    ['a bomb that lies', bomb(110 * 1024 * 1024, 10)],
  ])('%s is refused', async (_, bytes) => {
    expect(bytes.length).toBeLessThan(1_000_000);
    const answer = await give(app.admin, { file_base64: base64(bytes) });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain('unpacks to more than 50 times its size');
  });
});

describe('what is no list is refused with one sentence', () => {
  test.each<[string, Buffer, string]>([
    ['an empty file', Buffer.alloc(0), 'is empty'],
    ['a file of empty lines', Buffer.from('\n\n ,,\n'), 'is empty'],
    ['column names alone', Buffer.from('Email,Name\n'), 'no rows'],
    ['no column names', Buffer.from('a@list.example,Ann\nb@list.example,Bob\n'), 'row of column names'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'is not a list'],
    ['a workbook of before 2007', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'before 2007'],
    ['another archive', Buffer.from('504b0304140000000000', 'hex'), 'workbook can’t be read'],
    ['half a workbook', workbook([['Email'], ['a@list.example']]).subarray(0, 900), 'workbook can’t be read'],
    ['a quote that is never closed', Buffer.from('Email,Name\na@list.example,"Ann\n'), 'never closed'],
    ['a mark that lies', Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0xfe, 0x41]), 'isn’t'],
  ])('%s', async (_, bytes, says) => {
    const answer = await give(app.admin, { file_base64: base64(bytes) });
    expect(answer.status, JSON.stringify(answer.body)).toBe(400);
    expect(answer.body.error.message).toContain(says);
    expect(answer.body.error.message.length).toBeLessThan(300);
  });

  test.each([
    ['no file at all', {}],
    ['a file twice', { file: 'Email\na@list.example', file_base64: 'RQ==' }],
    ['no base64', { file_base64: 'Email!' }],
    ['a column that is not there', { file: list(1), mapping: { Nothing: 'email' } }],
    ['a field twice', { file: list(1), mapping: { 'First Name': 'name', 'Last Name': 'name' } }],
  ])('%s', async (_, args) => {
    expect((await give(app.admin, args)).status).toBe(400);
  });
});

describe('a file from the screen', () => {
  const send = (form: FormData, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(app.url + ROUTE, {
      method: 'POST',
      body: form,
      headers: { cookie: app.admin.cookie, origin: app.url, ...headers },
    });
  const form = (file: string | Buffer, args?: unknown): FormData => {
    const made = new FormData();
    if (args !== undefined) made.set('arguments', typeof args === 'string' ? args : JSON.stringify(args));
    made.set('file', new Blob([file as never]), 'people.csv');
    return made;
  };

  test('by multipart: the plan, and the write by JSON or multipart of the same bytes', async () => {
    const file = list(1_200);
    const plan = await send(form(file, { source: 'fair' }));
    expect(plan.status).toBe(200);
    expect(((await plan.json()) as { totals: { create: number } }).totals.create).toBe(1_200);
    const asText = await send(form(file, { source: 'fair', dry_run: 'false' }));
    expect(((await asText.json()) as { dry_run: boolean }).dry_run).toBe(true);
    const sent = await send(form(file, { source: 'fair', dry_run: false }));
    const written = (await sent.json()) as { rows: number; batch_id: string };
    expect(written.rows).toBe(1_200);
    await app.instance.jobs.run('imports');
    expect(await app.sql`select count(*)::int as count, min(source) as source from people`).toEqual([
      { count: 1_200, source: 'fair' },
    ]);
    const batch = await app.admin.rest('GET', `${ROUTE}/${written.batch_id}`);
    expect(batch.body.batch.filename).toBe('people.csv');
  });

  test('more than a MiB, which JSON cannot carry', async () => {
    const file = `${list(3)}${','.repeat(1_300_000)}\n`;
    expect((await give(app.admin, { file })).status).toBe(413);
    const answer = await send(form(file));
    expect(answer.status, await answer.clone().text()).toBe(200);
  });

  test('from a foreign page, with a token, on another route, or malformed: refused', async () => {
    const foreign = await send(form(list(1)), { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    const without = await fetch(app.url + ROUTE, {
      method: 'POST',
      body: form(list(1)),
      headers: { cookie: app.admin.cookie },
    });
    expect(without.status).toBe(403);
    const token = await app.token();
    const bearer = await fetch(app.url + ROUTE, {
      method: 'POST',
      body: form(list(1)),
      headers: { authorization: `Bearer ${token.value}` },
    });
    expect(bearer.status).toBe(415);
    const elsewhere = await fetch(`${app.url}/api/admin/crm/people`, {
      method: 'POST',
      body: form(list(1)),
      headers: { cookie: app.admin.cookie, origin: app.url },
    });
    expect(elsewhere.status).toBe(415);
    for (const args of ['{', '[]', 'null', { file: 'x' }, { strange: 1 }])
      expect((await send(form(list(1), args))).status).toBe(400);
    const stray = form(list(1));
    stray.set('other', 'x');
    expect((await send(stray)).status).toBe(400);
    const broken = await fetch(app.url + ROUTE, {
      method: 'POST',
      body: 'nothing',
      headers: { cookie: app.admin.cookie, origin: app.url, 'content-type': 'multipart/form-data' },
    });
    expect(broken.status).toBe(400);
  });

  test('more than 50 MiB is refused, with its size rounded up', async () => {
    const answer = await send(form(Buffer.alloc(54 * 1024 * 1024, 65)));
    expect(answer.status).toBe(413);
    expect(((await answer.json()) as { error: { message: string } }).error.message).toMatch(
      /^the body is 55\d\d\d KiB and the limit is 51200 KiB/,
    );
  });
});
