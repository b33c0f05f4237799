// Checks that the product's own server starts, stays, refuses and ends as promised.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startOwnServer, type OwnServer } from '../../src/store/own-server/own-server.ts';
import { hold, noServerOn, serversOn, temporaryFolder } from './holding.ts';

async function start(dataDir: string): Promise<OwnServer> {
  const server = await startOwnServer({ dataDir, log: () => undefined });
  onTestFinished(() => server.stop());
  return server;
}

// Making a cluster takes most of a test's time; those that are not about the first start take a copy of this one.
let used: string;

beforeAll(async () => {
  used = mkdtempSync(join(tmpdir(), 'dunnock-commands-used-'));
  chmodSync(used, 0o755);
  const server = await startOwnServer({ dataDir: used, log: () => undefined });
  await server.stop();
});

afterAll(() => rmSync(used, { recursive: true }));

function usedFolder(): string {
  const folder = temporaryFolder();
  expect(spawnSync('cp', ['-a', `${used}/.`, folder]).status).toBe(0);
  return folder;
}

async function ask<Row extends object>(server: OwnServer, statement: string): Promise<Row[]> {
  const { socketDir, port, user, database } = server;
  const sql = postgres({ host: socketDir, port, user, database, max: 1, onnotice: () => undefined });
  try {
    return await sql.unsafe<Row[]>(statement);
  } finally {
    await sql.end();
  }
}

test('the first start makes a synced, checksummed cluster behind a socket in a private folder', async () => {
  const server = await start(join(temporaryFolder(), 'data'));
  const [settings] = await ask(
    server,
    `select current_setting('fsync') as fsync, current_setting('data_checksums') as checksums,
            current_setting('listen_addresses') as addresses, current_setting('shared_buffers') as buffers,
            current_setting('max_connections') as connections, current_setting('server_encoding') as encoding,
            (select datcollate from pg_database where datname = current_database()) as collation`,
  );
  expect(settings).toEqual({
    fsync: 'on',
    checksums: 'on',
    addresses: '',
    buffers: '64MB',
    connections: '40',
    encoding: 'UTF8',
    collation: 'C',
  });
  expect(statSync(server.socketDir).mode & 0o777).toBe(0o700);
});

test('a later start takes less than a second and finds every row', async () => {
  const dataDir = usedFolder();
  const first = await start(dataDir);
  await ask(first, 'create table kept as select 7 as number');
  await first.stop();
  expect(serversOn(dataDir)).toEqual([]);
  const tookMs: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const started = performance.now();
    const later = await start(dataDir);
    tookMs.push(performance.now() - started);
    expect(await ask(later, 'select number from kept')).toEqual([{ number: 7 }]);
    await later.stop();
  }
  expect(Math.min(...tookMs)).toBeLessThan(1000); // the best of three: other tests run beside this one
});

test('a second process on the same data folder is refused in one sentence', async () => {
  const dataDir = usedFolder();
  await start(dataDir);
  const other = hold(dataDir);
  expect(await other.said('refused')).toBe(
    `refused Another process is already running on the data folder ${dataDir}: stop it first, or set SERVICE_DATA_DIR to another folder.`,
  );
  expect(await other.ended).toBe(1);
});

test('of two first starts at once on an empty folder, one comes up and one is refused', async () => {
  const dataDir = temporaryFolder();
  const both = [hold(dataDir), hold(dataDir)];
  const said = await Promise.all(both.map((one) => Promise.race([one.said('up'), one.said('refused')])));
  expect(said.map((line) => line.split(' ')[0] ?? '').toSorted()).toEqual(['refused', 'up']);
});

test('a killed product leaves no server within seconds, and the next start has every acknowledged row', async () => {
  const dataDir = usedFolder();
  const holder = hold(dataDir, { writes: true });
  await holder.said('kept 60');
  expect(serversOn(dataDir)).not.toEqual([]);
  holder.process.kill('SIGKILL');
  await holder.ended;
  expect(await noServerOn(dataDir)).toBeLessThan(5000);
  const acknowledged = Number(holder.lines.at(-1)?.split(' ')[1]);
  const [row] = await ask<{ rows: number }>(await start(dataDir), 'select count(*)::int as rows from kept');
  expect(row?.rows).toBeGreaterThanOrEqual(acknowledged);
});

test('a start straight after a kill waits for the old server and has every acknowledged row', async () => {
  const dataDir = usedFolder();
  const holder = hold(dataDir, { writes: true });
  await holder.said('kept 50');
  holder.process.kill('SIGKILL');
  const server = await start(dataDir);
  const acknowledged = Number(holder.lines.findLast((line) => line.startsWith('kept'))?.split(' ')[1]);
  const [row] = await ask<{ rows: number }>(server, 'select count(*)::int as rows from kept');
  expect(row?.rows).toBeGreaterThanOrEqual(acknowledged);
});

test('a server that lost both its owner and its guard is stopped by the next start', async () => {
  const dataDir = usedFolder();
  const holder = hold(dataDir);
  await holder.said('up');
  const heads = readdirSync('/proc').filter((pid) => commandOf(pid).includes('dunnock-postgres-guard'));
  const guard = heads.find((pid) => commandOf(pid).includes(dataDir));
  process.kill(Number(guard), 'SIGKILL');
  holder.process.kill('SIGKILL');
  await holder.ended;
  await start(dataDir);
});

test('a pid file left by a power cut, whose number belongs to someone else by now, does not stop a start', async () => {
  const dataDir = usedFolder();
  const server = await start(dataDir);
  const pidFile = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  const left = readFileSync(pidFile, 'utf8');
  await server.stop();
  const somebody = spawn('sleep', ['30']);
  onTestFinished(() => void somebody.kill());
  writeFileSync(pidFile, left.replace(/^\d+/, String(somebody.pid)));
  await start(dataDir);
  expect(somebody.exitCode).toBeNull();
});

test('a data folder whose path is too long for a socket has its socket in the temporary folder', async () => {
  const dataDir = join(temporaryFolder(), 'x'.repeat(120), 'data');
  mkdirSync(dataDir, { recursive: true });
  const server = await start(dataDir);
  expect(server.socketDir.length).toBeLessThan(93);
  expect(statSync(server.socketDir).mode & 0o777).toBe(0o700);
  expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }]);
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
