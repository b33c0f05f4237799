// What a write does: what its plan said and nothing more, whatever happened in between; big lists in whole chunks, however the
// process ends; and no one who is suppressed is opened again. Red team J4, J7, A20, A21.
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { batchOf, countPeople, csv, give, list, planAndWrite, planOf, rollBack, write } from './support.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(async () => app?.close());
beforeEach(async () => {
  await app.sql`
    truncate people, companies, import_previews, import_chunks, import_batches, import_rows, suppressions cascade`;
});

const addresses = async (): Promise<string[]> =>
  (await app.sql<{ normalised: string }[]>`select normalised from person_addresses order by normalised`).map(
    ({ normalised }) => normalised,
  );

describe('what differs from the plan is named', () => {
  test('an address that someone took meanwhile is left to them', async () => {
    const file = list(3);
    await planOf(app.admin, { file });
    await app.admin.rest('POST', '/api/admin/crm/people', {
      name: 'Quick',
      addresses: [{ value: 'P1@List.example' }],
    });
    const result = await write(app.admin, { file });
    expect(result).toMatchObject({ created: 2, skipped: 1 });
    expect(result.differs_from_plan).toMatchObject([{ row: 3, outcome: 'skip' }]);
    expect(result.differs_from_plan[0].why).toContain('someone else got this address');
    const [quick] = await app.sql`select p.name from people p where p.name = 'Quick'`;
    expect(quick).toBeDefined();
  });

  test('someone who was changed meanwhile is left as they are', async () => {
    await planAndWrite(app.admin, { file: csv(['Email', 'Title'], [['ann@list.example', 'Buyer']]) });
    const file = csv(['Email', 'Title'], [['ann@list.example', 'Head']]);
    await planOf(app.admin, { file, on_duplicate: 'update' });
    const [person] = await app.sql`select id from people`;
    await app.admin.rest('PATCH', `/api/admin/crm/people/${person!['id']}`, { revision: 1, title: 'Boss' });
    const result = await write(app.admin, { file, on_duplicate: 'update' });
    expect(result).toMatchObject({ updated: 0, skipped: 1 });
    expect(result.differs_from_plan[0].why).toContain('changed since the preview');
    expect((await app.sql`select title from people`)[0]).toEqual({ title: 'Boss' });
  });

  test('someone suppressed meanwhile is made, named, and stays suppressed', async () => {
    const file = list(2);
    await planOf(app.admin, { file });
    await app.admin.rest('POST', '/api/admin/outreach/suppressions', { address: 'p0@list.example' });
    const result = await write(app.admin, { file });
    expect(result.created).toBe(2);
    expect(result.differs_from_plan).toMatchObject([{ row: 2, outcome: 'create' }]);
  });
});

describe('on_duplicate', () => {
  const first = csv(['Email', 'Title', 'Phone', 'Tags'], [['ann@list.example', 'Buyer', '', 'a']]);
  const second = csv(['Email', 'Title', 'Phone', 'Tags'], [['ANN@list.example', 'Head', '123', 'b']]);
  test.each([
    ['skip', { title: 'Buyer', phone: null, tags: ['a'] }],
    ['update_empty', { title: 'Buyer', phone: '123', tags: ['a', 'b'] }],
    ['update', { title: 'Head', phone: '123', tags: ['a', 'b'] }],
  ])('%s', async (on_duplicate, expected) => {
    await planAndWrite(app.admin, { file: first });
    await planAndWrite(app.admin, { file: second, on_duplicate });
    expect(await app.sql`select title, phone, tags from people`).toEqual([expected]);
  });
});

describe('side doors', () => {
  test('no one suppressed is opened by a subscribed column, in any spelling of the address', async () => {
    await app.admin.rest('POST', '/api/admin/outreach/suppressions', {
      address: 'ann@list.example',
      reason: 'unsubscribe',
    });
    const file = csv(['Email', 'Subscribed', 'Status'], [['Ann@LIST.example', 'yes', 'subscribed']]);
    const plan = await planOf(app.admin, { file });
    expect(plan.totals.suppressed).toBe(1);
    expect(plan.suppressed[0].suppression.reason).toBe('unsubscribe');
    await write(app.admin, { file });
    const { body } = await app.admin.rest('GET', '/api/admin/crm/people');
    expect(body.items[0].suppressed.reason).toBe('unsubscribe');
    // Taken away and imported again.
    await app.admin.rest('DELETE', `/api/admin/crm/people/${body.items[0].id}`);
    await planAndWrite(app.admin, { file, on_duplicate: 'update' });
    const again = await app.admin.rest('GET', '/api/admin/crm/people');
    expect(again.body.items[0].suppressed.reason).toBe('unsubscribe');
  });

  test('whoever is suppressed is reported as that first, and then as someone who is here already', async () => {
    await planAndWrite(app.admin, { file: csv(['Email'], [['ann@list.example'], ['bo@list.example']]) });
    const wish = { address: 'ann@list.example', reason: 'unsubscribe' };
    await app.admin.rest('POST', '/api/admin/outreach/suppressions', wish);
    const file = csv(['Email'], [['ann@list.example'], ['bo@list.example']]);
    const plan = await planOf(app.admin, { file });
    expect(plan.totals).toMatchObject({ skip: 2, suppressed: 1 });
    expect(plan.suppressed).toMatchObject([{ row: 2, suppression: { reason: 'unsubscribe' } }]);
    expect(plan.examples.skip.map(({ reason }: { reason: string }) => reason)).toEqual([
      'its address is suppressed, and stays so; someone already has this address',
      'someone already has this address',
    ]);
    await write(app.admin, { file });
    const rows = await app.sql`select reason from import_rows where reason like 'its address is suppressed%'`;
    expect(rows).toHaveLength(1);
  });

  test('owners, ids, sequences, campaigns and policies are ignored, and say why', async () => {
    const headings = [
      'Email',
      'Contact owner',
      'Record ID',
      'Sequence',
      'Campaign',
      'Policies',
      'Lead status',
      'Opt-out',
    ];
    const plan = await planOf(app.admin, {
      file: csv(headings, [['a@list.example', 'x', '1', 's', 'c', 'p', 'l', 'no']]),
    });
    for (const column of plan.columns.slice(1)) {
      expect(column.field, column.name).toBeNull();
      expect(column.why.length, column.name).toBeGreaterThan(10);
    }
    for (const goal of ['owner', 'id', 'sequence', 'campaign', 'suppressed', 'revision', 'custom.none'])
      expect((await give(app.admin, { file: list(1), mapping: { Company: goal } })).status, goal).toBe(400);
  });

  test('only a column that was mapped to unsubscribed suppresses, and then whoever it names', async () => {
    const file = csv(
      ['Email', 'Opted out'],
      [
        ['a@list.example', 'yes'],
        ['b@list.example', 'no'],
      ],
    );
    await planAndWrite(app.admin, { file });
    expect(await app.sql`select value from suppressions`).toEqual([]);
    await planAndWrite(app.admin, { file, mapping: { 'Opted out': 'unsubscribed' } });
    expect(await app.sql`select value, reason from suppressions`).toEqual([
      { value: 'a@list.example', reason: 'import' },
    ]);
  });
});

describe('the same people again', () => {
  const person = fc.record({
    address: fc.constantFrom(
      'ann@list.example',
      'Ann@list.example',
      'bob@list.example',
      'ünï@list.example',
      'cy@münchen.example',
      'cy@xn--mnchen-3ya.example',
      'no address',
      '',
    ),
    second: fc.constantFrom('', 'bob@list.example', 'dan@list.example', 'DAN@list.example'),
    name: fc.constantFrom('Ann', 'Bob', ''),
  });
  const lists = fc.array(person, { minLength: 1, maxLength: 12 });
  const fileOf = (people: { address: string; second: string; name: string }[]): string =>
    csv(
      ['Email', 'Other email', 'Name'],
      people.map((each) => [each.address, each.second, each.name || '-']),
    );

  test('imported twice and at once: no one exists twice, and what differs is named', async () => {
    await fc.assert(
      fc.asyncProperty(
        lists,
        lists,
        fc.constantFrom('skip', 'update_empty', 'update'),
        async (one, two, on_duplicate) => {
          await app.sql`truncate people, import_previews, import_batches, import_rows cascade`;
          const files = [fileOf(one), fileOf(two)].map((file) => ({ file, on_duplicate }));
          const plans = [];
          for (const args of files) plans.push(await planOf(app.admin, args));
          const results = await Promise.all(files.map((args) => write(app.admin, args)));
          for (const [i, result] of results.entries()) {
            const { totals } = plans[i];
            expect(result.created + result.updated + result.skipped + result.rejected).toBe(result.rows);
            expect(result.rejected).toBe(totals.reject);
            const fewer = totals.create + totals.update - result.created - result.updated;
            expect(
              result.differs_from_plan.filter(({ outcome }: { outcome: string }) => outcome === 'skip'),
            ).toHaveLength(fewer);
          }
          const all = await addresses();
          expect(new Set(all).size).toBe(all.length);
          expect(
            await app.sql`select p.id from people p where not exists (select from person_addresses a where a.person_id = p.id)`,
          ).toEqual([]);
          // Once more: whatever they are, everyone is known by now.
          for (const args of files) {
            const again = await planOf(app.admin, { ...args, on_duplicate: 'skip' });
            expect(again.totals.create).toBe(0);
          }
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe('a big list', () => {
  test('is written by the pass in chunks, and says how far it is', async () => {
    const file = list(3_200);
    const result = await planAndWrite(app.admin, { file });
    expect(result).toMatchObject({ state: 'writing', rows: 3_200, done_rows: 0 });
    expect((await rollBack(app.admin, result.batch_id)).status).toBe(409);
    await app.instance.jobs.run('imports');
    const { batch, rows } = await batchOf(app.admin, result.batch_id, '?limit=2');
    expect(batch).toMatchObject({ state: 'written', done_rows: 3_200, created: 3_200 });
    expect(rows.items.map(({ row }: { row: number }) => row)).toEqual([2, 3]);
    expect(rows.next_cursor).not.toBeNull();
    expect(await countPeople(app)).toBe(3_200);
    expect(await write(app.admin, { file })).toMatchObject({
      batch_id: result.batch_id,
      state: 'written',
      created: 3_200,
    });
    expect((await rollBack(app.admin, result.batch_id)).body.removed).toBe(3_200);
    expect(await countPeople(app)).toBe(0);
  });

  test('a chunk whose writer lost its lease is written once, by whoever has it', async () => {
    const { batch_id } = await planAndWrite(app.admin, { file: list(2_000) });
    const { importsPass } = await import('../../src/features/crm/imports/write/pass.ts');
    const { database, clock } = app.instance.app;
    const lease = (id: string, seconds: number) => ({
      id,
      from: new Date(clock.now().getTime() + seconds * 1_000),
      until: new Date(clock.now().getTime() + (seconds + 60) * 1_000),
    });
    const slow = await database.transact((tx) =>
      importsPass.claim(tx, lease('0198c0de-0000-7000-8000-00000000aaaa', 0), 4, new Map()),
    );
    const quick = await database.transact((tx) =>
      importsPass.claim(tx, lease('0198c0de-0000-7000-8000-00000000bbbb', 61), 4, new Map()),
    );
    expect(slow).toHaveLength(2);
    expect(quick).toHaveLength(2);
    const crew = importsPass.open(app.instance.app);
    const work = await crew.begin(slow);
    const cut = new AbortController().signal;
    await Promise.all(
      [...slow, ...quick].map((chunk) =>
        work(chunk, cut, { leave: () => undefined, take: async () => undefined }),
      ),
    );
    const { batch } = await batchOf(app.admin, batch_id);
    expect(batch).toMatchObject({ state: 'written', done_rows: 2_000, created: 2_000 });
    expect(await countPeople(app)).toBe(2_000);
  });
});
