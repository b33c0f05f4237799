// How long a start takes until /healthz says that it serves, and what the product holds in memory at rest: the first time and
// again, with its own PostgreSQL and with one that is given. Alone: `node bench/start.ts`; `npm run bench` calls it.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { startOwnServer } from '../src/store/own-server/own-server.ts';
import { faultProxy } from '../test/support/fault-proxy.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** Until passes ran, and the collector had its turn. */
const REST_MS = Number(process.env['BENCH_REST_MS'] ?? 20_000);
const ROOT = join(import.meta.dirname, '..');

type Starts = {
  /** Milliseconds from the call to the first 200. */
  first_ms: number[];
  again_ms: number[];
  npm_ms: number[];
  given_ms: number[];
  /** Bytes, each page shared by several processes counted once. */
  own_bytes: { node: number; postgres: number };
  given_bytes: number;
};

export async function measureStarts(): Promise<Starts> {
  execFileSync(process.execPath, [join(ROOT, 'scripts', 'build-server.mjs')], { stdio: 'inherit' });
  const found: Starts = {
    first_ms: [],
    again_ms: [],
    npm_ms: [],
    given_ms: [],
    own_bytes: { node: 0, postgres: 0 },
    given_bytes: 0,
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const folder = folderOfItsOwn();
    const first = await start(folder, {});
    found.first_ms.push(first.took_ms);
    await first.stop();
    const again = await start(folder, {});
    found.again_ms.push(again.took_ms);
    if (round === ROUNDS - 1) {
      await sleep(REST_MS);
      found.own_bytes = memory(again.child.pid ?? 0);
    }
    await again.stop();
    const typed = await start(folder, {}, ['npm', 'start', '--silent']);
    found.npm_ms.push(typed.took_ms);
    await typed.stop();
    rmSync(folder, { recursive: true, force: true });
  }

  const folder = folderOfItsOwn();
  const server = await startOwnServer({ dataDir: folder, log: () => undefined });
  // The product's own server listens on a socket alone; a given one is reached by TCP.
  await using proxy = await faultProxy(join(server.socketDir, `.s.PGSQL.${server.port}`));
  const given = { DATABASE_URL: `postgres://${server.user}@127.0.0.1:${proxy.port}/${server.database}` };
  const data = folderOfItsOwn();
  await (await start(data, given)).stop();
  for (let round = 0; round < ROUNDS; round += 1) {
    const there = await start(data, given);
    found.given_ms.push(there.took_ms);
    if (round === ROUNDS - 1) {
      await sleep(REST_MS);
      found.given_bytes = memory(there.child.pid ?? 0).node;
    }
    await there.stop();
  }
  await server.stop();
  for (const each of [folder, data]) rmSync(each, { recursive: true, force: true });
  return found;
}

/** What a checkout keeps between starts is in it too, so that a first start is one. */
function folderOfItsOwn(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dunnock-bench-'));
  chmodSync(folder, 0o755);
  return folder;
}

type Started = { child: ChildProcess; took_ms: number; stop(): Promise<void> };

/** As `npm start` runs it, or npm itself. */
async function start(
  folder: string,
  settings: Record<string, string>,
  command: readonly string[] = [process.execPath, join(ROOT, 'dist', 'main.mjs'), 'start'],
): Promise<Started> {
  const [program = '', ...args] = command;
  const began = performance.now();
  const child = spawn(program, args, {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      PORT: '0',
      SERVICE_DATA_DIR: folder,
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      NODE_OPTIONS: '--max-semi-space-size=8', // as scripts/setup/server.mjs has it
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = / is at (http:\/\/\S+)$/.exec(line)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (status) => reject(new Error(`the product ended with ${status}`)));
  });
  const { ok } = await fetch(`${url}/healthz`);
  if (!ok) throw new Error('it started and does not serve');
  return {
    child,
    took_ms: performance.now() - began,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The process and all below it. Processes of PostgreSQL share most of what they hold, so theirs is the proportional share. */
function memory(head: number): { node: number; postgres: number } {
  const below = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const parent = Number(/^PPid:\s+(\d+)$/m.exec(read(name, 'status'))?.[1]);
    below.set(parent, [...(below.get(parent) ?? []), Number(name)]);
  }
  const tree = (pid: number): number[] => [pid, ...(below.get(pid) ?? []).flatMap(tree)];
  const bytes = (pid: number): number =>
    1024 * Number(/^Pss:\s+(\d+) kB$/m.exec(read(String(pid), 'smaps_rollup'))?.[1] ?? 0);
  const [, ...others] = tree(head);
  return { node: bytes(head), postgres: others.reduce((sum, pid) => sum + bytes(pid), 0) };
}

function read(pid: string, what: string): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    return ''; // ended while we looked
  }
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The rows of the table of results. */
export function startTable({ first_ms, again_ms, npm_ms, given_ms, own_bytes, given_bytes }: Starts): string {
  const seconds = (values: number[]): string => `${(median(values) / 1_000).toFixed(2)} s`;
  const mb = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
  return [
    '| start and rest | median | aim |',
    '|---|---|---|',
    `| first start: nothing compiled, no database yet | ${seconds(first_ms)} | under 3 s |`,
    `| start, its own PostgreSQL | ${seconds(again_ms)} | under 1 s |`,
    `| the same by \`npm start\` | ${seconds(npm_ms)} | |`,
    `| start, a PostgreSQL that is given | ${seconds(given_ms)} | under 1 s |`,
    `| at rest with its own PostgreSQL | ${mb(own_bytes.node + own_bytes.postgres)}: node ${mb(own_bytes.node)}, PostgreSQL ${mb(own_bytes.postgres)} | 250 MB |`,
    `| at rest with a given one | ${mb(given_bytes)} | 150 MB |`,
  ].join('\n');
}

if (import.meta.main) console.log(startTable(await measureStarts()));
