// A process that is killed while it writes a big batch leaves whole chunks written and whole chunks waiting: whoever comes
// after writes the rest, and no one twice.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyOfText } from '../../src/store/seal.ts';
import type { Ordered } from '../support/child.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { batchOf, countPeople, list, planAndWrite } from './support.ts';

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

/** The sizes of the night. */
const LONG = process.env['TEST_LONG'] === '1';
const ROWS = LONG ? 12_000 : 6_000;
const LIVES = LONG ? 4 : 2;

function bear(life: number): ChildProcess {
  // Later than the lease of the one before.
  const masterKey = keyOfText(`test ${database.options.database}`).toString('hex');
  const orders: Ordered = { database: database.options, masterKey, aheadMs: life * 61_000 };
  return fork(join(import.meta.dirname, 'writer-child.ts'), [JSON.stringify(orders)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

const ended = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => child.once('exit', resolve));

test('killed again and again while it writes, the batch comes to its end with no one missing and no one twice', async () => {
  const { batch_id } = await planAndWrite(app.admin, { file: list(ROWS) });
  const states: number[] = [];
  for (let life = 1; life <= LIVES; life++) {
    const child = bear(life);
    const gone = ended(child);
    const from = await countPeople(app);
    // Until it has written something of its own, and is in the middle of the next.
    while ((await countPeople(app)) === from && child.exitCode === null) await sleep(5);
    child.kill('SIGKILL');
    await gone;
    const { batch } = await batchOf(app.admin, batch_id);
    const people = await countPeople(app);
    states.push(people);
    expect(people % 1_000, 'never half a chunk').toBe(0);
    expect(batch).toMatchObject({ done_rows: people, created: people });
    expect(batch.state).toBe(people < ROWS ? 'writing' : 'written');
  }
  expect(states[0]).toBeLessThan(ROWS);
  const last = bear(9);
  await new Promise((resolve) => last.once('message', resolve));
  const gone = ended(last);
  last.disconnect();
  await gone;
  const { batch } = await batchOf(app.admin, batch_id);
  expect(batch).toMatchObject({ state: 'written', done_rows: ROWS, created: ROWS, differs: 0 });
  expect(await countPeople(app)).toBe(ROWS);
  const rows =
    await app.sql`select count(distinct person_id)::int as people, count(*)::int as rows from import_rows`;
  expect(rows[0]).toEqual({ people: ROWS, rows: ROWS });
});
