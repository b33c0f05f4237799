// The product whole, on its own PostgreSQL with real syncing, a board of 1,000 items and a token without scopes.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openInstance } from '../../src/instance.ts';
import { readAllowedHosts } from '../../src/net/switches.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { startOwnServer } from '../../src/store/own-server/own-server.ts';

const ITEMS = 1_000;
const folder = mkdtempSync(join(tmpdir(), 'dunnock-bench-'));
// The server's own account must reach it, or its data would stand elsewhere and outlive the run.
chmodSync(folder, 0o755);
const own = await startOwnServer({ dataDir: folder, log: () => undefined });
const key = randomBytes(16).toString('hex');
export const instance = await openInstance({
  name: 'bench',
  version: '0',
  base_url: null,
  host: '127.0.0.1',
  port: 0,
  origins: [],
  database: { host: own.socketDir, port: own.port, user: own.user, database: own.database },
  migrations: join(import.meta.dirname, '../../migrations'),
  master_key: randomBytes(32),
  provisioning_key: key,
  screens: null,
  outside: {
    lookup: async () => [],
    dns: {},
    // The receivers of the benchmark stand on loopback.
    events: { allowPrivate: true },
    hosts: { allowedHosts: readAllowedHosts('') },
  },
  sending: { enabled: true, development: false },
  passes: 'by_themselves',
  clock: systemClock,
  log: pino({ level: process.env['BENCH_LOG'] ?? 'silent' }),
});

async function call(path: string, body: unknown, headers: Record<string, string>): Promise<any> {
  const answer = await fetch(instance.address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return { body: await answer.json(), cookie: answer.headers.getSetCookie()[0]?.split(';')[0] };
}

const { cookie } = await call(
  '/api/auth/setup',
  { key, name: 'Bench', email: 'bench@example.com', password: 'correct horse battery' },
  {},
);
const session = { cookie, origin: instance.address };
await call('/api/work/projects', { key: 'OUT', name: 'Outreach' }, session);
const items: string[] = [];
for (let i = 0; i < ITEMS; i++)
  items.push(
    (
      await call(
        '/api/work/items',
        { project: 'OUT', title: `Write to customer ${i}`, status: 'todo' },
        session,
      )
    ).body.item.id,
  );
const { body } = await call('/api/admin/tokens', { name: 'bench', mode: 'user' }, session);
// As it is a minute later on a running instance, when the server has looked at what was written.
await instance.pools.writer`analyze`;
process.send?.({
  url: `${instance.address}/mcp`,
  token: body.value,
  items,
  cookie,
  database: { host: own.socketDir, port: own.port, user: own.user, database: own.database },
});

process.on('disconnect', async () => {
  await instance.close();
  await own.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
