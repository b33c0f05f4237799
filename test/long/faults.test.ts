// Faults that take their time: a database that falls silent, with the product's own patience, and the product's own server on a
// disk that fills up to the last byte.
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startOwnServer } from '../../src/store/own-server/own-server.ts';
import { keyOfText } from '../../src/store/seal.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { faultProxy } from '../support/fault-proxy.ts';
import { openTestApp, type Answer, type TestApp } from '../support/app.ts';
import { NO_DISK, smallDisk } from '../support/small-disk.ts';

const silent = pino({ level: 'silent' });

const creating =
  (app: TestApp) =>
  (title = 'A card'): Promise<Answer> =>
    app.admin.rest('POST', '/api/work/items', { project: 'OUT', title });

test('a database that falls silent is noticed within half a minute: whoever waits is told, and it heals automatically', async () => {
  const database = await freshDatabase();
  const proxy = await faultProxy(Number(new URL(database.url).port));
  const options = { ...database.options, host: '127.0.0.1', port: proxy.port };
  const app = await openTestApp({ database: { ...database, options }, passes: true, log: silent });
  const create = creating(app);
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  expect((await create()).status).toBe(201);
  for (let round = 0; round < 2; round += 1) {
    await proxy.set({ kind: 'swallow' });
    const begun = performance.now();
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => create(`in the silence ${round}`)),
      ...Array.from({ length: 10 }, () => app.admin.rest('GET', '/api/work/items')),
    ]);
    // 5 s to the next pulse, 15 for it to be late, and 10 for those that wait for a connection that is not made.
    expect((performance.now() - begun) / 1000).toBeLessThan(60);
    for (const { status, body } of answers)
      expect([status, body.error.message]).toEqual([503, expect.stringMatching(/^the database /)]);
    await proxy.set({ kind: 'none' });
    await expect.poll(async () => (await create()).status, { interval: 100 }).toBe(201);
    const found = await app.sql`select 1 from work_items where title = ${`in the silence ${round}`}`;
    expect(found).toHaveLength(0);
  }
  await app.close();
  await proxy[Symbol.asyncDispose]();
  await database.drop();
});

test('a commit that hangs, as on a disk that does not answer, is told as not known within a bound, and its key tells the truth', async () => {
  const database = await freshDatabase();
  const proxy = await faultProxy(Number(new URL(database.url).port));
  const options = { ...database.options, host: '127.0.0.1', port: proxy.port };
  const app = await openTestApp({ database: { ...database, options }, passes: true, log: silent });
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  const create = (n: number): Promise<Answer> =>
    app.admin.rest(
      'POST',
      '/api/work/items',
      { project: 'OUT', title: `card ${n}` },
      { 'idempotency-key': `card-${n}` },
    );
  // Only a fresh connection is sent the word itself.
  proxy.resetAll();
  await proxy.set({ kind: 'swallow', from: 'commit', heard: true });
  const begun = performance.now();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => create(n)));
  // 25 s for the commits, and ten more for those that waited for their connections.
  expect((performance.now() - begun) / 1000).toBeLessThan(60);
  for (const { status, body } of answers) {
    const says = expect.stringMatching(
      /^the database .*(nothing was changed|may or may not have been saved)/,
    );
    expect([status, body.error.message]).toEqual([503, says]);
  }
  expect(answers.filter(({ body }) => body.error.message.includes('not known')).length).toBeGreaterThan(5);
  await proxy.set({ kind: 'none' });
  for (const n of answers.keys())
    await expect.poll(async () => (await create(n)).status, { interval: 100 }).toBe(201);
  const cards = await app.sql`select distinct title from work_items`;
  expect([cards.length, (await app.sql`select from work_items`).length]).toEqual([20, 20]);
  await app.close();
  await proxy[Symbol.asyncDispose]();
  await database.drop();
});

test('the own server on a full disk refuses acts in one sentence; where its log has no room it ends with one; no act is lost', async ({
  skip,
}) => {
  using disk = smallDisk(200, { uid: 0, gid: 0 });
  if (!disk) return skip(NO_DISK);
  const filler = join(disk.folder, 'filler');
  const fill = (): void => {
    const { bavail, bsize } = statfsSync(disk.folder);
    writeFileSync(filler, Buffer.alloc(bavail * bsize, 1));
  };
  const masterKey = keyOfText('the key of the long test of faults');
  const open = async (setUp: boolean) => {
    const server = await startOwnServer({ dataDir: disk.folder, log: () => undefined });
    const { socketDir: host, port, user, database: name } = server;
    const options = { host, port, user, database: name, password: '' };
    const database: FreshDatabase = { options, url: '', drop: async () => undefined };
    const app = await openTestApp({ database, masterKey, setUp, log: silent });
    return { server, app };
  };
  const first = await open(true);
  const create = creating(first.app);
  await first.app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  let done = 0;
  const createUntilRefused = async (): Promise<void> => {
    let refused = 0;
    for (let n = 0; n < 400 && refused < 20; n += 1) {
      const { status, body } = await create('x'.repeat(250));
      if (status === 201) done += 1;
      else {
        refused += 1;
        const says = expect.stringMatching(/^the database [^.]{20,280}$/);
        expect([status, body.error.message]).toEqual([503, says]);
      }
    }
    expect(refused).toBe(20);
  };

  fill();
  await createUntilRefused();
  rmSync(filler);
  await expect.poll(async () => (await create()).status, { interval: 200 }).toBe(201);
  done += 1;

  // The next piece of the log has no room either: the server breaks off, and cannot start itself again.
  fill();
  await first.app.sql`select pg_switch_wal()`.catch(() => undefined);
  await createUntilRefused();
  expect(await first.server.lost).toMatch(
    /^PostgreSQL ended without being asked; the reason is at the end of /,
  );
  await first.app.close();
  await first.server.stop();

  // Whoever keeps the process running starts it again.
  rmSync(filler);
  const again = await open(false);
  const [row] = await again.app.sql<{ count: number }[]>`select count(*)::int as count from work_items`;
  expect(row?.count).toBeGreaterThanOrEqual(done);
  await again.app.close();
  await again.server.stop();
});
