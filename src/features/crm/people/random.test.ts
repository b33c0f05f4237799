// Checks that no order of edits, merges, deletions and erasures breaks what must always hold: an address belongs to
// one person, whoever has addresses has exactly one primary one, and what was suppressed stays suppressed.
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type PersonClient, type TestApp } from '../../../../test/support/app.ts';

let app: TestApp;
let admin: PersonClient;
const PEOPLE = '/api/admin/crm/people';
/** Few, in several spellings, so that they meet. */
const ADDRESSES = [
  'a@x.example',
  'A@X.example',
  'b@x.example',
  'c@bücher.example',
  'c@xn--bcher-kva.example',
  'd@x.example',
];
const SUPPRESSED = ['a@x.example', 'c@xn--bcher-kva.example'];

beforeAll(async () => {
  app = await openTestApp();
  admin = app.admin;
  for (const address of SUPPRESSED)
    await admin.rest('POST', '/api/admin/outreach/suppressions', { address, reason: 'unsubscribe' });
});
afterAll(async () => {
  await app?.close();
});

const addresses = fc.array(
  fc.record({ value: fc.constantFrom(...ADDRESSES), primary: fc.option(fc.boolean(), { nil: undefined }) }),
  { maxLength: 3 },
);
const who = fc.nat({ max: 5 });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant('create' as const), addresses }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('edit' as const), who, addresses }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('merge' as const), who, other: who }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constantFrom('delete' as const, 'erase' as const), who, other: who }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function people(): Promise<any[]> {
  return (await admin.rest('GET', `${PEOPLE}?sort=created&limit=200`)).body.items;
}

async function take(at: Step, standing: any[]): Promise<number> {
  const pick = (n: number) => standing[n % standing.length];
  if (at.act === 'create')
    return (await admin.rest('POST', PEOPLE, { name: 'Somebody', addresses: at.addresses })).status;
  const person = standing.length > 0 ? pick(at.who) : null;
  if (!person) return 404;
  const path = `${PEOPLE}/${person.id}`;
  const { revision } = person;
  if (at.act === 'edit')
    return (await admin.rest('PATCH', path, { revision, addresses: at.addresses })).status;
  if (at.act === 'delete') return (await admin.rest('DELETE', path)).status;
  if (at.act === 'erase') return (await admin.rest('POST', `${path}/erase`, { revision })).status;
  const other = pick(at.other);
  const body = { from: other.id, revision, from_revision: other.revision };
  return (await admin.rest('POST', `${path}/merge`, body)).status;
}

async function holds(): Promise<void> {
  const standing = await people();
  const rows = await app.sql<{ normalised: string; person_id: string; is_primary: boolean }[]>`
    select normalised, person_id, is_primary from person_addresses`;
  expect(new Set(rows.map((row) => row.normalised)).size).toBe(rows.length);
  for (const person of standing) {
    const primaries = person.addresses.filter((each: any) => each.primary).length;
    expect(primaries).toBe(person.addresses.length > 0 ? 1 : 0);
    const mine = rows.filter((row) => row.person_id === person.id);
    expect(person.suppressed !== null).toBe(mine.some((row) => SUPPRESSED.includes(row.normalised)));
  }
  const [kept] = await app.sql<{ count: number }[]>`
    select count(*)::int as count from suppressions where lifted_at is null and lapsed_at is null`;
  expect(kept?.count).toBe(SUPPRESSED.length);
}

test('whatever is done to records, in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      await app.sql`truncate people cascade`;
      for (const each of steps) {
        expect([200, 201, 400, 404, 409]).toContain(await take(each, await people()));
        await holds();
      }
    }),
    { numRuns: 25 },
  );
});

test('whatever is done to them at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      await app.sql`truncate people cascade`;
      for (const name of ['One', 'Two', 'Three']) await admin.rest('POST', PEOPLE, { name });
      const standing = await people();
      const statuses = await Promise.all(steps.map((each) => take(each, standing)));
      for (const status of statuses) expect([200, 201, 400, 404, 409]).toContain(status);
      await holds();
    }),
    { numRuns: 25 },
  );
});
