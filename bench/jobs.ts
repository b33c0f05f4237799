// What ten everyday jobs cost an agent in calls and in tokens that it reads and writes, on a laid house of 5,000 people, 25,000
// touches and 50,000 letters. Alone: `node bench/jobs.ts`, which prints the table; test/agent holds the figures.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openInstance } from '../src/instance.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { readAllowedHosts } from '../src/net/switches.ts';
import { startOwnServer } from '../src/store/own-server/own-server.ts';
import { doJobs, FAIR, jobsTable } from '../test/agent/jobs.ts';
import { metered } from '../test/agent/meter.ts';
import { seedHouse } from '../test/agent/seed.ts';

const PEOPLE = Number(process.env['BENCH_PEOPLE'] ?? 5_000);

const folder = mkdtempSync(join(tmpdir(), 'dunnock-bench-'));
chmodSync(folder, 0o755);
const own = await startOwnServer({ dataDir: folder, log: () => undefined });
const key = randomBytes(16).toString('hex');
const instance = await openInstance({
  name: 'bench',
  version: '0',
  base_url: null,
  host: '127.0.0.1',
  port: 0,
  origins: [],
  database: { host: own.socketDir, port: own.port, user: own.user, database: own.database },
  migrations: join(import.meta.dirname, '../migrations'),
  master_key: randomBytes(32),
  provisioning_key: key,
  screens: null,
  outside: {
    lookup: async () => [],
    dns: { servers: ['127.0.0.1:1'] },
    events: { allowPrivate: false },
    hosts: { allowedHosts: readAllowedHosts('') },
  },
  sending: { enabled: false, development: false },
  passes: 'when_told',
  clock: systemClock,
  log: pino({ level: 'silent' }),
});

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(instance.address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { body: (await answer.json()) as { value: string }, cookie };
}

try {
  const account = { key, name: 'Bench', email: 'bench@example.com', password: 'correct horse battery' };
  const { cookie } = await post('/api/auth/setup', account);
  const session = { cookie, origin: instance.address };
  const minted = await post('/api/admin/tokens', { name: 'scout', mode: 'user' }, session);
  await seedHouse(instance.pools.writer, PEOPLE);
  const told = { person: 'p2@firm0.example', leaver: 'p7@firm0.example', file: FAIR };
  console.log(jobsTable(await doJobs(() => metered(instance.address, minted.body.value), told)));
} finally {
  await instance.close();
  await own.stop();
  rmSync(folder, { recursive: true, force: true });
}
