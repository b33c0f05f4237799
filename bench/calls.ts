// Calls a second over 32 connections: `work_search` and `work_move` beside the official SDK's echo and a bare server that ran in the
// same minutes. Alone: `node bench/calls.ts`, which prints the table; `npm run bench` calls it.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';

export const CONNECTIONS = 32;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 8);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);

export type Told = { url: string; token?: string; items?: string[] };
type Server = { child: ChildProcess; pid: number; told: Told; stop(): Promise<void> };

export async function startServer(file: string): Promise<Server> {
  const child = fork(join(import.meta.dirname, 'servers', file), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit');
  const ended = gone.then(([status]) => {
    throw new Error(`${file} ended with ${String(status)}`);
  });
  const [told] = (await Promise.race([once(child, 'message'), ended])) as [Told];
  ended.catch(() => undefined);
  return {
    child,
    pid: child.pid as number,
    told,
    async stop() {
      child.disconnect();
      // The yardsticks hold nothing that would have to be put in order.
      const timer = setTimeout(() => child.kill('SIGKILL'), /^(bare|sdk-echo)/.test(file) ? 50 : 15_000);
      await gone;
      clearTimeout(timer);
    },
  };
}

export type Message = { method: string; params?: object };

const tool = (name: string, given: object): Message => ({
  method: 'tools/call',
  params: { name, arguments: given },
});

/** What is called, the n-th time. */
export const MESSAGES = {
  echo: () => tool('echo', { text: 'hello' }),
  ping: () => ({ method: 'ping' }),
  work_search: () => tool('work_search', { project: 'OUT', status: 'todo', limit: 10 }),
  work_move: (n, { items = [] }) => {
    const status = Math.floor(n / items.length) % 2 === 0 ? 'in_progress' : 'todo';
    return tool('work_move', { item_id: items[n % items.length], status });
  },
} satisfies Record<string, (n: number, told: Told) => Message>;

export const headersOf = ({ token }: Told): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  ...(token && { authorization: `Bearer ${token}` }),
});

export const isResult = (body: string): boolean =>
  body.includes('"result"') && !body.includes('"isError":true');

/** Calls a second, after a warm-up; throws where an answer was no result. */
async function measure(told: Told, message: (n: number, told: Told) => Message): Promise<number> {
  let n = 0;
  const run = (duration: number) =>
    autocannon({
      url: told.url,
      connections: CONNECTIONS,
      duration,
      method: 'POST',
      headers: headersOf(told),
      requests: [
        {
          setupRequest: (request) => {
            n += 1;
            return { ...request, body: JSON.stringify({ jsonrpc: '2.0', id: n, ...message(n, told) }) };
          },
        },
      ],
      verifyBody: (body = '') => isResult(String(body)),
    });
  await run(2);
  const { requests, non2xx, mismatches } = await run(SECONDS);
  if (non2xx > 0 || mismatches > 0)
    throw new Error(`${told.url}: ${non2xx} other statuses, ${mismatches} answers that were no result`);
  return requests.average;
}

const YARDSTICK = 'SDK echo (yardstick)';
const ROWS: { name: string; file: string; calls: keyof typeof MESSAGES; aim: string }[] = [
  { name: YARDSTICK, file: 'sdk-echo.ts', calls: 'echo', aim: '' },
  { name: 'bare node:http echo', file: 'bare.ts', calls: 'echo', aim: '' },
  { name: 'work_search', file: 'product.ts', calls: 'work_search', aim: '4 or better' },
  { name: 'work_move', file: 'product.ts', calls: 'work_move', aim: '1.5 or better' },
];

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Calls a second of each row, the median of the rounds. */
export async function measureCalls(): Promise<Map<string, number>> {
  const rounds = new Map<string, number[]>(ROWS.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, file, calls } of ROWS) {
      const server = await startServer(file);
      rounds.get(name)?.push(await measure(server.told, MESSAGES[calls]));
      await server.stop();
    }
  return new Map([...rounds].map(([name, values]) => [name, median(values)]));
}

export function callsTable(rates: Map<string, number>): string {
  const ratio = (name: string): string => ((rates.get(name) ?? 0) / (rates.get(YARDSTICK) ?? 1)).toFixed(2);
  const shown = (name: string): string => Math.round(rates.get(name) ?? 0).toLocaleString('en');
  return [
    '| call | a second, median | ratio to the yardstick | aim |',
    '|---|---|---|---|',
    ...ROWS.map(({ name, aim }) => `| ${name} | ${shown(name)} | ${ratio(name)} | ${aim} |`),
  ].join('\n');
}

export const measuredOn = (): string =>
  `Measured on ${new Date().toISOString().slice(0, 10)} on ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}, load and servers on the same machine: ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, the median of the rounds.`;

if (import.meta.main) console.log(`${measuredOn()}\n\n${callsTable(await measureCalls())}`);
