// Seals of the audit log: what is behind one can't be changed, added or removed without being found.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dunnock } from '../../../../test/commands/dunnock.ts';
import { freshDatabase, type FreshDatabase } from '../../../../test/support/database.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { HOUR_MS } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { newestSeal, SEAL_MS, sealNext, verifySeals } from './seals.store.ts';

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

/** As if it had been made so long ago. */
const idAgo = (ms: number): string => {
  const hex = (Date.now() - ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${newId().slice(13)}`;
};

const row = (id: string, sentence = 'x') => app.sql`
  insert into audit (id, at, principal_kind, principal_id, principal_name, surface, turn, act, outcome, code, sentence, request_id)
  values (${id}, now(), 'person', 'p', 'Ada', 'rest', 'direct', 'item_create', 'refused', 'conflict', ${sentence}, ${newId()})`;

/** What only whoever owns the database can do. */
async function lifted(work: () => Promise<unknown>): Promise<void> {
  for (const table of ['audit', 'audit_seals'])
    await app.sql`alter table ${app.sql(table)} disable trigger user`;
  await work();
  for (const table of ['audit', 'audit_seals'])
    await app.sql`alter table ${app.sql(table)} enable trigger user`;
}

const sealed = async (): Promise<number> => {
  let made = 0;
  while (await app.instance.app.database.transact((tx) => sealNext(tx, new Date()))) made += 1;
  return made;
};
const broken = async () => (await verifySeals(app.instance.app.database.reader)).broken;

let ids: string[];
beforeEach(async () => {
  await lifted(() => app.sql`truncate audit, audit_seals`);
  ids = [3 * HOUR_MS, 3 * HOUR_MS - 1, 2 * HOUR_MS, HOUR_MS].map(idAgo);
  for (const id of ids) await row(id);
});

test('spans that are over and have rows are sealed, each once, and hold', async () => {
  await row(newId());
  const made = await sealed();
  expect(made).toBeGreaterThanOrEqual(3);
  expect(await sealed()).toBe(0);
  const { seals, rows, head, broken: found } = await verifySeals(app.instance.app.database.reader);
  expect([seals, rows, found]).toEqual([made, 4, null]);
  expect(head?.until_at.getTime()).toBeLessThan(Date.now() - SEAL_MS);
  const told = await app.admin.rest('GET', '/api/admin/audit/seal');
  expect(told.body.seal).toMatchObject({ number: made, hash: head?.hash });
});

test('a transaction that began before the end of a span keeps it open', async () => {
  const waiting = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const open = app.sql.begin(async (sql) => {
    await sql`select 1`;
    begun.resolve();
    await waiting.promise;
  });
  await begun.promise;
  const later = new Date(Date.now() + 3 * SEAL_MS);
  await row(newId());
  while (await app.instance.app.database.transact((tx) => sealNext(tx, new Date())));
  expect(await app.instance.app.database.transact((tx) => sealNext(tx, later))).toBeNull();
  waiting.resolve();
  await open;
  expect(await app.instance.app.database.transact((tx) => sealNext(tx, later))).not.toBeNull();
});

test('what is changed, added or removed behind a seal is found', async () => {
  await sealed();
  expect(await broken()).toBeNull();
  await lifted(() => app.sql`update audit set sentence = 'y' where id = ${String(ids[2])}`);
  expect((await broken())?.why).toBe('changed');
  await lifted(() => app.sql`update audit set sentence = 'x' where id = ${String(ids[2])}`);
  expect(await broken()).toBeNull();
  await lifted(() => app.sql`delete from audit where id = ${String(ids[3])}`);
  expect((await broken())?.why).toBe('removed');
  await row(String(ids[3]));
  // The time of the row is another: it is changed.
  expect((await broken())?.why).toBe('changed');
});

test('a row that comes between seals, and a seal that is rewritten, are found; the command says it in a sentence', async () => {
  await sealed();
  const env = { DATABASE_URL: database.url, SERVICE_INSTANCE: 'test', SERVICE_DATA_DIR: '/nowhere/at/all' };
  const well = await dunnock(env, ['verify', 'audit']);
  const head = await newestSeal(app.instance.app.database.reader);
  expect([well.status, well.lines.at(-1)]).toEqual([0, expect.stringContaining(`Head: ${head?.hash}`)]);
  await row(idAgo(2.5 * HOUR_MS));
  const found = await dunnock(env, ['verify', 'audit']);
  expect([found.status, found.lines.at(-1)]).toEqual([1, expect.stringContaining('are in no seal')]);
  await lifted(() => app.sql`delete from audit where id <> all(${ids}::uuid[])`);
  const other = 'a'.repeat(64);
  await lifted(() => app.sql`update audit_seals set rows_hash = ${other} where number = 2`);
  expect(await broken()).toMatchObject({ why: 'chain', seal: { number: 2 } });
});
