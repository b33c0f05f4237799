// Covers what is done to people beside changing them: merging, deleting, erasing, and that none of it lets a
// suppressed address be written to again (side door 15, red team A21).
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

async function made(name: string, ...values: string[]): Promise<any> {
  const body = { name, addresses: values.map((value) => ({ value })) };
  const answer = await admin.rest('POST', PEOPLE, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.person;
}
async function suppressed(address: string, reason = 'unsubscribe'): Promise<void> {
  const answer = await admin.rest('POST', '/api/admin/outreach/suppressions', { address, reason });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
}
const patch = (person: any, body: object): Promise<Answer> =>
  admin.rest('PATCH', `${PEOPLE}/${person.id}`, { revision: person.revision, ...body });
const merged = (into: any, from: any): Promise<Answer> =>
  admin.rest('POST', `${PEOPLE}/${into.id}/merge`, {
    from: from.id,
    revision: into.revision,
    from_revision: from.revision,
  });
const erased = (person: any): Promise<Answer> =>
  admin.rest('POST', `${PEOPLE}/${person.id}/erase`, { revision: person.revision });
const read = async (id: string): Promise<any> => (await admin.rest('GET', `${PEOPLE}/${id}`)).body.person;

describe('a suppression outlives every change of the record (A21, side door 15)', () => {
  test('deleting and creating again', async () => {
    const person = await made('Del', 'del@lark.example');
    await suppressed('del@lark.example');
    expect((await read(person.id)).suppressed).toMatchObject({ reason: 'unsubscribe', via: 'address' });
    expect((await admin.rest('DELETE', `${PEOPLE}/${person.id}`)).status).toBe(200);
    expect((await made('Del again', 'Del@LARK.example.')).suppressed).toMatchObject({
      reason: 'unsubscribe',
    });
  });

  test('another spelling: letter case, and a domain in its own script or as A-labels', async () => {
    const person = await made('Idn', 'case@bücher.example');
    await suppressed('CASE@BÜCHER.example');
    for (const value of ['Case@xn--bcher-kva.example', 'case@Bücher.Example', 'case@bücher.example']) {
      const after = await patch(await read(person.id), { addresses: [{ value }] });
      expect(after.status, JSON.stringify(after.body)).toBe(200);
      expect(after.body.person.suppressed, value).toMatchObject({ reason: 'unsubscribe' });
    }
  });

  test('taking the address away and giving it back, or to someone else', async () => {
    const person = await made('Edit', 'edit@lark.example');
    await suppressed('edit@lark.example', 'complaint');
    const clean = (await patch(person, { addresses: [{ value: 'other@lark.example' }] })).body.person;
    expect(clean.suppressed).toBeNull();
    const back = await patch(clean, { addresses: [{ value: 'edit@lark.example' }] });
    expect(back.body.person.suppressed.reason).toBe('complaint');
    await patch(back.body.person, { addresses: [] });
    expect((await made('Heir', 'edit@lark.example')).suppressed.reason).toBe('complaint');
  });

  test('merging, whichever of the two stays; the strongest is shown', async () => {
    const one = await made('M1', 'm1@lark.example');
    const two = await made('M2', 'm2@lark.example');
    await suppressed('m2@lark.example', 'manual');
    expect((await merged(one, two)).body.person.suppressed.reason).toBe('manual');
    await suppressed('m1@lark.example', 'complaint');
    expect((await read(one.id)).suppressed.reason).toBe('complaint');
  });

  test('erasing: the hash exists, the value is gone, and a new record of the address is suppressed', async () => {
    const person = await made('Erase Me', 'first@erase.example', 'second@erase.example');
    await suppressed('first@erase.example');
    const had = (await patch(person, { addresses: [{ value: 'second@erase.example' }] })).body.person;
    expect((await erased(had)).status).toBe(200);
    const rows = await app.sql`select value, value_hash from suppressions where value like '%erase.example'`;
    expect(rows).toEqual([]);
    expect((await made('Back', 'FIRST@erase.example')).suppressed).toMatchObject({ reason: 'unsubscribe' });
    expect((await made('Back too', 'second@erase.example')).suppressed).toBeNull();
  });
});

describe('a merge', () => {
  test('brings addresses, tags, links, notes and what was empty, and the old id leads to who stays', async () => {
    const into = await made('Stay', 'stay@example.com');
    const from = await made('Go', 'go@example.com', 'go2@example.com');
    const kept = (await patch(into, { tags: ['a'], title: 'Kept', basis: 'none' })).body.person;
    const gone = (
      await patch(from, {
        tags: ['b', 'a'],
        title: 'Lost',
        country: 'FR',
        basis: 'consent',
        basis_note: 'A card',
        links: ['https://example.com/go'],
      })
    ).body.person;
    await admin.rest('POST', `${PEOPLE}/${from.id}/notes`, { text: 'Said yes' });
    const { status, body } = await merged(kept, gone);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.person).toMatchObject({
      id: into.id,
      name: 'Stay',
      title: 'Kept',
      country: 'FR',
      basis: 'consent',
      basis_note: 'A card',
      tags: ['a', 'b'],
      links: ['https://example.com/go'],
    });
    expect(body.person.addresses.map((each: any) => [each.value, each.primary])).toEqual([
      ['stay@example.com', true],
      ['go@example.com', false],
      ['go2@example.com', false],
    ]);
    const timeline = (await admin.rest('GET', `${PEOPLE}/${into.id}/timeline`)).body.items;
    expect(timeline[0]).toMatchObject({ kind: 'merged', details: { from: { id: from.id, name: 'Go' } } });
    expect(timeline.some((each: any) => each.text === 'Said yes')).toBe(true);
    expect((await read(from.id)).id).toBe(into.id);
    const write = await patch({ id: from.id, revision: 1 }, { title: 'X' });
    expect(write.status).toBe(409);
    expect(write.body.error.details.person_id).toBe(into.id);
    for (const words of ['go2', 'stay'])
      expect((await admin.rest('GET', `${PEOPLE}?query=${words}`)).body.items[0].id).toBe(into.id);
  });

  test('takes from the other record what is named, own fields included, and refuses what is no field', async () => {
    const set = await admin.rest('GET', '/api/admin/crm/fields?noun=person');
    const { revision, fields } = set.body.items[0];
    const tier = { key: 'tier', title: 'Tier', kind: 'text' };
    const saved = await admin.rest('PUT', '/api/admin/crm/fields', {
      noun: 'person',
      revision,
      fields: [...fields, tier],
    });
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    const into = (
      await patch(await made('Stays', 'stays@lark.example'), { title: 'Buyer', custom: { tier: 'A' } })
    ).body.person;
    const from = (
      await patch(await made('Goes', 'goes@lark.example'), { title: 'Head', custom: { tier: 'B' } })
    ).body.person;
    const both = { from: from.id, revision: into.revision, from_revision: from.revision };
    const merge = (take: string[]) => admin.rest('POST', `${PEOPLE}/${into.id}/merge`, { ...both, take });
    expect((await merge(['revision'])).status).toBe(400);
    const { body } = await merge(['title', 'custom.tier']);
    expect(body.person).toMatchObject({ name: 'Stays', title: 'Head', custom: { tier: 'B' } });
  });

  test('of a merged one leads every old id to the last', async () => {
    const [a, b, c] = [await made('Chain A'), await made('Chain B'), await made('Chain C')];
    const ab = (await merged(a, b)).body.person;
    await merged(c, ab);
    expect((await read(b.id)).id).toBe(c.id);
    await admin.rest('DELETE', `${PEOPLE}/${c.id}`);
    for (const each of [a, b, c]) expect((await admin.rest('GET', `${PEOPLE}/${each.id}`)).status).toBe(404);
  });

  test('is refused with oneself, of a record that is marked, and where either changed since', async () => {
    const one = await made('One');
    const two = await made('Two');
    expect((await merged(one, one)).status).toBe(400);
    expect((await merged(one, { ...two, revision: 9 })).status).toBe(409);
    const marked = (await patch(two, { do_not_merge: true })).body.person;
    expect((await merged(one, marked)).body.error.message).toContain('do_not_merge');
    expect((await merged(marked, one)).status).toBe(409);
    expect((await read(two.id)).id).toBe(two.id);
  });

  test('of two in both directions at once happens once', async () => {
    for (let round = 0; round < 4; round++) {
      const [one, two] = [await made('Left'), await made('Right')];
      const answers = await Promise.all([merged(one, two), merged(two, one)]);
      expect(answers.map((each) => each.status).sort()).toEqual([200, 409]);
      expect((await read(one.id)).id).toBe((await read(two.id)).id);
    }
  });
});

describe('erasing', () => {
  test('is a person’s act: every token on an agent’s turn and every service token is refused', async () => {
    const person = await made('Stays');
    const token = await app.token();
    const service = await app.token({ mode: 'service' });
    const call = { method: 'POST', path: `${PEOPLE}/${person.id}/erase`, body: { revision: 1 } };
    expect((await token.tool('api_request', call)).text).toContain('only a person can do it');
    expect((await service.rest('POST', call.path, call.body)).body.error.code).toBe('people_only');
    expect((await read(person.id)).id).toBe(person.id);
  });

  test('leaves nothing that says who it was, in any table', async () => {
    const marks = [
      'Zyxomma Unique',
      'zyxomma@erasure.example',
      'zyxomma-old@erasure.example',
      'Zyxomma note',
    ];
    const key = { 'idempotency-key': 'erase-replay' };
    const answer = await admin.rest(
      'POST',
      PEOPLE,
      { name: marks[0], addresses: [{ value: marks[1] }, { value: marks[2] }] },
      key,
    );
    const person = answer.body.person;
    await suppressed(marks[2]!);
    const noted = { 'idempotency-key': 'erase-note' };
    await admin.rest('POST', `${PEOPLE}/${person.id}/notes`, { text: marks[3] }, noted);
    const taken = await admin.rest('POST', PEOPLE, { name: 'N', addresses: [{ value: marks[1] }] });
    expect(taken.status).toBe(409);
    const edited = (await patch(person, { addresses: [{ value: marks[1] }] })).body.person;
    const twin = { name: 'Zyxomma Unique', addresses: [{ value: 'other@erasure.example' }] };
    const other = (await admin.rest('POST', PEOPLE, twin, { 'idempotency-key': 'erase-twin' })).body.person;
    const after = (await merged(edited, other)).body.person;
    expect((await erased(after)).status).toBe(200);
    const tables = await app.sql<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`;
    for (const { name } of tables) {
      const rows = await app.sql`
        select 1 from ${app.sql(name)} t where lower(t::text) like '%zyxomma%' or t::text like '%other@erasure%'`;
      expect(rows.length, name).toBe(0);
    }
    for (const id of [person.id, other.id])
      expect((await admin.rest('GET', `${PEOPLE}/${id}`)).status).toBe(404);
    const [row] = (await admin.rest('GET', '/api/admin/audit?act=person_erase&outcome=done&limit=1')).body
      .items;
    expect(row).toMatchObject({ resource: `crm:person/${person.id}`, principal: { id: admin.id } });
  });

  test('forgets no suppression of an address that someone else has by now', async () => {
    const first = await made('First', 'handed@over.example');
    const bare = (await patch(first, { addresses: [] })).body.person;
    await made('Second', 'handed@over.example');
    await suppressed('handed@over.example');
    await erased(bare);
    const [row] = await app.sql`select value from suppressions where value = 'handed@over.example'`;
    expect(row?.['value']).toBe('handed@over.example');
  });
});
