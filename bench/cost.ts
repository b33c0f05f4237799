// What a call costs in processor time of node and of PostgreSQL, beside the official SDK's echo and beside floors measured in the
// same run: an exchange by node's own server, a row read by its key, a row committed and synced. For busy machines, where
// calls a second say little. Alone: `node bench/cost.ts`, which prints the table; names after it (`work_move`, `floors`)
// measure those alone.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { CONNECTIONS, headersOf, isResult, MESSAGES, type Message, startServer, type Told } from './calls.ts';
import { costOf, inMs, middle, type Spent } from './processor.ts';
import type { Ask, What } from './servers/database.ts';

const CALLS = Number(process.env['BENCH_CALLS'] ?? 5_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);

type Calls = (n: number, told: Told) => Message;

/** So many calls over kept connections; throws where an answer was no result. */
async function call(told: Told, message: Calls, count: number, from: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = headersOf(told);
  const one = (id: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, ...message(id, told) }));
      const options = { agent, method: 'POST', headers: { ...headers, 'content-length': body.length } };
      const asked = request(told.url, options, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        answer.on('end', () =>
          isResult(text) ? resolve() : reject(new Error(`no result: ${text.slice(0, 300)}`)),
        );
      });
      asked.on('error', reject).end(body);
    });
  let next = from;
  const hand = async (): Promise<void> => {
    while (next < from + count) await one(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, hand));
  agent.destroy();
}

/** The middle of the rounds, after half a one to warm up. */
async function rounds(pid: number, work: (count: number, from: number) => Promise<unknown>): Promise<Spent> {
  await work(CALLS / 2, 0);
  const all: Spent[] = [];
  for (let round = 1; round <= ROUNDS; round += 1)
    all.push(await costOf(pid, CALLS, () => work(CALLS, round * CALLS)));
  return middle(all);
}

type Cost = Spent & { of: string };

const SERVERS: { file: string; calls: [keyof typeof MESSAGES, string][] }[] = [
  { file: 'bare.ts', calls: [['echo', 'an exchange by node:http']] },
  { file: 'sdk-echo.ts', calls: [['echo', "the SDK's echo (yardstick)"]] },
  {
    file: 'product.ts',
    calls: [
      ['ping', 'ping'],
      ['work_search', 'work_search'],
      ['work_move', 'work_move'],
    ],
  },
];

const FLOORS: [What, string][] = [
  ['read', 'a row read by its key'],
  ['statement', 'a row committed and synced, as one statement'],
  ['transaction', 'the same between begin and commit'],
];

export async function measureCosts(only: readonly string[] = []): Promise<Cost[]> {
  const costs: Cost[] = [];
  const isAsked = (name: string): boolean => only.length === 0 || only.includes(name);
  for (const { file, calls } of SERVERS) {
    const asked = calls.filter(([, of]) => isAsked(file === 'product.ts' ? of : 'floors'));
    if (asked.length === 0) continue;
    const { pid, told, stop } = await startServer(file);
    for (const [name, of] of asked) {
      const work = (count: number, from: number) => call(told, MESSAGES[name], count, from);
      costs.push({ of, ...(await rounds(pid, work)) });
    }
    await stop();
  }
  if (isAsked('floors')) {
    const { child, pid, stop } = await startServer('ground.ts');
    for (const [what, of] of FLOORS) {
      const work = (count: number): Promise<unknown> => {
        child.send({ what, count, at_once: CONNECTIONS } satisfies Ask);
        return once(child, 'message');
      };
      costs.push({ of, ...(await rounds(pid, work)) });
    }
    await stop();
  }
  return costs;
}

export const costsTable = (costs: readonly Cost[]): string =>
  [
    '| processor time a call | node | PostgreSQL | together |',
    '|---|---|---|---|',
    ...costs.map(
      ({ of, node, postgres }) => `| ${of} | ${inMs(node)} | ${inMs(postgres)} | ${inMs(node + postgres)} |`,
    ),
  ].join('\n');

if (import.meta.main) console.log(costsTable(await measureCosts(process.argv.slice(2))));
