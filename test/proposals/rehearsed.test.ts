// Every operation that writes, rehearsed on a desk that has one of everything: no table changes but the audit log, and what was
// rehearsed is what then happens.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { features } from '../../src/features.ts';
import { rehearsalOf } from '../../src/kernel/context.ts';
import { type AnyOperation, pathKeys } from '../../src/kernel/operation.ts';
import { refusedToPropose } from '../../src/features/work/proposals/rules.ts';
import { COUNTED } from '../../src/features/work/proposals/words.rules.ts';
import { type Args, argumentsOf } from '../support/act-arguments.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { recordsDesk, type RecordsDesk } from '../support/desks.ts';
import { fingerprint } from '../support/fingerprint.ts';

let app: TestApp;
let desk: RecordsDesk;

beforeAll(async () => {
  app = await openTestApp({ baseUrl: 'https://desk.example', lookup: async () => [] });
  desk = await recordsDesk(app, await app.token({ name: 'scout' }), 'Quay');
});
afterAll(() => app?.close());

const bound = features.flatMap((each) => each.operations);
const writes = bound
  .map(({ operation }) => operation)
  .filter(({ effect }) => effect !== 'read')
  .filter((operation) => refusedToPropose(operation) === null)
  // What takes something away comes last: the others need it.
  .toSorted((a, b) => Number(a.effect === 'destroy') - Number(b.effect === 'destroy'));

const rehearse = async (operation: AnyOperation, args: Args) =>
  (await app.admin.rest('POST', '/api/rehearsals', { act: operation.name, arguments: args })).body.rehearsal;

test('a rehearsal of every write changes no table', async () => {
  const before = await fingerprint(app);
  const found = { would: 0, refused: 0, cannot: 0 };
  for (const operation of writes) {
    const rehearsal = await rehearse(operation, await argumentsOf(app, desk, operation));
    // Arguments that the desk has no record for are refused before anything is done.
    if (!rehearsal) found.refused += 1;
    else found[rehearsal.would ? 'would' : rehearsal.refused ? 'refused' : 'cannot'] += 1;
  }
  expect(await fingerprint(app)).toBe(before);
  expect(found.would, JSON.stringify(found)).toBeGreaterThan(60);
});

/** Ids, times and what is made of them differ; what is left is the same. */
const plain = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/hooks\/form\/[\w-]+/g, 'made')
    .replaceAll(/"(seen|fingerprint|hash|dkim_value|value|records)":("[^"]*"|\[[^\]]*\])/g, '"$1":"made"');

test('what is rehearsed is what happens', async () => {
  const differ: string[] = [];
  let done = 0;
  for (const operation of writes) {
    const args = await argumentsOf(app, desk, operation);
    const rehearsal = await rehearse(operation, args);
    if (!rehearsal || rehearsal.because !== null) continue;
    const path = operation.path.replace(/:([a-z_]+)/g, (_, key: string) =>
      encodeURIComponent(String(args[key])),
    );
    const body = Object.fromEntries(
      Object.entries(args).filter(([key]) => !pathKeys(operation.path).includes(key)),
    );
    const real = await app.admin.rest(
      operation.method,
      path,
      operation.method === 'DELETE' ? undefined : body,
    );
    if (rehearsal.refused) {
      const said = [rehearsal.refused.status, rehearsal.refused.message];
      const is = [real.status, real.body.error?.message];
      if (JSON.stringify(said) !== JSON.stringify(is))
        differ.push(`${operation.name}: ${said.join(' ')} / ${is.join(' ')}`);
      continue;
    }
    done += 1;
    const { answer, status } = rehearsal.would;
    if (status !== real.status)
      differ.push(`${operation.name}: ${status} / ${real.status} ${JSON.stringify(real.body.error)}`);
    else if (answer !== null && plain(answer) !== plain(real.body))
      differ.push(`${operation.name}: ${plain(answer)}\n / ${plain(real.body)}`);
  }
  expect(differ).toEqual([]);
  expect(done).toBeGreaterThan(60);
});

test('every table is counted in words, or belongs to one that is', async () => {
  const tables = await app.sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public'`;
  const there = new Set(tables.map(({ name }) => name));
  expect(Object.keys(COUNTED).filter((name) => !there.has(name))).toEqual([]);
});

test('an act that asks someone outside says what its rehearsal does instead', () => {
  const says = bound.flatMap((each) => {
    const rehearsal = rehearsalOf(each);
    return rehearsal ? [Object.values(rehearsal)[0] ?? ''] : [];
  });
  expect(says.length).toBeGreaterThan(15);
  for (const sentence of says) expect(sentence).toMatch(/^[A-Z].{15,}\.$/);
});
