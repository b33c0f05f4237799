// A written batch may be rolled back while nothing in it has been sent (interface specification §3): three buckets, nothing
// that someone touched since is lost, and a letter and a rollback in the same moment have one order. Red team J5.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockBatchesOf } from '../../src/features/crm/imports/batch.store.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { newCampaign } from '../support/campaigns.ts';
import { batchOf, countPeople, csv, list, planAndWrite, rollBack } from './support.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(async () => app?.close());
beforeEach(async () => {
  await app.sql`truncate people, companies, import_previews, import_batches, import_rows, suppressions cascade`;
});

/** Everything of people and companies but what counts their changes. */
async function allPeople(): Promise<unknown> {
  return await app.sql`
    select p.id, p.name, p.given, p.family, p.name_key, p.title, p.company_id, p.phone, p.links, p.timezone, p.language, p.country,
      p.source, p.basis, p.basis_note, p.tags, p.custom, p.owner, p.search::text as search, p.created_at,
      (select jsonb_agg(to_jsonb(a) order by a.position, a.id) from person_addresses a where a.person_id = p.id) as addresses
    from people p order by p.id`;
}

const personOf = async (address: string): Promise<string> => {
  const [row] = await app.sql<{ person_id: string }[]>`
    select person_id from person_addresses where normalised = ${address}`;
  return row!.person_id;
};

/** What the sender does when it sets a letter to sending. */
const send = (person: string, letter = randomUUID()): Promise<void> =>
  app.instance.app.database.transact((tx) => lockBatchesOf(tx, [person], letter, app.clock.now()));

describe('undone', () => {
  test('people it brought are removed, with companies that no one else uses', async () => {
    await app.admin.rest('POST', '/api/admin/crm/people', {
      name: 'Old',
      addresses: [{ value: 'old@list.example' }],
    });
    const before = await allPeople();
    const { batch_id } = await planAndWrite(app.admin, { file: list(30) });
    expect(await countPeople(app)).toBe(31);
    const answer = await rollBack(app.admin, batch_id);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toMatchObject({
      removed: 30,
      restored: 0,
      kept: [],
      batch: { state: 'rolled_back' },
    });
    expect(await allPeople()).toEqual(before);
    expect(await app.sql`select 1 from companies`).toHaveLength(0);
    const again = await rollBack(app.admin, batch_id);
    expect(again.status).toBe(409);
    expect(again.body.error.message).toContain('Ada Operator');
  });

  const cell = fc.constantFrom('', 'One', 'Two', 'Three');
  const row = fc.record({
    given: cell,
    title: cell,
    company: cell,
    tags: fc.constantFrom('', 'a', 'b', 'a;b'),
    phone: cell,
  });

  test('where no one edited, everything is as it was, whatever the list and the mode', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 6 }),
        fc.array(row, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('update', 'update_empty'),
        async (first, second, on_duplicate) => {
          await app.sql`truncate people, companies, import_previews, import_batches, import_rows cascade`;
          const file = (rows: typeof first, extra: boolean): string =>
            csv(
              ['Email', 'Other email', 'First name', 'Title', 'Company', 'Tags', 'Phone'],
              rows.map((each, i) => [
                `p${i}@list.example`,
                extra ? `second${i}@list.example` : '',
                each.given,
                each.title,
                each.company,
                each.tags,
                each.phone,
              ]),
            );
          await planAndWrite(app.admin, { file: file(first, false), on_duplicate });
          const before = await allPeople();
          const { batch_id } = await planAndWrite(app.admin, { file: file(second, true), on_duplicate });
          const answer = await rollBack(app.admin, batch_id);
          expect(answer.status, JSON.stringify(answer.body)).toBe(200);
          expect(answer.body.kept).toEqual([]);
          expect(await allPeople()).toEqual(before);
        },
      ),
      { numRuns: 15 },
    );
  });

  test('a field that someone changed since is kept and named, the rest goes back', async () => {
    await planAndWrite(app.admin, {
      file: csv(['Email', 'Title', 'Phone'], [['ann@list.example', 'Buyer', '']]),
    });
    const file = csv(['Email', 'Title', 'Phone'], [['ann@list.example', 'Head', '+49 30 123456']]);
    const { batch_id, updated } = await planAndWrite(app.admin, { file, on_duplicate: 'update' });
    expect(updated).toBe(1);
    const person = await personOf('ann@list.example');
    const edited = await app.admin.rest('PATCH', `/api/admin/crm/people/${person}`, {
      revision: 2,
      title: 'Boss',
    });
    expect(edited.status, JSON.stringify(edited.body)).toBe(200);
    const { body } = await rollBack(app.admin, batch_id);
    expect(body).toMatchObject({ removed: 0, restored: 0 });
    expect(body.kept).toEqual([
      { person_id: person, why: 'changed since and kept: title; the rest is as it was' },
    ]);
    const [row] = await app.sql`select title, phone from people`;
    expect(row).toEqual({ title: 'Boss', phone: null });
  });

  test('someone edited, noted or with a deal is kept and named; the others go', async () => {
    const { batch_id } = await planAndWrite(app.admin, { file: list(5) });
    const ids = await Promise.all([0, 1, 2, 3, 4].map((i) => personOf(`p${i}@list.example`)));
    await app.admin.rest('PATCH', `/api/admin/crm/people/${ids[0]}`, { revision: 1, title: 'Boss' });
    await app.admin.rest('POST', `/api/admin/crm/people/${ids[1]}/notes`, { text: 'Called.' });
    const deal = await app.admin.rest('POST', '/api/admin/crm/deals', { name: 'Big', person_id: ids[2] });
    expect(deal.status, JSON.stringify(deal.body)).toBe(201);
    await app.admin.rest('DELETE', `/api/admin/crm/people/${ids[3]}`);
    const { body } = await rollBack(app.admin, batch_id);
    expect(body).toMatchObject({ removed: 1, restored: 0 });
    const why = new Map(
      body.kept.map((each: { person_id: string; why: string }) => [each.person_id, each.why]),
    );
    expect(why.get(ids[0])).toContain('changed since');
    expect(why.get(ids[1])).toContain('notes or history');
    expect(why.get(ids[2])).toContain('deals');
    expect(why.size).toBe(3);
    expect(await countPeople(app)).toBe(3);
    const { rows } = await batchOf(app.admin, batch_id);
    expect(rows.items.map((each: { rolled_back: string }) => each.rolled_back)).toEqual([
      'kept',
      'kept',
      'kept',
      'gone',
      'removed',
    ]);
  });
});

test('what a rollback would do is said before; an enrolment in a campaign that hasn’t started goes with its person', async () => {
  const { batch_id } = await planAndWrite(app.admin, { file: list(4) });
  const ids = await Promise.all([0, 1, 2, 3].map((i) => personOf(`p${i}@list.example`)));
  const { id: draft } = await newCampaign(app.admin, { name: 'Not started' });
  const { id: begun } = await newCampaign(app.admin, { name: 'Started' });
  await app.sql`update campaigns set activated_at = now() where id = ${begun}`;
  for (const [campaign, people] of [
    [draft, ids.slice(0, 2)],
    [begun, ids.slice(2, 3)],
  ] as const) {
    const answer = await app.admin.rest('POST', `/api/admin/outreach/campaigns/${campaign}/enrol`, {
      people,
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
  await app.admin.rest('POST', `/api/admin/crm/people/${ids[3]}/notes`, { text: 'Called.' });
  const would = await app.admin.rest('GET', `/api/admin/crm/people/import/${batch_id}/rollback`);
  expect(would.body).toMatchObject({ removed: 2, restored: 0, enrolled: 2, kept_in_all: 2 });
  expect(await countPeople(app)).toBe(4);
  const { body } = await rollBack(app.admin, batch_id);
  expect(body).toMatchObject({ removed: 2, restored: 0, kept: would.body.kept });
  expect(body.kept.map(({ why }: { why: string }) => why).sort()).toEqual([
    'other records refer to them since: campaigns',
    'other records refer to them since: notes or history',
  ]);

  // What was kept can be rolled back once nothing is against it; then nothing is left.
  await app.sql`delete from person_facts`;
  const further = await rollBack(app.admin, batch_id);
  expect(further.body).toMatchObject({ removed: 1, batch: { rolled_back: { removed: 3, kept: 1 } } });
  await app.sql`delete from prospects`;
  expect((await rollBack(app.admin, batch_id)).body).toMatchObject({ removed: 1, kept: [] });
  expect(await countPeople(app)).toBe(0);
  expect((await rollBack(app.admin, batch_id)).status).toBe(409);
});

test('of someone who was changed, what was kept can be put back later; a letter to them ends that', async () => {
  const at = csv(['Email', 'Title'], [['ann@list.example', 'Buyer']]);
  await planAndWrite(app.admin, { file: at });
  const file = csv(['Email', 'Title'], [['ann@list.example', 'Head']]);
  const { batch_id } = await planAndWrite(app.admin, { file, on_duplicate: 'update' });
  const person = await personOf('ann@list.example');
  const title = (revision: number, to: string) =>
    app.admin.rest('PATCH', `/api/admin/crm/people/${person}`, { revision, title: to });
  await title(2, 'Boss');
  expect((await rollBack(app.admin, batch_id)).body).toMatchObject({
    restored: 0,
    kept: [{ person_id: person }],
  });
  await title(3, 'Head');
  expect((await rollBack(app.admin, batch_id)).body).toMatchObject({ restored: 1, kept: [] });
  const [row] = await app.sql`select title from people where id = ${person}`;
  expect(row).toEqual({ title: 'Buyer' });

  const { batch_id: next } = await planAndWrite(app.admin, { file, on_duplicate: 'update' });
  await title(6, 'Boss');
  await rollBack(app.admin, next);
  await send(person);
  expect((await rollBack(app.admin, next)).body.error.message).toContain('1 letter');
});

describe('locked by a letter', () => {
  test('to anyone in it, created or updated: refused, counting the letters', async () => {
    await planAndWrite(app.admin, { file: list(2) });
    const file = csv(
      ['Email', 'Title'],
      [
        ['p0@list.example', 'Boss'],
        ['new@list.example', 'Head'],
      ],
    );
    const { batch_id } = await planAndWrite(app.admin, { file, on_duplicate: 'update' });
    const letter = randomUUID();
    await send(await personOf('p0@list.example'), letter);
    await send(await personOf('p0@list.example'), letter);
    await send(await personOf('new@list.example'));
    expect((await batchOf(app.admin, batch_id)).batch).toMatchObject({ state: 'locked', letters: 2 });
    const answer = await rollBack(app.admin, batch_id);
    expect(answer.status).toBe(409);
    expect(answer.body.error.message).toContain('2 letters');
    expect(answer.body.error.details.letters).toBe(2);
    expect(await countPeople(app)).toBe(3);
  });

  test('a letter to someone whom the batch only skipped locks nothing', async () => {
    await planAndWrite(app.admin, { file: list(1) });
    const { batch_id } = await planAndWrite(app.admin, { file: list(3) });
    await send(await personOf('p0@list.example'));
    expect((await rollBack(app.admin, batch_id)).status).toBe(200);
  });

  test('a letter and a rollback in the same moment have one order', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const { batch_id } = await planAndWrite(app.admin, { file: list(20, round * 100) });
      const person = await personOf(`p${round * 100}@list.example`);
      // The stand-in for the sender: the letter goes only to someone who is there, whom it holds.
      const sender = app.instance.app.database.transact(async (tx) => {
        const held = await tx`select 1 from people where id = ${person} for key share`;
        if (held.length === 0) return 'nobody';
        await lockBatchesOf(tx, [person], randomUUID(), app.clock.now());
        return 'sent';
      });
      const [sent, back] = await Promise.all([sender, rollBack(app.admin, batch_id)]);
      const { batch } = await batchOf(app.admin, batch_id);
      const there = await app.sql`select 1 from people where id = ${person}`;
      seen.add(`${sent} ${back.status}`);
      if (sent === 'sent' && back.status === 409) {
        expect(batch).toMatchObject({ state: 'locked', letters: 1 });
        expect(there).toHaveLength(1);
      } else {
        expect([sent, back.status, batch.state]).toEqual(['nobody', 200, 'rolled_back']);
        expect(there).toHaveLength(0);
      }
    }
    expect(seen.size).toBeGreaterThan(0);
  });
});
