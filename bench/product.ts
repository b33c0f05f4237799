// The product as benchmarks meet it: on its own PostgreSQL with real syncing, in a folder that goes with it, set up by an
// administrator with a token of theirs without scopes.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import postgres from 'postgres';
import { openInstance, type RunningInstance } from '../src/instance.ts';
import { systemClock } from '../src/kernel/clock.ts';
import type { Parsed } from '../src/kernel/database.ts';
import { readAllowedHosts } from '../src/net/switches.ts';
import { DIALECT } from '../src/store/connect.ts';
import { startOwnServer } from '../src/store/own-server/own-server.ts';

type BenchProduct = {
  instance: RunningInstance;
  /** The administrator's id. */
  user: string;
  token: string;
  /** Of the administrator's session. */
  cookie: string;
  database: { host: string; port: number; user: string; database: string };
  /** Lays rows for longer than the product lets any of its own statements take. */
  sql: postgres.Sql<Parsed>;
  /** As the administrator, from a session. Throws where it is refused. */
  post(path: string, body: unknown): Promise<any>;
  close(): Promise<void>;
};

/** `works`: its passes run by themselves, letters may go, and receivers may be on loopback. */
export async function openBenchProduct(works: boolean): Promise<BenchProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'dunnock-bench-'));
  // The server's own account must reach it, or its data would be elsewhere and outlive the run.
  chmodSync(folder, 0o755);
  const own = await startOwnServer({ dataDir: folder, log: () => undefined });
  const database = { host: own.socketDir, port: own.port, user: own.user, database: own.database };
  const sql = postgres({ ...database, types: DIALECT, onnotice: () => undefined });
  const key = randomBytes(16).toString('hex');
  const instance = await openInstance({
    name: 'bench',
    version: '0',
    base_url: null,
    host: '127.0.0.1',
    port: 0,
    origins: [],
    database,
    migrations: join(import.meta.dirname, '../migrations'),
    master_key: randomBytes(32),
    provisioning_key: key,
    api_document: join(import.meta.dirname, '../openapi.json'),
    screens: null,
    outside: {
      lookup: async () => [],
      dns: { servers: ['127.0.0.1:1'] },
      events: { allowPrivate: works },
      hosts: { allowedHosts: readAllowedHosts('') },
      mail_ca: [],
    },
    sending: { enabled: works, development: false },
    passes: works ? 'by_themselves' : 'when_told',
    clock: systemClock,
    log: pino({ level: process.env['BENCH_LOG'] ?? 'silent' }),
  });
  const ask = async (path: string, body: unknown, headers: Record<string, string>) => {
    const answer = await fetch(instance.address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const account = { key, name: 'Bench', email: 'bench@example.com', password: 'correct horse battery' };
  const setup = await ask('/api/auth/setup', account, {});
  const cookie = setup.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { user } = (await setup.json()) as { user: { id: string } };
  const post = async (path: string, body: unknown): Promise<any> =>
    (await ask(path, body, { cookie, origin: instance.address })).json();
  const { value } = await post('/api/admin/tokens', { name: 'scout', mode: 'user' });
  return {
    instance,
    user: user.id,
    token: value,
    cookie,
    database,
    sql,
    post,
    async close() {
      await instance.close();
      await sql.end();
      await own.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
