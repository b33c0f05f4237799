// The inbox beside its own SQL at 50,000 threads: how long GET /api/inbox takes, over the loopback with a token looked up, gates
// asked, rows checked and written as JSON, and how long the same queries take when they are sent by themselves. In turns, one
// of each after the other, since machines have moods. Alone: `node bench/inbox.ts`.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { countInbox, searchInbox } from '../src/features/threads/list.store.ts';
import { openInstance } from '../src/instance.ts';
import type { Caller } from '../src/kernel/caller.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { readAllowedHosts } from '../src/net/switches.ts';
import { startOwnServer } from '../src/store/own-server/own-server.ts';
import { seedHouse } from '../test/agent/seed.ts';

/** Half as many threads. */
const PEOPLE = Number(process.env['BENCH_PEOPLE'] ?? 100_000);
const CALLS = Number(process.env['BENCH_CALLS'] ?? 2_000);
const WARM = 300;
const LIMIT = 50;

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
  return { body: (await answer.json()) as { value: string; user: { id: string } }, cookie };
}

const at = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;

try {
  const account = { key, name: 'Bench', email: 'bench@example.com', password: 'correct horse battery' };
  const set = await post('/api/auth/setup', account);
  const session = { cookie: set.cookie, origin: instance.address };
  const { value } = (await post('/api/admin/tokens', { name: 'scout', mode: 'user' }, session)).body;
  await seedHouse(instance.pools.writer, PEOPLE, { withLetters: false });

  const { id } = set.body.user;
  const caller: Caller = {
    principal: { kind: 'person', id, name: 'Bench' },
    turn: 'direct',
    surface: 'rest',
    credential: { kind: 'session', id: 's', stepped_up_at: null },
    user_id: id,
    rights: { admin: true, policies: [], projects: null },
  };
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  const get = (path: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const asked = request(
        `${instance.address}${path}`,
        { agent: kept, headers: { authorization: `Bearer ${value}` } },
        (answer) => {
          if (answer.statusCode !== 200) reject(new Error(`${path}: ${answer.statusCode}`));
          answer.resume().on('end', resolve);
        },
      );
      asked.on('error', reject).end();
    });
  const { reader } = instance.pools;
  const views: [string, string, () => Promise<unknown>][] = [
    [
      'the inbox',
      `/api/inbox?limit=${LIMIT}`,
      () => searchInbox(reader, caller, { after: null, count: LIMIT + 1 }),
    ],
    [
      'who waits',
      `/api/inbox?state=unanswered&limit=${LIMIT}`,
      () => searchInbox(reader, caller, { state: 'unanswered', after: null, count: LIMIT + 1 }),
    ],
    ['its counts', '/api/inbox/counts', () => countInbox(reader, id)],
  ];
  const rows: string[] = [];
  for (const [name, path, raw] of views) {
    const [routed, alone]: [number[], number[]] = [[], []];
    const timed = async (into: number[] | null, work: () => Promise<unknown>): Promise<void> => {
      const began = performance.now();
      await work();
      into?.push(performance.now() - began);
    };
    for (let call = -WARM; call < CALLS; call += 1) {
      await timed(call < 0 ? null : routed, () => get(path));
      await timed(call < 0 ? null : alone, raw);
    }
    const figures = [0.5, 0.99].flatMap((share) => [
      at(alone, share).toFixed(2),
      at(routed, share).toFixed(2),
      (at(routed, share) / at(alone, share)).toFixed(2),
    ]);
    rows.push(`| ${[name, ...figures].join(' | ')} | 2 or less |`);
  }
  console.log(
    [
      `| ${PEOPLE / 2} threads | SQL alone, ms | route, ms | ratio, median | SQL alone p99 | route p99 | ratio p99 | aim |`,
      '|---|---|---|---|---|---|---|---|',
      ...rows,
    ].join('\n'),
  );
  kept.destroy();
} finally {
  await instance.close();
  await own.stop();
  rmSync(folder, { recursive: true, force: true });
}
