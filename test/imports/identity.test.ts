// A write is accepted only for the exact file, byte for byte, and the options whose plan the same principal was given
// (interface specification §3, domain.md §1.9). Red team J1 to J4.
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp, type TokenClient } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { fingerprint } from '../support/fingerprint.ts';
import { base64, countPeople, csv, give, list, planAndWrite, planOf, write } from './support.ts';

let app: TestApp;
let token: TokenClient;
beforeAll(async () => {
  app = await openTestApp();
  token = await app.token({ mode: 'service', policies: ['crm-editor'] });
});
afterAll(async () => app?.close());
beforeEach(async () => {
  await app.sql`truncate people, companies, import_previews, import_batches, import_rows, suppressions cascade`;
});

const SENTENCE = /preview this file before importing it\.$/;

async function refused(who: { rest: TokenClient['rest'] }, args: Record<string, unknown>): Promise<void> {
  const answer = await give(who, { ...args, dry_run: false });
  expect(answer.status, JSON.stringify(answer.body)).toBe(409);
  expect(answer.body.error.message).toMatch(SENTENCE);
  expect(answer.body.error.message.length).toBeLessThan(300);
  expect(await countPeople(app)).toBe(0);
}

describe('only the literal dry_run false writes', () => {
  const values: unknown[] = [
    'false',
    'False',
    'FALSE',
    0,
    -0,
    null,
    '',
    [],
    {},
    { a: 1 },
    [false],
    true,
    1,
    'no',
    0.0,
    undefined,
  ];

  test.each(values.map((value) => [JSON.stringify(value), value]))(
    '%s gives the plan alone',
    async (_, dry_run) => {
      const file = list(3);
      await planOf(app.admin, { file });
      const before = await fingerprint(app);
      const again = await planOf(app.admin, { file, dry_run });
      expect(again.totals.create).toBe(3);
      expect(await countPeople(app)).toBe(0);
      expect(before).toBeDefined();
      const [row] = await app.sql`select count(*)::int as count from import_batches`;
      expect(row!['count']).toBe(0);
    },
  );

  test('by the tool as well', async () => {
    const file = list(2);
    for (const dry_run of [undefined, 'false', 0, null, true]) {
      const answer = await token.tool('people_import', { file, ...(dry_run !== undefined && { dry_run }) });
      expect(answer.json.dry_run).toBe(true);
    }
    expect(await countPeople(app)).toBe(0);
    const written = await token.tool('people_import', { file, dry_run: false });
    expect(written.json.batch_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(written.json).toMatchObject({
      created: 2,
      updated: 0,
      skipped: 0,
      rejected: 0,
      differs_from_plan: [],
    });
    expect(await countPeople(app)).toBe(2);
  });
});

describe('the very bytes', () => {
  test('a write without a plan is refused', async () => {
    await refused(app.admin, { file: list(3) });
  });

  test('one flipped byte anywhere is another file', async () => {
    const bytes = Buffer.from(list(4));
    await planOf(app.admin, { file_base64: base64(bytes) });
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const other = Buffer.from(bytes);
        other[at] = other[at]! ^ mask;
        await refused(app.admin, { file_base64: base64(other) });
      }),
      { numRuns: 60 },
    );
    expect((await write(app.admin, { file_base64: base64(bytes) })).created).toBe(4);
  });

  test.each([
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['other line endings', (text: string) => text.replaceAll('\n', '\r\n')],
    ['one more empty line', (text: string) => `${text}\n`],
    ['one space', (text: string) => text.replace('Lee', 'Lee ')],
  ])('%s is another file', async (_, change) => {
    const file = list(3);
    await planOf(app.admin, { file });
    await refused(app.admin, { file: change(file) });
  });

  test('another encoding of the same text is another file', async () => {
    const text = csv(['Email', 'Name'], [['zoe@list.example', 'Zoë']]);
    await planOf(app.admin, { file_base64: base64(Buffer.from(text, 'utf8')) });
    await refused(app.admin, { file_base64: base64(Buffer.from(text, 'latin1')) });
    await refused(app.admin, { file_base64: base64(Buffer.from(`\ufeff${text}`, 'utf16le')) });
  });

  test('the same content is the same file by file and by file_base64', async () => {
    const file = csv(['Email', 'Name'], [['zoe@list.example', 'Zoë']]);
    const plan = await planOf(app.admin, { file, filename: 'a.csv' });
    const packed = { file_base64: base64(Buffer.from(file)), filename: 'b.csv' };
    expect((await write(app.admin, packed)).created).toBe(1);
    expect(plan.preview.size).toBe(Buffer.byteLength(file));
  });
});

describe('the very options', () => {
  const planned = { file: list(3), on_duplicate: 'update', source: 'fair', basis: 'consent', tags: ['fair'] };
  test.each([
    ['on_duplicate', { on_duplicate: 'update_empty' }],
    ['source', { source: 'other fair' }],
    ['basis', { basis: 'customer' }],
    ['tags', { tags: ['fair', 'vip'] }],
    ['mapping', { mapping: { Company: null } }],
  ])('another %s is refused', async (_, change) => {
    await planOf(app.admin, planned);
    await refused(app.admin, { ...planned, ...change });
    expect((await write(app.admin, planned)).created).toBe(3);
  });

  test('a field that is defined after the plan changes what a column becomes: the plan no longer holds', async () => {
    const file = csv(['Email', 'Shoe size'], [['a@list.example', '41']]);
    await planOf(app.admin, { file });
    const { body } = await app.admin.rest('GET', '/api/admin/crm/fields?noun=person');
    const set = await app.admin.rest('PUT', '/api/admin/crm/fields', {
      noun: 'person',
      revision: body.items[0].revision,
      fields: [{ key: 'shoe_size', title: 'Shoe size', kind: 'number' }],
    });
    expect(set.status, JSON.stringify(set.body)).toBe(200);
    await refused(app.admin, { file });
    await planAndWrite(app.admin, { file });
    const [person] = await app.sql`select custom from people`;
    expect(person!['custom']).toEqual({ shoe_size: 41 });
  });
});

describe('an import needs the right to what it does', () => {
  const imports = ['crm.import.create', 'crm.import.read'];
  const rights = {
    'crm.person.create': ['Email'],
    'crm.company.create': ['Email', 'Company'],
    'outreach.suppression.create': ['Email', 'Unsubscribed'],
  };
  const importer = async (name: string, actions: string[]) => {
    const statements = [{ effect: 'allow', actions, resources: ['*'] }];
    const made = await app.admin.rest('POST', '/api/admin/policies', { name, version: 1, statements });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return await app.token({ mode: 'service', policies: [name] });
  };

  test.each(Object.entries(rights))('%s, and no one is made without it', async (missing, headings) => {
    const file = csv(headings, [['a@list.example', 'yes'].slice(0, headings.length)]);
    const mapping = headings.includes('Unsubscribed') ? { Unsubscribed: 'unsubscribed' } : {};
    const slug = missing.replaceAll('.', '-');
    const all = [...imports, ...Object.keys(rights)];
    const lacking = await importer(
      `without-${slug}`,
      all.filter((action) => action !== missing),
    );
    const answer = await give(lacking, { file, mapping });
    expect(answer.status, JSON.stringify(answer.body)).toBe(403);
    expect(answer.body.error.message).toContain(missing);
    expect((await give(lacking, { file, mapping, dry_run: false })).status).not.toBe(200);
    expect(await countPeople(app)).toBe(0);
    await planAndWrite(await importer(`with-${slug}`, all), { file, mapping });
    expect(await countPeople(app)).toBe(1);
  });
});

describe('whoever read the plan', () => {
  test('another principal is refused, the reader is not', async () => {
    const file = list(3);
    await planOf(token, { file });
    await refused(app.admin, { file });
    const other = await app.token({ mode: 'service', policies: ['crm-editor'] });
    await refused(other, { file });
    expect((await write(token, { file })).created).toBe(3);
  });

  test('within 24 hours', async () => {
    const file = list(3);
    await planOf(token, { file });
    app.clock.advance(24 * 3_600_000 + 1_000);
    await refused(token, { file });
  });

  test('across a restart', async () => {
    const database = await freshDatabase();
    const first = await openTestApp({ database });
    const file = list(3);
    const { value } = await first.token({ mode: 'service', policies: ['crm-editor'] });
    await planOf(first.bearer(value), { file });
    await first.close();
    const second = await openTestApp({ database, setUp: false });
    expect((await write(second.bearer(value), { file })).created).toBe(3);
    await second.close();
    await database.drop();
  });
});

describe('one plan, one batch', () => {
  test('a second write of one used plan answers with the same batch', async () => {
    const file = list(3);
    const first = await planAndWrite(app.admin, { file });
    const second = await write(app.admin, { file });
    expect(second).toEqual(first);
    expect(await countPeople(app)).toBe(3);
  });

  test('two writes at once come to one batch', async () => {
    const file = list(200);
    await planOf(app.admin, { file });
    const all = await Promise.all([1, 2, 3, 4].map(() => write(app.admin, { file })));
    expect(new Set(all.map(({ batch_id }) => batch_id)).size).toBe(1);
    expect(await countPeople(app)).toBe(200);
  });

  test('a plan that is read again is another plan: its write says what already exists', async () => {
    const file = list(3);
    const first = await planAndWrite(app.admin, { file });
    const plan = await planOf(app.admin, { file });
    expect(plan.totals).toMatchObject({ create: 0, skip: 3 });
    const second = await write(app.admin, { file });
    expect(second.batch_id).not.toBe(first.batch_id);
    expect(second).toMatchObject({ created: 0, skipped: 3, differs_from_plan: [] });
  });
});
