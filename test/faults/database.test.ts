// The way to the database fails in every way that ways fail: acts are refused in one sentence and leave nothing half-written,
// and everything works again automatically.
import { pino } from 'pino';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { faultProxy, type FaultProxy } from '../support/fault-proxy.ts';
import { openTestApp, type Answer, type TestApp, type TokenClient } from '../support/app.ts';

let database: FreshDatabase;
let proxy: FaultProxy;
let app: TestApp;
let agent: TokenClient;
/** Past the proxy. */
let sql: postgres.Sql;

beforeAll(async () => {
  database = await freshDatabase();
  proxy = await faultProxy(Number(new URL(database.url).port));
  const options = { ...database.options, host: '127.0.0.1', port: proxy.port };
  app = await openTestApp({
    database: { ...database, options },
    passes: true,
    log: pino({ level: 'silent' }),
  });
  sql = postgres({ ...database.options, max: 2, onnotice: () => undefined });
  agent = await app.token({ scopes: { wire: true } });
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});

beforeEach(async () => {
  await proxy.set({ kind: 'none' });
  await works();
});

afterAll(async () => {
  await proxy.set({ kind: 'none' });
  await app.close();
  await sql.end();
  await proxy[Symbol.asyncDispose]();
  await database.drop();
});

let drawn = 0;
const create = (title = `card ${(drawn += 1)}`, headers: Record<string, string> = {}): Promise<Answer> =>
  agent.rest('POST', '/api/work/items', { project: 'OUT', title }, headers);

/** No one does anything for it. */
const works = (): Promise<void> =>
  expect
    .poll(
      async () => {
        const acts = await Promise.all([create(), create(), app.admin.rest('GET', '/api/work/items')]);
        return acts.map(({ status }) => status);
      },
      { interval: 50 },
    )
    .toEqual([201, 201, 200]);

/** As a refusal reads: one sentence and what to do, no word of the driver's. */
function refused(answer: Answer): void {
  expect([answer.status, answer.body.error?.code]).toEqual([503, 'unavailable']);
  expect(answer.body.error.message).toMatch(/^the database [^.]{20,280}$/);
  expect(answer.body.error.message).toMatch(/nothing was changed|check before you retry/);
  expect(answer.headers.get('retry-after')).toBe('5');
}

type Kept = { cards: number; acts: number };

/** Every card that was kept has its act in the audit log, and every act its card. */
const kept = async (title: string): Promise<Kept> => {
  const [row] = await sql<[Kept]>`
    select count(*)::int as cards,
      (select count(*)::int from audit where act = 'item_create' and outcome = 'done'
        and resource in (select 'work:item/' || id from work_items where title = ${title})) as acts
    from work_items where title = ${title}`;
  return row;
};

test('a database that is down is said in one sentence by every entry point, and nothing is let through', async () => {
  const before = await kept('while it is down');
  await proxy.set({ kind: 'down' });
  refused(await create('while it is down'));
  refused(await app.admin.rest('GET', '/api/work/items'));
  refused(await app.admin.rest('POST', '/api/work/items', { project: 'OUT', title: 'while it is down' }));
  refused(
    await agent.rest('POST', '/api/admin/outreach/sends/019a0000-0000-7000-8000-000000000001/approve', {}),
  );
  refused(await app.bearer('nck_somebody').rest('GET', '/api/me'));
  const called = await agent.rest('POST', '/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'work_create', arguments: { project: 'OUT', title: 'while it is down' } },
  });
  expect([called.status, called.headers.get('retry-after')]).toEqual([503, '5']);
  expect(called.body.error.message).toMatch(/^the database is not responding/);
  const health = await app.bearer(null).rest('GET', '/healthz');
  expect([health.status, health.body.ok]).toEqual([503, false]);
  await proxy.set({ kind: 'none' });
  await works();
  expect(await kept('while it is down')).toEqual(before);
});

test('a connection that ends anywhere in an act leaves the whole act or nothing of it', async () => {
  let refusals = 0;
  for (let bytes = 0; bytes <= 1_200; bytes += 60) {
    const title = `cut after ${bytes}`;
    await proxy.set({ kind: bytes % 120 === 0 ? 'cut' : 'reset', after_bytes: bytes });
    const answer = await create(title);
    await proxy.set({ kind: 'none' });
    const { cards, acts } = await kept(title);
    expect(acts, title).toBe(cards);
    if (answer.status === 201) {
      expect(cards, title).toBe(1);
      continue;
    }
    refused(answer);
    const unsettled = answer.body.error.message.includes('check before you retry');
    if (!unsettled) expect(cards, title).toBe(0);
    refusals += 1;
  }
  expect(refusals).toBeGreaterThan(5);
});

test('an act whose commit got no answer is not said to have failed, is there whole, and its key tells the truth', async () => {
  await proxy.set({ kind: 'unanswered', text: 'commit' });
  // On a fresh connection the word itself is sent; later only the name of the statement.
  proxy.resetAll();
  await new Promise((resolve) => setTimeout(resolve, 200));
  const key = { 'idempotency-key': 'without-an-answer' };
  const answer = await create('without an answer', key);
  await proxy.set({ kind: 'none' });
  refused(answer);
  expect(answer.body.error.message).toContain('check before you retry');
  await expect.poll(() => kept('without an answer')).toEqual({ cards: 1, acts: 1 });
  await works();
  const again = await create('without an answer', key);
  expect([again.status, again.body.item.title]).toEqual([201, 'without an answer']);
  expect(await kept('without an answer')).toEqual({ cards: 1, acts: 1 });
});

test('all connections ended at once under load: no fault, nothing half-written, and all of it works again', async () => {
  for (let round = 0; round < 4; round += 1) {
    const title = `under load ${round}`;
    const many = Array.from({ length: 60 }, async (_, n) => {
      await new Promise((resolve) => setTimeout(resolve, n * 3));
      return n % 3 === 0 ? app.admin.rest('GET', '/api/work/items') : create(title);
    });
    await new Promise((resolve) => setTimeout(resolve, 40));
    if (round % 2 === 0) proxy.resetAll();
    else
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'dunnock'`;
    const answers = await Promise.all(many);
    let [done, unsettled] = [0, 0];
    for (const [n, answer] of answers.entries()) {
      if (answer.status >= 400) refused(answer);
      if (n % 3 === 0) continue;
      if (answer.status === 201) done += 1;
      else if (answer.body.error.message.includes('check before you retry')) unsettled += 1;
    }
    const { cards, acts } = await kept(title);
    expect(acts).toBe(cards);
    expect(cards).toBeGreaterThanOrEqual(done);
    expect(cards).toBeLessThanOrEqual(done + unsettled);
    await works();
  }
});

test('a slow way and one that gives a few bytes at a time make acts slow, and nothing else', async () => {
  await proxy.set({ kind: 'latency', ms: 30 });
  expect((await create()).status).toBe(201);
  await proxy.set({ kind: 'drip', bytes: 200, every_ms: 1 });
  expect((await create()).status).toBe(201);
});

test('a database that may only be read: reading works, acts are refused, and it heals without a restart', async () => {
  const name = database.options.database;
  const readOnly = async (on: boolean): Promise<void> => {
    await sql.unsafe(
      `alter database ${name} ${on ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only'}`,
    );
  };
  // A token's first turn as an agent is written down, or it is no turn.
  expect((await agent.tool('work_search', { project: 'OUT', limit: 1 })).isError).toBe(false);
  await readOnly(true);
  try {
    proxy.resetAll();
    await expect
      .poll(async () => (await app.admin.rest('GET', '/api/work/items')).status, { interval: 50 })
      .toBe(200);
    for (const answer of [
      await create('while it is read'),
      await app.admin.rest('POST', '/api/work/items', { project: 'OUT', title: 'while it is read' }),
    ]) {
      refused(answer);
      expect(answer.body.error.message).toContain('read-only');
    }
    expect((await agent.tool('work_search', { project: 'OUT', limit: 1 })).isError).toBe(false);
    const called = await agent.tool('work_create', { project: 'OUT', title: 'while it is read' });
    expect(called.isError).toBe(true);
    expect(called.text).toContain('read-only');
  } finally {
    await sql`set default_transaction_read_only = off`;
    await readOnly(false);
  }
  await works();
  expect(await kept('while it is read')).toEqual({ cards: 0, acts: 0 });
});

test('a database that lets no one in is refused like one that is gone', async () => {
  const name = database.options.database;
  const admin = postgres({ ...database.options, database: 'postgres', max: 1, onnotice: () => undefined });
  try {
    await admin.unsafe(`alter database ${name} with allow_connections false`);
    proxy.resetAll();
    await expect.poll(async () => (await create()).status, { interval: 20 }).toBe(503);
    refused(await create());
  } finally {
    await admin.unsafe(`alter database ${name} with allow_connections true`);
    await admin.end();
  }
  await works();
});
