// Owns what other slices ask of suppressions: who is suppressed and by what, in every spelling, after erasure, and in SQL.
import { asyncProperty, assert, constantFrom, emailAddress, func, string } from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { addressHash, parseAddress } from '../../../mail/address.ts';
import { forgetValues, personIsSuppressed, personMark, standingAmong, suppress } from './store.ts';

const ALL = '/api/admin/outreach/suppressions';
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(async () => app.close());
beforeEach(async () => {
  await app.sql`delete from suppressions`;
});

const add = async (body: Record<string, unknown>) => {
  const answer = await app.admin.rest('POST', ALL, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const now = () => app.clock.now();
const spelled = (text: string): { hash: string; domain: string } => {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error(text);
  return { hash: addressHash(parsed.address.normalised), domain: parsed.address.domain };
};
const markOn = async (text: string) =>
  (await standingAmong(app.sql, [spelled(text)], now())).get(spelled(text).hash);

test('the strongest is what is shown, whatever came first', async () => {
  const order = ['import', 'manual', 'hard_bounce', 'unsubscribe', 'legal', 'complaint'];
  for (const reason of order) {
    await add(
      reason === 'manual' ? { domain: 'acme.example', reason } : { address: 'ann@acme.example', reason },
    );
    expect(await markOn('ann@acme.example')).toMatchObject({
      reason,
      via: reason === 'manual' ? 'domain' : 'address',
    });
  }
});

test('A21: no other case, spacing or form of the domain is a way round a suppression', async () => {
  const cased = constantFrom(...'acme', ...'ACME');
  await assert(
    asyncProperty(
      emailAddress({ size: 'small' }).filter((address) => parseAddress(address).ok),
      func(cased.map((letter) => letter === letter.toUpperCase())),
      string({ unit: constantFrom(' ', '\t', '\n'), maxLength: 2 }),
      async (address, upper, space) => {
        await add({ address });
        const other = [...address].map((c, n) => (upper(n) ? c.toUpperCase() : c)).join('');
        expect(await markOn(`${space}${other}${space}`)).toBeDefined();
      },
    ),
    { numRuns: 40 },
  );
  await add({ address: 'ann@bücher.example' });
  for (const form of ['ann@xn--bcher-kva.example', 'Ann@BU\u0308CHER.example', '"ann"@bücher.example'])
    expect(await markOn(form), form).toBeDefined();
  expect(await markOn('ann+tag@bücher.example')).toBeUndefined();
});

test('erasure takes the value and the note and leaves the hash: it goes on matching, and adding again finds it', async () => {
  const { suppression } = await add({
    address: 'ann@acme.example',
    note: 'Ann rang',
    reason: 'unsubscribe',
  });
  await app.instance.pools.writer.begin((tx) => forgetValues(tx as never, [suppression.value_hash]));
  expect(await markOn('ANN@acme.example')).toMatchObject({ id: suppression.id });
  const again = await add({ address: 'ann@acme.example', reason: 'unsubscribe' });
  expect(again).toMatchObject({ added: 0, suppression: { id: suppression.id, value: null, note: null } });
  const found = await app.admin.rest('GET', `${ALL}?query=${encodeURIComponent('Ann@acme.example')}`);
  expect(found.body.items.map((row: { id: string }) => row.id)).toEqual([suppression.id]);
});

test('a list of people asks in SQL, by address and by domain', async () => {
  const { hash, domain } = spelled('ann@acme.example');
  const person = '0198c0de-0000-7000-8000-0000000000aa';
  await app.sql`
      insert into people (id, name, name_key, search, created_by_kind, created_by_id, created_by_name, created_at, updated_at)
      values (${person}, 'Ann', 'ann', '', 'person', 'x', 'x', ${now()}, ${now()})`;
  await app.sql`
      insert into person_addresses (id, person_id, value, normalised, domain, hash, is_primary, position)
      values (${person}, ${person}, 'ann@acme.example', 'ann@acme.example', ${domain}, ${hash}, true, 0)`;
  const ask = async () =>
    (
      await app.sql`
        select ${personIsSuppressed(app.sql, now())} as suppressed, ${personMark(app.sql, now())} as mark
        from people p where p.id = ${person}`
    )[0];
  expect(await ask()).toEqual({ suppressed: false, mark: null });
  const { suppression } = await add({ domain: 'acme.example' });
  expect(await ask()).toEqual({
    suppressed: true,
    mark: { id: suppression.id, reason: 'manual', via: 'domain', since: suppression.created_at },
  });
  await app.instance.pools.writer.begin((tx) =>
    suppress(
      tx as never,
      { kind: 'address', value: 'ann@acme.example', reason: 'complaint', source: 'vendor' },
      { kind: 'system', id: 'warden', name: 'warden' },
      now(),
    ),
  );
  expect((await ask())?.['mark']).toMatchObject({ reason: 'complaint', via: 'address' });
});
