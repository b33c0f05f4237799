// The inbox beside its own SQL at 50,000 threads: how long GET /api/inbox takes, over the loopback with a token looked up, gates
// asked, rows checked and written as JSON, and how long the same queries take when they are sent by themselves. In turns, one
// of each after the other, since machines have moods; the product in a process of its own, since who asks is none of its time.
// Alone: `node bench/inbox.ts`.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { countInbox, searchInbox } from '../src/features/inbox/threads/read/list.store.ts';
import type { Caller } from '../src/kernel/caller.ts';
import { connect, type Whereabouts } from '../src/store/connect.ts';

/** Half as many threads. */
const PEOPLE = Number(process.env['BENCH_PEOPLE'] ?? 100_000);
const CALLS = Number(process.env['BENCH_CALLS'] ?? 2_000);
const WARM = 300;
const LIMIT = 50;

const at = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;

type Told = { url: string; user: string; token: string; database: Whereabouts };

const product = fork(join(import.meta.dirname, 'servers/inbox.ts'), [String(PEOPLE)], {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
const [{ url, user: id, token, database }] = (await once(product, 'message')) as [Told];
const pools = connect(database, () => undefined);
try {
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
        `${url}${path}`,
        { agent: kept, headers: { authorization: `Bearer ${token}` } },
        (answer) => {
          if (answer.statusCode !== 200) reject(new Error(`${path}: ${answer.statusCode}`));
          answer.resume().on('end', resolve);
        },
      );
      asked.on('error', reject).end();
    });
  const { reader } = pools;
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
    ['its counts', '/api/inbox/counts', () => countInbox(reader, caller)],
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
  await pools.close();
  product.disconnect();
}
