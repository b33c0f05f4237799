// Checks that a process does what its role says, that limits hold across processes, that an end is in order, and
// that the log tells no secret.
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readLimits } from '../../src/kernel/limits.ts';
import { keyOfText } from '../../src/store/seal.ts';
import { openTelemetry } from '../../src/telemetry/otlp.ts';
import { MAIN } from '../support/built.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { openTestApp } from '../support/app.ts';
import { temporaryFolder } from './holding.ts';

const KEY = 'the key of the test of roles';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

type Running = { child: ChildProcess; url: string; ended: Promise<number | null>; log: () => string };

/** A process of the product, up and printing where it is. */
async function start(argv: string[], settings: Record<string, string> = {}): Promise<Running> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const env = {
    PATH,
    NODE_COMPILE_CACHE,
    PORT: '0',
    SERVICE_DATA_DIR: temporaryFolder(),
    SERVICE_MASTER_KEY: KEY,
    SERVICE_PROVISIONING_KEY: KEY,
    DATABASE_URL: database.url,
    ...settings,
  };
  const child = spawn(process.execPath, [MAIN, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      said += `${line}\n`;
      const found = /(http:\/\/\S+)$/.exec(line)?.[1];
      if (found && line.includes(' is at ')) resolve(found);
    });
    void ended.then(() => reject(new Error(said)));
  });
  return { child, url, ended, log: () => said };
}

const statusOf = async (url: string, path: string): Promise<number> => (await fetch(url + path)).status;
const ranAt = async (sql: Awaited<ReturnType<typeof openTestApp>>['sql']): Promise<number> =>
  (await sql`select 1 from pass_runs`).length;

test('a web process serves entry points and runs no pass; a worker runs passes and answers health and metrics alone; both end on SIGTERM', async () => {
  const observer = await openTestApp({ database, setUp: false, name: 'main', masterKey: keyOfText(KEY) });
  onTestFinished(() => observer.close());
  const web = await start(['start', '--role', 'web']);
  expect(await statusOf(web.url, '/healthz')).toBe(200);
  expect(await statusOf(web.url, '/api/me')).toBe(401);
  const worker = await start(['--role', 'worker']);
  expect(await statusOf(worker.url, '/healthz')).toBe(200);
  expect(await statusOf(worker.url, '/metrics')).toBe(401);
  for (const path of ['/api/me', '/mcp', '/', '/openapi.json', '/hooks/form/x'])
    expect(await statusOf(worker.url, path), path).toBe(404);
  await expect.poll(() => ranAt(observer.sql)).toBeGreaterThan(10);
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toBe(0);
  await observer.sql`delete from pass_runs`;
  const waited = await start(['--role', 'worker']);
  await expect.poll(() => ranAt(observer.sql)).toBeGreaterThan(10);
  waited.child.kill('SIGTERM');
  web.child.kill('SIGTERM');
  expect([await waited.ended, await web.ended]).toEqual([0, 0]);
});

test('a web process alone leaves what is due to a worker', async () => {
  const own = await freshDatabase();
  onTestFinished(() => own.drop());
  const observer = await openTestApp({
    database: own,
    setUp: false,
    name: 'main',
    masterKey: keyOfText(KEY),
  });
  onTestFinished(() => observer.close());
  const web = await start(['--role', 'web'], { DATABASE_URL: own.url });
  // Its passes would have looked at once, and said so.
  const again = await fetch(`${web.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: web.url },
    body: JSON.stringify({ email: 'ada@example.com', password: 'nothing of the kind' }),
  });
  expect(again.status).toBe(401);
  web.child.kill('SIGTERM');
  expect(await web.ended).toBe(0);
  expect(await ranAt(observer.sql)).toBe(0);
});

test('a role of its own needs a database that several processes share', async () => {
  const child = spawn(process.execPath, [MAIN, '--role', 'worker'], {
    env: { PATH: process.env['PATH'] ?? '', SERVICE_DATA_DIR: temporaryFolder() },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const status = await new Promise((resolve) => child.on('close', resolve));
  expect([status, said]).toEqual([
    1,
    '--role needs a database that several processes share: set DATABASE_URL, or start without --role.\n',
  ]);
});

test('requests that are under way are answered when the process ends, and new ones are not taken', async () => {
  const own = await freshDatabase();
  onTestFinished(() => own.drop());
  const app = await openTestApp({ database: own });
  const project = await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  const holder = await app.sql.reserve();
  await holder`begin`;
  await holder`select 1 from work_projects for update`;
  // It waits for the row, and so is under way when the end comes.
  const slow = app.admin.rest('PATCH', `/api/work/projects/${project.body.project.id}`, {
    name: 'Renamed',
    revision: project.body.project.revision,
  });
  await expect
    .poll(
      async () =>
        (
          await app.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        ).length,
    )
    .toBe(1);
  const closing = app.close();
  await expect
    .poll(() =>
      fetch(`${app.url}/healthz`).then(
        ({ status }) => status,
        () => 'refused',
      ),
    )
    .not.toBe(200);
  await holder`commit`;
  holder.release();
  expect((await slow).status).toBe(200);
  await closing;
});

test('a limit holds for two processes as for one, says when to come again, and ends with its window', async () => {
  const own = await freshDatabase();
  onTestFinished(() => own.drop());
  const limits = readLimits('me_get=4/m, mcp=2/m');
  const one = await openTestApp({ database: own, limits });
  const two = await openTestApp({ database: own, limits, setUp: false });
  onTestFinished(async () => void (await Promise.all([one.close(), two.close()])));
  const token = await one.token();
  const other = two.bearer(token.value);
  const statuses = [];
  for (let n = 0; n < 3; n++)
    statuses.push((await token.rest('GET', '/api/me')).status, (await other.rest('GET', '/api/me')).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  const refused = await token.rest('GET', '/api/me');
  expect(refused.body.error).toMatchObject({
    code: 'rate_limited',
    details: { retry_after: expect.any(Number) },
  });
  expect(refused.body.error.message).toMatch(
    /^a token can call "me_get" at most 4 times a minute: wait \d+ seconds; /,
  );
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await one.admin.rest('GET', '/api/me')).status).toBe(200);
  expect(await token.rpc('ping')).toMatchObject({ result: {} });
  expect(await other.rpc('ping')).toMatchObject({ result: {} });
  expect(await token.rpc('ping')).toMatchObject({
    error: { message: expect.stringContaining('"mcp" at most 2 times a minute') },
  });
  one.clock.advance(61_000);
  expect((await token.rest('GET', '/api/me')).status).toBe(200);
});

test.each([
  ['chat=20', /^SERVICE_RATE_LIMITS must be limits separated by commas/],
  ['chat=0/m', /^SERVICE_RATE_LIMITS must be limits/],
  ['run=1/m, run=2/m', /names "run" twice/],
])('SERVICE_RATE_LIMITS=%s is refused in a sentence', (text, says) => {
  expect(() => readLimits(text)).toThrow(says);
});

test('a limit of nothing is refused at the start, since it would limit no one', async () => {
  await expect(openTestApp({ limits: readLimits('work_serach=1/m'), setUp: false })).rejects.toThrow(
    'SERVICE_RATE_LIMITS names "work_serach", which nothing is called',
  );
});

test('no secret that is sent in a bearer, a cookie, a path, a query or a body is in the log, and every fault has its request', async () => {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const app = await openTestApp({ log: pino({ level: 'trace' }, sink) });
  onTestFinished(() => app.close());
  const canary = 'canary-9f3b7c';
  const bearer = app.bearer(`nck_${canary}`);
  await bearer.rest('GET', `/api/me?token=${canary}`);
  await bearer.rpc('ping');
  await app.bearer(null).rest('GET', `/api/${canary}`, undefined, { cookie: `dunnock_session=${canary}` });
  await app.signIn(`${canary}@example.com`, canary);
  await app.admin.rest('POST', '/api/me/password', { current: canary, password: canary });
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: canary });
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: canary });
  await app.sql`alter table work_items add constraint broken check (title not like 'canary%')`;
  const fault = await app.admin.rest('POST', '/api/work/items', { project: 'OUT', title: canary });
  expect(fault.status).toBe(500);
  const faults = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ level }) => Number(level) >= 50);
  expect(faults.some(({ request_id }) => request_id === fault.headers.get('x-request-id'))).toBe(true);
  expect(lines.join('')).not.toContain(canary);
});

test('a collector is told of requests, tools, acts, transactions and passes in one tree, and of no value that was sent', async () => {
  const bodies: string[] = [];
  const collector = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void collector.close());
  const { port } = collector.address() as { port: number };
  const telemetry = openTelemetry({
    endpoint: `http://127.0.0.1:${port}`,
    headers: '',
    instance: 'test',
    version: '1',
  });
  const app = await openTestApp({ trace: telemetry.trace });
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  const item = await app.admin.rest('POST', '/api/work/items', { project: 'OUT', title: 'canary-title' });
  const token = await app.token();
  const moved = await token.tool('work_move', { item_id: item.body.item.id, status: 'in_progress' });
  expect(moved.isError, moved.text).toBe(false);
  await app.instance.jobs.run('deliveries').catch(() => 0);
  await app.close();
  await telemetry.close();
  type Span = { name: string; traceId: string; spanId: string; parentSpanId?: string };
  const spans = bodies.flatMap((body) =>
    (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans.flatMap(
      (each) => each.scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
  const tool = spans.find(({ name }) => name === 'tool work_move');
  const parent = spans.find(({ spanId }) => spanId === tool?.parentSpanId);
  const act = spans.find(({ parentSpanId }) => parentSpanId === tool?.spanId);
  expect([parent?.name, act?.name]).toEqual(['POST /mcp', 'act item_move']);
  expect(spans.some(({ name, parentSpanId }) => name === 'transaction' && parentSpanId === act?.spanId)).toBe(
    true,
  );
  expect(bodies.join('')).not.toContain('canary-title');
  expect(bodies.join('')).not.toContain(item.body.item.id);
});
