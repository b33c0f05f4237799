// `npm run bench`: what the product does in a second beside yardsticks that run in the same minutes on the same machine, and
// the table of ratios. A figure without its yardstick says nothing: machines differ, ratios hold.
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { besideTable, measureBeside } from './beside.ts';
import { deliveriesTable, measureDeliveries } from './deliveries.ts';
import { importsTable, measureImports } from './imports.ts';
import { lettersTable, measureLetters } from './letters.ts';
import { measureStarts, startTable } from './start.ts';

const CONNECTIONS = 32;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 8);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);

type Told = { url: string; token?: string; items?: string[] };
type Server = Told & { stop(): Promise<void> };

function start(file: string): Promise<Server> {
  const child = fork(join(import.meta.dirname, 'servers', file), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    child.once('message', (told) =>
      resolve({
        ...(told as Told),
        async stop() {
          child.disconnect();
          const timer = setTimeout(() => child.kill('SIGKILL'), file === 'product.ts' ? 10_000 : 50);
          await ended;
          clearTimeout(timer);
        },
      }),
    );
    child.once('exit', (status) => reject(new Error(`${file} ended with ${status}`)));
  });
}

type Call = (n: number) => { name: string; arguments: Record<string, unknown> };

/** Calls a second, after a warm-up; throws where an answer was no result. */
async function measure(server: Told, call: Call): Promise<number> {
  let n = 0;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  if (server.token) headers['authorization'] = `Bearer ${server.token}`;
  const run = (duration: number) =>
    autocannon({
      url: server.url,
      connections: CONNECTIONS,
      duration,
      method: 'POST',
      headers,
      requests: [
        {
          setupRequest: (request) => ({
            ...request,
            body: JSON.stringify({ jsonrpc: '2.0', id: ++n, method: 'tools/call', params: call(n) }),
          }),
        },
      ],
      verifyBody: (body = '') => body.includes('"result"') && !body.includes('"isError":true'),
    });
  await run(2);
  const { requests, non2xx, mismatches } = await run(SECONDS);
  if (non2xx > 0 || mismatches > 0)
    throw new Error(`${server.url}: ${non2xx} other statuses, ${mismatches} answers that were no result`);
  return requests.average;
}

const echo: Call = () => ({ name: 'echo', arguments: { text: 'hello' } });
const search: Call = () => ({
  name: 'work_search',
  arguments: { project: 'OUT', status: 'todo', limit: 10 },
});
const moveOf =
  (items: string[]): Call =>
  (n) => {
    const status = Math.floor(n / items.length) % 2 === 0 ? 'in_progress' : 'todo';
    return { name: 'work_move', arguments: { item_id: items[n % items.length], status } };
  };

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const rows: Record<string, number[]> = {
  'SDK echo (yardstick)': [],
  'bare node:http echo': [],
  work_search: [],
  work_move: [],
};
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, file, calls] of [
    ['SDK echo (yardstick)', 'sdk-echo.ts', () => echo],
    ['bare node:http echo', 'bare.ts', () => echo],
    ['work_search', 'product.ts', () => search],
    ['work_move', 'product.ts', (server: Server) => moveOf(server.items ?? [])],
  ] as [string, string, (server: Server) => Call][]) {
    const server = await start(file);
    rows[name]?.push(await measure(server, calls(server)));
    await server.stop();
  }
}

const yardstick = median(rows['SDK echo (yardstick)'] ?? []);
const AIMS: Record<string, string> = { work_search: '4 or better', work_move: '1.5 or better' };
const table = [
  '| call | a second, median | ratio to the yardstick | aim |',
  '|---|---|---|---|',
  ...Object.entries(rows).map(
    ([name, values]) =>
      `| ${name} | ${Math.round(median(values)).toLocaleString('en')} | ${(median(values) / yardstick).toFixed(2)} | ${AIMS[name] ?? ''} |`,
  ),
].join('\n');
const words = `Measured on ${new Date().toISOString().slice(0, 10)} on ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}, load and servers on the same machine: ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, the median of the rounds.`;
/** What profiles of the same servers say stands between these figures and the aims. */
const MISSING = [
  '## What is missing (profiles of 2026-11-21)',
  '',
  'The load, node and PostgreSQL share two cores, of which the yardstick has one to itself; processor time a call compares better than calls a second. The echo costs 0.89 ms of node. `work_search` costs 0.45 ms of node and 0.14 ms of PostgreSQL: about two fifths are the edge and the lookup of the token (a `ping` costs 0.17 and 0.06 ms), a fifth is writing to the database socket, a tenth each reading rows, answering and collecting garbage.',
  '',
  '`work_move` costs 1.3 ms of node and 1.2 ms of PostgreSQL: a transaction of six round trips (begin; lock and load; place in the column; row and history; audit; commit), a row with nine indexes of which none can be skipped when a card changes column, and its queue for one of twelve connections. Next: the write as one statement, and the words and labels of a card in a table that a move does not touch.',
  '',
  'Tried: planning statements once (search 1,021 to 1,710 a second, move 522 to 685), lookups on connections of their own and few readers (search to 2,386), one round trip for a search in a project, news outside the transaction.',
].join('\n');

const starts = startTable(await measureStarts());
const deliveries = deliveriesTable(await measureDeliveries());
const beside = besideTable(await measureBeside());
const imports = importsTable(await measureImports());
const letters = lettersTable(await measureLetters());
console.log(`${words}\n\n${table}\n\n${deliveries}\n\n${beside}\n\n${imports}\n\n${letters}\n\n${starts}`);
if (!process.argv.includes('--no-write'))
  writeFileSync(
    join(import.meta.dirname, 'RESULTS.md'),
    `# Results\n\n\`npm run bench\` writes this. The yardstick is the official SDK's stateless server with an echo tool: no token, no database, no gates. Ours has a token looked up at every call, policy, a real query or a real transaction with history, audit row and news, and PostgreSQL syncing to disk.\n\n${words}\n\n${table}\n\nDeliveries are beside a bare loop that signs and posts the same bodies to the same receiver and keeps no account of them.\n\n${deliveries}\n\nCalls (the list of items and \`work_search\`, 200 a second) in short turns with nothing going out and with fifty events queued four times a second, to receivers that behave badly.\n\n${beside}\n\nAn import is beside the COPY of the same rows into a bare table with the same unique index.\n\n${imports}\n\nLetters are chosen by identity, so that those that wait cost nothing; they are sent to a mail server on loopback beside a bare pool of connections that signs nothing and keeps no account.\n\n${letters}\n\nA start is timed from the call to the first answer of /healthz, with the compiled code of the start before, as \`npm start\`, the image and the unit keep it; memory is of all processes together, a page that several share counted once, 20 s after a start.\n\n${starts}\n\n${MISSING}\n`,
  );
