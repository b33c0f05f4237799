// Owns the database server of a test run: started once, with the product's schema in a template database from
// which every test file takes a copy. Ends with the run, however that ends (see the guard of the own server).
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/store/migrate.ts';
import { binariesFor, type Binaries } from '../../src/store/own-server/binaries.ts';
import { ensureCluster, SUPERUSER } from '../../src/store/own-server/cluster.ts';
import { startGuarded } from '../../src/store/own-server/guard.ts';
import { placeFor } from '../../src/store/own-server/place.ts';
import { productSettings } from '../../src/store/own-server/settings.ts';
import { folderOfRun } from './run-folder.ts';

export type TestServer = {
  /** For postgres.js, without `database`. */
  options: { host: string; port: number; user: string; password: string };
  /** The same server over TCP, without a path; for processes that are given DATABASE_URL. */
  url: string;
  template: string;
  /** Opens the name of every database of this run. */
  prefix: string;
};

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

const MIGRATIONS = join(import.meta.dirname, '../../migrations');

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** PostgreSQL 15 as the distribution installs it; for `npm run test:long`. */
function postgres15(): Binaries {
  return {
    folder: '/usr/lib/postgresql/15',
    major: '15',
    environment: { LC_ALL: 'C.UTF-8', PATH: '/usr/bin:/bin' },
  };
}

type Running = { options: TestServer['options']; url: string; stop(): Promise<void> };

async function startServer(version: string | undefined): Promise<Running> {
  const folder = folderOfRun();
  const dataDir = folder.path;
  chmodSync(dataDir, 0o711); // as root: another account runs the server and must get through
  const { home, socketDir, account } = placeFor(dataDir);
  const binaries = version === '15' ? postgres15() : binariesFor(account, home);
  const cluster = realpathSync(await ensureCluster(home, account, binaries));
  const password = randomBytes(12).toString('hex');
  writeFileSync(
    join(cluster, 'pg_hba.conf'),
    'local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n',
  );
  const port = await freePort();
  const server = await startGuarded({
    cluster,
    logPath: join(home, 'server.log'),
    account,
    binaries,
    // A run is thrown away: it needs no syncing (a killed process loses nothing by that, only a power cut
    // does), and many connections, because each test file opens the product's pools. Nothing is done by the
    // server on its own account either: two cores are all there is, and tests that need statistics ask for them.
    settings: {
      ...productSettings(socketDir),
      listen_addresses: '127.0.0.1',
      port,
      max_connections: 200,
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      shared_buffers: '256MB',
      wal_level: 'minimal',
      max_wal_senders: 0,
      // The log of a folder in memory takes memory.
      max_wal_size: folder.inMemory ? '512MB' : '8GB',
      checkpoint_timeout: '1h',
      autovacuum: 'off',
    },
  });
  const options = { host: socketDir, port, user: SUPERUSER, password };
  const sql = postgres({ ...options, database: 'postgres', max: 1, onnotice: () => undefined });
  await sql.unsafe(`alter role ${SUPERUSER} password '${password}'`);
  await sql.end();
  return {
    options,
    url: `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}`,
    async stop() {
      await server.stop();
      for (const each of [home, socketDir]) rmSync(each, { recursive: true, force: true });
      folder.remove();
    },
  };
}

/** A server that is given: its user must be allowed to create databases. */
function givenServer(url: string): Running {
  const { hostname, port, username, password } = new URL(url);
  const options = {
    host: hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
  return { options, url: url.replace(/\/[^/]*$/, ''), stop: async () => undefined };
}

/** Called by vitest once for the run; gives back what ends it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  const running = given ? givenServer(given) : await startServer(process.env['TEST_POSTGRES']);
  const prefix = `dunnock_test_${randomBytes(4).toString('hex')}_`;
  const template = `${prefix}template`;
  const admin = postgres({ ...running.options, database: 'postgres', max: 1, onnotice: () => undefined });
  async function teardown(): Promise<void> {
    const left = await admin<{ datname: string }[]>`
      select datname from pg_database where starts_with(datname, ${prefix})`;
    if (given) for (const { datname } of left) await admin.unsafe(`drop database ${datname} with (force)`);
    await admin.end();
    await running.stop();
  }
  try {
    await admin.unsafe(`create database ${template}`);
    if (existsSync(MIGRATIONS)) {
      const sql = postgres({ ...running.options, database: template, onnotice: () => undefined });
      try {
        await migrate(sql, MIGRATIONS);
      } finally {
        await sql.end();
      }
    }
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide('testServer', { options: running.options, url: running.url, template, prefix });
  return teardown;
}
