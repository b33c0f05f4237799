// The way to the database swallows what is sent, and no one says so: what waits is told within a bound, and all of it works
// again. With the patience of a moment here; test/long has the product's own.
import postgres from 'postgres';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { troubleOf } from '../../src/kernel/trouble.ts';
import { connect, type Pools } from '../../src/store/connect.ts';
import { openDatabase } from '../../src/store/database.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { faultProxy, type FaultProxy } from '../support/fault-proxy.ts';

/** Long enough for a busy machine to answer in, and nothing here depends on its not being called silent too early. */
const PATIENCE = { pulse_every_ms: 300, pulses: 3, look_every_ms: 50, looks: 100, commit_ms: 600_000 };
const NO_PULSE = { ...PATIENCE, pulse_every_ms: 600_000 };

let database: FreshDatabase;
let proxy: FaultProxy;
let pools: Pools;
let heard: string[];
/** A pool that was left is given five seconds: the next test does not wait for that. */
const closing: Promise<void>[] = [];
afterAll(() => Promise.all(closing));

async function open(patience: typeof PATIENCE): Promise<void> {
  const options = { ...database.options, host: '127.0.0.1', port: proxy.port };
  pools = connect(options, () => undefined, patience);
  await pools.listen(
    'told',
    (text) => heard.push(text),
    () => heard.push('listening'),
  );
}

beforeEach(async () => {
  database = await freshDatabase();
  proxy = await faultProxy(Number(new URL(database.url).port));
  heard = [];
  const sql = postgres({ ...database.options, max: 1, onnotice: () => undefined });
  await sql`create table kept (n int primary key)`;
  await sql.end();
});

afterEach(async () => {
  await proxy.set({ kind: 'none' });
  closing.push(pools.close());
  await proxy[Symbol.asyncDispose]();
  await database.drop();
});

const write = (n: number): Promise<unknown> =>
  pools.writer.begin(async (tx) => {
    await tx`insert into kept values (${n})`;
    await tx`select ${n}::int`;
  });

/** How each ended, in the word of its trouble. */
const ends = async (acts: Promise<unknown>[]): Promise<(string | null)[]> =>
  (await Promise.allSettled(acts)).map((end) =>
    end.status === 'fulfilled' ? 'done' : troubleOf(end.reason),
  );

/** Written before. */
const absorbed = (error: unknown): void => {
  if (!(error instanceof postgres.PostgresError) || error.code !== '23505') throw error;
};

const works = (): Promise<void> =>
  expect
    .poll(() => ends([pools.reader`select 1`, pools.lookups`select 1`, write(0).catch(absorbed)]), {
      interval: 50,
    })
    .toEqual(['done', 'done', 'done']);

test('a database whose packets vanish is noticed by the pulse: whatever waits is told, and nothing hangs', async () => {
  await open(PATIENCE);
  // Some connections are there already, and some are to be made in the silence.
  await Promise.all([write(1), write(2), pools.reader`select 1`]);
  await proxy.set({ kind: 'swallow' });
  const acts = [
    ...Array.from({ length: 30 }, (_, n) => write(100 + n)),
    ...Array.from({ length: 10 }, async () => pools.reader`select pg_sleep(0)`),
    ...Array.from({ length: 5 }, async () => pools.lookups`select 1`),
  ];
  expect([...new Set(await ends(acts))]).toEqual(['gone']);
  await proxy.set({ kind: 'none' });
  await works();
  // Nothing of what was said to have failed is there, and a change notification is heard again.
  expect(await pools.reader`select n from kept where n > 0 order by n`).toMatchObject([{ n: 1 }, { n: 2 }]);
  await expect
    .poll(async () => {
      await pools.writer`select pg_notify('told', 'again')`.catch(() => undefined);
      return heard.includes('again');
    })
    .toBe(true);
});

test('one connection that is forgotten on its way is left, while the others go on', async () => {
  await open({ ...NO_PULSE, looks: 20 });
  await Promise.all([write(1), pools.reader`select 1`]);
  // It rests for a moment: that is when it is forgotten.
  await new Promise((resolve) => setTimeout(resolve, 300));
  await proxy.set({ kind: 'swallow', from: 'the forgotten one' });
  const forgotten = ends([pools.reader`select 'the forgotten one'`]);
  expect(await ends([write(2), pools.lookups`select 1`])).toEqual(['done', 'done']);
  expect(await forgotten).toEqual(['gone']);
  expect(await ends([write(3), pools.reader`select 1`])).toEqual(['done', 'done']);
});

/** The server hears the word and does it; what it says to that is lost, as where its disk keeps it waiting. */
const unanswered = (word: string): Promise<void> => proxy.set({ kind: 'swallow', from: word, heard: true });

test('a commit that does not come back is told as one that is not known, and others go on', async () => {
  await open({ ...NO_PULSE, looks: 100_000, commit_ms: 400 });
  // On a fresh connection the word itself is sent; later only the name of the statement.
  await unanswered('commit');
  const database = openDatabase(pools, 'test', () => undefined);
  const acts = Array.from({ length: 12 }, (_, n) =>
    database.transact(async (tx) => void (await tx`insert into kept values (${100 + n})`)),
  );
  expect([...new Set(await ends(acts))]).toEqual(['unsettled']);
  await proxy.set({ kind: 'none' });
  await works();
  proxy.resetAll();
  await works();
  expect(await pools.reader`select count(*)::int as n from kept where n >= 100`).toEqual([{ n: 12 }]);
});

test('a statement that hangs right after an answer is told, too: its connection is left', async () => {
  await open({ ...NO_PULSE, looks: 20 });
  await pools.writer`select 1`;
  await unanswered('insert into kept');
  // On the connection that has just answered: not one look lies between.
  const audit = ends([pools.writer`select 1`.then(() => pools.writer`insert into kept values (7)`)]);
  expect(await audit).toEqual(['gone']);
  await proxy.set({ kind: 'none' });
  await works();
});

test('a statement that takes long, and a connection that rests, are not taken for forgotten', async () => {
  await open({ ...NO_PULSE, look_every_ms: 20, looks: 60 });
  await write(1);
  const before = proxy.connections();
  // Rests for longer than a statement may be owed an answer, and is owed one for half as long after that.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await ends([pools.writer.begin((tx) => tx`select pg_sleep(0.5)`)])).toEqual(['done']);
  expect(proxy.connections()).toBeLessThanOrEqual(before + 1);
});
