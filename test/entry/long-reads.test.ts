// Reads whose cost their caller chooses keep no one from what everyone needs: they are on connections of their own, one at a
// time for each caller, and end after five seconds.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { features } from '../../src/features.ts';
import type { Reader } from '../../src/kernel/database.ts';
import { openLongReads } from '../../src/store/long-reads.ts';
import { openTestApp, type Answer, type PersonClient, type TestApp } from '../support/app.ts';

let app: TestApp;
let kim: PersonClient;
beforeAll(async () => {
  app = await openTestApp();
  kim = await app.person({ admin: true });
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});
afterAll(() => app.close());

const search = (by: PersonClient): Promise<Answer> => by.rest('GET', '/api/search?query=zeph');

/** As long as the work takes, nothing that reads people's companies comes to an end on its own. */
async function whileItHangs(work: () => Promise<void>): Promise<void> {
  await app.sql.begin(async (tx) => {
    await tx`lock table companies in access exclusive mode`;
    await work();
  });
}

const hanging = async (): Promise<number> => {
  const [row] = await app.sql<{ hang: number }[]>`
    select count(*)::int as hang from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'`;
  return row?.hang ?? 0;
};

test('hole D5: searches and files of one caller hold one connection, and everyone else is answered', async () => {
  let asked: Promise<Answer>[] = [];
  await whileItHangs(async () => {
    asked = [
      ...Array.from({ length: 8 }, () => search(kim)),
      ...Array.from({ length: 4 }, () => kim.rest('GET', '/api/admin/crm/companies/export')),
      kim.rest('GET', '/api/digests/instance_digest'),
    ];
    await expect.poll(hanging).toBe(1);
    const began = performance.now();
    const plain = await Promise.all([
      app.admin.rest('GET', '/api/work/items'),
      kim.rest('GET', '/api/admin/outreach/suppressions'),
      kim.rest('GET', '/api/me'),
    ]);
    expect(plain.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(await hanging()).toBe(1);
    asked.push(search(app.admin));
    await expect.poll(hanging).toBe(2);
  });
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
});

/** Whether another long read of Kim's is one too many. */
async function tooMany(): Promise<boolean> {
  const late = new AbortController();
  const answer = await Promise.race([search(kim), sleep(200, null, { signal: late.signal })]);
  late.abort();
  return answer?.status === 429;
}

test('hole D5: whoever hangs up on a long read waits for none', async () => {
  await whileItHangs(async () => {
    const gone = new AbortController();
    const asked = Array.from({ length: 32 }, () =>
      fetch(`${app.url}/api/search?query=zeph`, {
        headers: { cookie: kim.cookie, origin: app.url },
        signal: gone.signal,
      }).catch(() => null),
    );
    await expect.poll(hanging).toBe(1);
    await expect.poll(tooMany).toBe(true);
    gone.abort();
    await Promise.all(asked);
    // The one that hangs in the database still counts, and those that wait do not. Much later they would be told that they do.
    await expect.poll(tooMany, { timeout: 2_500 }).toBe(false);
  });
  // They were refused nothing, so Activity says nothing of them.
  const refused = await app.sql`select sentence from audit where code = 'unavailable'`;
  expect(refused).toEqual([]);
});

test('hole D5: that one caller has too many long reads waiting is told to no one who asks the same', async () => {
  const filter = { all: [{ field: 'name', op: 'contains', value: 'zeph' }] };
  const count = (by: PersonClient): Promise<Answer> =>
    by.rest('POST', '/api/admin/crm/segments/count', { filter });
  // Reads of one caller run one at a time: none of the test before runs any more.
  expect((await search(kim)).status).toBe(200);
  let asked: Promise<Answer>[] = [];
  await app.sql.begin(async (tx) => {
    await tx`lock table companies, people in access exclusive mode`;
    const waiting = Array.from({ length: 32 }, () => search(kim));
    await expect.poll(tooMany, { timeout: 4_000 }).toBe(true);
    expect((await count(kim)).status).toBe(429);
    const other = count(app.admin);
    await expect.poll(hanging).toBe(2);
    asked = [...waiting, other];
  });
  await Promise.all(asked);
  expect((await count(app.admin)).status).toBe(200);
});

test('hole D5: who asks for more long reads at once than anyone reads is told so', async () => {
  let asked: Promise<Answer>[] = [];
  await whileItHangs(async () => {
    asked = Array.from({ length: 33 }, () => search(kim));
    const first = await Promise.race(asked);
    expect(first).toMatchObject({
      status: 429,
      body: { error: { code: 'rate_limited', details: { retry_after: 5 } } },
    });
    expect(first.body.error.message).toMatch(/they run one at a time: wait for them/);
  });
  // All have their answers before the next test asks for one of the same caller.
  await Promise.all(asked);
  expect((await search(kim)).status).toBe(200);
});

test('hole D5: a long read that takes longer than five seconds ends with a sentence', async () => {
  await whileItHangs(async () => {
    const began = performance.now();
    expect(await search(kim)).toMatchObject({
      status: 503,
      body: { error: { code: 'unavailable', message: expect.stringMatching(/narrow the request/) } },
    });
    expect(performance.now() - began).toBeLessThan(8_000);
  });
});

test('every list that is given as a file is a long read', () => {
  const files = features
    .flatMap((feature) => feature.operations.map((bound) => bound.operation))
    .filter(({ answers }) => 'file' in answers && answers.file.startsWith('text/csv'));
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter(({ cost }) => cost !== 'long').map(({ name }) => name)).toEqual([]);
});

test('hole D5: callers take turns, however many reads one of them has waiting', async () => {
  const reads = openLongReads([app.sql as unknown as Reader]);
  const order: string[] = [];
  const ask = (who: string, n: number) => reads.run(who, async () => void order.push(`${who}${n}`));
  const asked = [1, 2, 3, 4].map((n) => ask('a', n));
  await Promise.all([...asked, ask('b', 1), ask('c', 1)]);
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', 'a4']);
  const held = Promise.withResolvers<void>();
  const holds = reads.run('a', () => held.promise);
  await expect(reads.run('b', async () => 1, AbortSignal.abort())).rejects.toMatchObject({ status: 503 });
  held.resolve();
  await holds;
});

test('hole D5: of two connections the second is for whoever would wait behind a slow read', async () => {
  const connections = [{}, {}] as unknown as Reader[];
  const reads = openLongReads(connections, 1);
  const order: string[] = [];
  const quick = (who: string) =>
    reads.run(who, async () => {
      order.push(`${who} begins`);
      await sleep(20);
      order.push(`${who} ends`);
    });
  await Promise.all([quick('a'), quick('b')]);
  // Side by side they would take both of two cores from everyone else.
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  const held = Promise.withResolvers<void>();
  const slow = reads.run('a', () => held.promise);
  await quick('c');
  held.resolve();
  await slow;
  const both = openLongReads(connections, 2);
  const side = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const started: string[] = [];
  const asked = side.map(({ promise }, n) =>
    both.run(`d${n}`, () => {
      started.push(`d${n}`);
      return promise;
    }),
  );
  await sleep(0);
  expect(started).toEqual(['d0', 'd1']);
  for (const { resolve } of side) resolve();
  await Promise.all(asked);
});
