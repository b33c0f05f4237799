// What an import may cost others: a file is read in a thread that ends, within a time, and before anything is locked; and what
// it leaves in a person's timeline, said from the rows of its batch.
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ImportDraft } from '../../src/features/crm/imports/file/draft.ts';
import { openPeople } from '../../src/features/crm/imports/file/read.ts';
import { refusedCells } from '../../src/features/crm/imports/file/sheet.ts';
import { pack, packedText, unpack, unpackText } from '../../src/features/crm/imports/file/packed.ts';
import { planned, plannedIn, plannedText } from '../../src/features/crm/imports/plan/planned.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { base64, csv, give, list, planAndWrite, planOf, rollBack, ROUTE } from './support.ts';
import { bomb, workbookParts } from './workbook.ts';

let database: FreshDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  app = await openTestApp({ database });
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});
beforeEach(() => app.sql`truncate people, companies, import_rows, import_batches cascade`);

const threads = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'Worker' || resource === 'MessagePort')
    .length;
const wishes = {
  mapping: {},
  fields: [],
  all: { source: null, basis: null, tags: [] },
};

describe('reading', () => {
  test('a file that takes too long is refused with one sentence, and its thread is ended', async () => {
    const before = threads();
    const bytes = Buffer.from(list(20_000));
    const refused = await openPeople(bytes, wishes, 'me', 1, undefined).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 400, code: 'invalid' });
    expect((refused as Error).message).toMatch(/takes too long to read: split it/);
    expect((refused as Error).message.length).toBeLessThan(300);
    await sleep(10);
    expect(threads()).toBe(before);
  });

  test('a short list of uneven rows keeps no one waiting either', async () => {
    // Of a row that is longer or shorter than the first, the parser makes an error before it lets it pass.
    const uneven = Buffer.from(`name,email\n${'a\na,b,c\n'.repeat(7_000)}`);
    await openPeople(Buffer.from(list(2)), wishes, 'me', 60_000, undefined);
    const before = process.threadCpuUsage();
    await openPeople(uneven, wishes, 'me', 60_000, undefined);
    const { user, system } = process.threadCpuUsage(before);
    // Read by the process's own thread it took 250.
    expect((user + system) / 1000).toBeLessThan(50);
  });

  test('whoever hangs up ends the thread', async () => {
    const gone = new AbortController();
    const reading = openPeople(Buffer.from(list(20_000)), wishes, 'me', 60_000, gone.signal);
    gone.abort();
    await expect(reading).rejects.toMatchObject({ code: 'invalid' });
    await expect(openPeople(Buffer.from(list(20_000)), wishes, 'me', 60_000, gone.signal)).rejects.toThrow();
  });

  test('no transaction is open while a file is read', async () => {
    const people = list(30_000);
    const form = new FormData();
    form.set('file', new Blob([people]), 'people.csv');
    let done = false;
    const from = performance.now();
    const answered = fetch(app.url + ROUTE, {
      method: 'POST',
      body: form,
      headers: { cookie: app.admin.cookie, origin: app.url },
    }).finally(() => (done = true));
    let longest = 0;
    while (!done) {
      const [row] = await app.sql<{ ms: number }[]>`
        select coalesce(max(extract(epoch from clock_timestamp() - xact_start) * 1000), 0)::int as ms
        from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`;
      longest = Math.max(longest, row?.ms ?? 0);
      await sleep(5);
    }
    expect((await answered).status).toBe(200);
    // It was nearly all of the call; an insert of one row is left.
    expect(longest).toBeLessThan((performance.now() - from) / 2);
  });
});

describe('hole D7: files are read one after the other', () => {
  const long = () => ({ file: list(20_000) });

  test('of two files of one caller the second is refused, and may come once the first has its plan', async () => {
    const both = await Promise.all([1, 2].map(() => give(app.admin, long())));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 429]);
    const refused = both.find(({ status }) => status === 429);
    expect(refused?.body.error).toMatchObject({ code: 'rate_limited', details: { retry_after: 5 } });
    // Refused before its body is read.
    expect(refused?.body.error.message).toContain('you are already uploading a file');
    expect((await give(app.admin, long())).status).toBe(200);
  });

  test('those of others wait, in one thread, and a few at most', async () => {
    const people = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        app.person({ policies: ['crm-editor'], email: `r${i}@example.com` }),
      ),
    );
    const before = threads();
    let most = 0;
    const watched = setInterval(() => (most = Math.max(most, threads() - before)), 2);
    const asked = await Promise.all(people.map((who) => give(who, long())));
    clearInterval(watched);
    const statuses = asked.map(({ status }) => status).sort();
    // One is read, four wait, and whoever comes while they do is told so.
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(5);
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
    expect(statuses).toContain(503);
    // A thread is a worker and its port.
    expect(most).toBeLessThanOrEqual(2);
  });

  test('a short list waits for no one', async () => {
    const [slow, quick] = await Promise.all([give(app.admin, long()), give(app.admin, { file: list(3) })]);
    expect([slow.status, quick.status]).toEqual([200, 200]);
  });

  test('whoever hangs up leaves the line', async () => {
    const gone = new AbortController();
    const bytes = Buffer.from(list(20_000));
    const first = openPeople(bytes, wishes, 'one', 60_000, undefined);
    const second = openPeople(bytes, wishes, 'two', 60_000, gone.signal);
    gone.abort();
    await expect(second).rejects.toMatchObject({ status: 503 });
    await first;
    expect((await openPeople(bytes, wishes, 'two', 60_000, undefined)).parts).not.toHaveLength(0);
  });

  test('a workbook that unfolds to far more than its size is refused', async () => {
    const dense = { file_base64: base64(bomb(60 * 1024 * 1024, 60 * 1024 * 1024)) };
    const refused = await give(app.admin, dense);
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain('more than 50 times its size');
  });

  test('a workbook of too many cells is refused before they are made', async () => {
    const parts = workbookParts([['Email'], ['a@b.example']]);
    const sheet = String(parts.get('xl/worksheets/sheet1.xml')).replace(
      '</sheetData>',
      () => `${`<row>${'<c r="A1"/>'.repeat(50_000)}</row>`.repeat(51)}</sheetData>`,
    );
    parts.set('xl/worksheets/sheet1.xml', Buffer.from(sheet));
    expect(() => refusedCells(parts)).not.toThrow();
    expect(refusedCells(parts)?.sentence).toContain('more than 2,500,000 cells');
  });
});

const text = fc.option(fc.string({ unit: 'binary' }));
const why = fc.record({ column: text, reason: fc.string() });
const draft: fc.Arbitrary<ImportDraft> = fc.record({
  row: fc.nat(),
  id: fc.uuid(),
  addresses: fc.array(
    fc.record({
      id: fc.uuid(),
      value: fc.constantFrom('a@b.example', 'A@b.example'),
      normalised: fc.constant('a@b.example'),
      domain: fc.constant('b.example'),
      hash: fc.string(),
      kind: fc.constantFrom('work', 'personal', 'other'),
    }),
  ),
  name: text,
  name_key: text,
  search: text,
  given: text,
  family: text,
  title: text,
  company: fc.option(fc.record({ name: fc.string(), name_key: fc.string(), domain: text })),
  phone: text,
  links: fc.array(fc.string()),
  timezone: text,
  language: text,
  country: text,
  source: text,
  basis: fc.constantFrom(null, 'none', 'consent'),
  basis_note: text,
  tags: fc.array(fc.string()),
  custom: fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }),
  unsubscribed: fc.boolean(),
  notes: fc.array(why),
  rejected: fc.option(why),
  same_as: fc.option(fc.nat()),
});

test('a draft that waited is the draft that was read, whatever is in it', () => {
  fc.assert(
    fc.property(draft, (each) => {
      expect(unpack(pack(each))).toEqual(each);
    }),
  );
  fc.assert(
    fc.property(fc.array(draft), (drafts) => {
      const packed = packedText(drafts);
      const letters = drafts.map((_, i) => 'cuRsH'[i % 5]).join('');
      const waited = plannedIn(
        plannedText({ count: drafts.length, from: 0, to: 0, text: packed }, letters, {}),
      );
      expect(waited).toEqual(planned(unpackText(packed), letters, {}));
    }),
  );
});

test('whatever a cell holds is written as it exists: quotes, backslashes, braces and lists', async () => {
  const odd = ['a"b', 'a\\b', '{a}', 'NULL', "o'b", 'a\tb', '\\N', 'ä ß 😀'];
  const file = csv(
    ['Email', 'Name', 'Title', 'Tags', 'Company'],
    odd.map((value, i) => [`p${i}@odd.example`, value, value, value, value]),
  );
  expect(await planAndWrite(app.admin, { file })).toMatchObject({ created: odd.length });
  const people = await app.sql<{ name: string; title: string; tags: string[]; company: string }[]>`
    select p.name, p.title, p.tags, c.name as company from people p join companies c on c.id = p.company_id order by p.id`;
  expect(people.map(({ name, title, company }) => [name, title, company])).toEqual(
    odd.map((value) => [value, value, value]),
  );
  expect(people.map(({ tags }) => tags)).toEqual(odd.map((value) => [value]));
});

describe('the timeline of a person', () => {
  const timeline = async (id: string): Promise<any[]> =>
    (await app.admin.rest('GET', `/api/admin/crm/people/${id}/timeline`)).body.items;
  const idOf = async (address: string): Promise<string> =>
    (
      await app.sql<{ id: string }[]>`
      select person_id as id from person_addresses where normalised = ${address}`
    )[0]?.id ?? '';

  test('says which import brought them and which changed them, newest first, and costs no row a person', async () => {
    const facts = async () => (await app.sql`select count(*)::int as n from person_facts`)[0];
    const had = await facts();
    const first = await planAndWrite(app.admin, { file: list(2), filename: 'first.csv' });
    app.clock.advance(60_000);
    const file = csv(['Email', 'Title'], [['p0@list.example', 'Buyer']]);
    const second = await planAndWrite(app.admin, { file, on_duplicate: 'update' });
    expect(await facts()).toEqual(had);
    const [changed, brought, ...rest] = await timeline(await idOf('p0@list.example'));
    expect(rest).toEqual([]);
    expect(changed).toMatchObject({
      id: second.batch_id,
      kind: 'imported',
      details: { outcome: 'update', fields: ['title'], rolled_back: null },
    });
    expect(brought).toMatchObject({
      kind: 'imported',
      by: { kind: 'person' },
      details: { batch_id: first.batch_id, filename: 'first.csv', row: 2, outcome: 'create' },
    });
    expect((await rollBack(app.admin, second.batch_id)).status).toBe(200);
    const [taken] = await timeline(await idOf('p0@list.example'));
    expect(taken.details).toMatchObject({ batch_id: second.batch_id, rolled_back: 'restored' });
  });

  test('a batch that was only planned, or that left them as they are, says nothing', async () => {
    await planAndWrite(app.admin, { file: list(1) });
    await planOf(app.admin, { file: list(1), on_duplicate: 'update' });
    await planAndWrite(app.admin, { file: `${list(1)}\n` });
    expect(await timeline(await idOf('p0@list.example'))).toHaveLength(1);
  });
});

test('the document of the surface says how a screen sends a file', async () => {
  type Path = { post: { requestBody: { content: Record<string, { schema: object }> } } };
  const answer = await fetch(`${app.url}/openapi.json`);
  const { paths } = (await answer.json()) as { paths: Record<string, Path> };
  const { content } = paths[ROUTE]!.post.requestBody;
  expect(Object.keys(content)).toEqual(['application/json', 'multipart/form-data']);
  expect(content['multipart/form-data']!.schema).toMatchObject({
    required: ['file'],
    properties: { file: { format: 'binary' }, arguments: { type: 'string' } },
  });
});
