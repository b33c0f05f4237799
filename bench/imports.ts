// An import of people, planned and written, beside the COPY of the same rows into a bare table with the same unique index; and
// how long calls take while it runs, beside the same calls on a quiet instance. Alone: `node bench/imports.ts`; `npm run bench`
// calls it.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';

const ROWS = Number(process.env['BENCH_IMPORT_ROWS'] ?? 50_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const QUIET_MS = 4_000;
const EVERY_MS = 20;

type Product = { url: string; token: string; cookie: string; database: Record<string, string | number> };
export type Imports = { copy: number; plan: number; write: number; quiet: number; busy: number };

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const p99 = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;

const cells = (round: number, i: number): string[] => [
  `p${round}.${i}@customer${i % 5_000}.example`,
  `Given${i % 900}`,
  `Family${i % 7_000}`,
  'Head of Purchasing',
  `Customer ${i % 5_000}`,
];

export async function measureImports(): Promise<Imports> {
  const child = fork(join(import.meta.dirname, 'servers', 'product.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const product = await new Promise<Product>((resolve) =>
    child.once('message', (told) => resolve(told as Product)),
  );
  const sql = postgres({ ...product.database, onnotice: () => undefined });
  const found: Record<keyof Imports, number[]> = { copy: [], plan: [], write: [], quiet: [], busy: [] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      found.copy.push(await copied(sql, round));
      found.quiet.push(p99(await latencies(product, () => sleep(QUIET_MS))));
      const busy = await latencies(product, async () => {
        const { plan, write } = await imported(product, round);
        found.plan.push(plan);
        found.write.push(write);
      });
      found.busy.push(p99(busy));
    }
  } finally {
    await sql.end();
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.disconnect();
    await ended;
  }
  const all = (key: keyof Imports): number => median(found[key]);
  return {
    copy: all('copy'),
    plan: all('plan'),
    write: all('write'),
    quiet: all('quiet'),
    busy: all('busy'),
  };
}

async function copied(sql: postgres.Sql, round: number): Promise<number> {
  await sql`drop table if exists bench_rows`;
  await sql`create table bench_rows (address text not null unique, given text, family text, title text, company text)`;
  const text = Array.from({ length: ROWS }, (_, i) => cells(round, i).join('\t')).join('\n');
  const from = performance.now();
  const into = await sql`copy bench_rows from stdin`.writable();
  await new Promise<void>((resolve, reject) => {
    into.on('error', reject).on('finish', () => resolve());
    into.end(`${text}\n`);
  });
  return performance.now() - from;
}

async function imported(product: Product, round: number): Promise<{ plan: number; write: number }> {
  const headings = 'Email,First name,Last name,Job title,Company';
  const file = [headings, ...Array.from({ length: ROWS }, (_, i) => cells(round, i).join(','))].join('\n');
  const origin = new URL(product.url).origin;
  const route = `${origin}/api/admin/crm/people/import`;
  const headers = { cookie: product.cookie, origin };
  const give = async (args: unknown): Promise<{ batch_id: string; state: string }> => {
    const form = new FormData();
    form.set('arguments', JSON.stringify(args));
    form.set('file', new Blob([file]), 'bench.csv');
    const answer = await fetch(route, { method: 'POST', body: form, headers });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { batch_id: string; state: string };
  };
  const from = performance.now();
  await give({});
  const planned = performance.now();
  const given = await give({ dry_run: false });
  let { state } = given;
  while (state === 'writing') {
    // As often as a person could look: asking is no part of the work.
    await sleep(200);
    const answer = await fetch(`${route}/${given.batch_id}?limit=1`, { headers });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    ({ state } = ((await answer.json()) as { batch: { state: string } }).batch);
  }
  return { plan: planned - from, write: performance.now() - planned };
}

/** How long each of fifty calls a second took until `work` was done, in milliseconds. */
async function latencies({ url, token }: Product, work: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  const calls: Promise<void>[] = [];
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'work_search', arguments: { project: 'OUT', status: 'todo', limit: 10 } },
  });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const one = async (): Promise<void> => {
    const from = performance.now();
    const answer = await fetch(url, { method: 'POST', headers, body });
    await answer.text();
    took.push(performance.now() - from);
  };
  const timer = setInterval(() => calls.push(one()), EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  await Promise.all(calls);
  return took;
}

export function importsTable({ copy, plan, write, quiet, busy }: Imports): string {
  const ms = (value: number): string => `${Math.round(value).toLocaleString('en')} ms`;
  return [
    `| ${ROWS.toLocaleString('en')} people | median | ratio | aim |`,
    '|---|---|---|---|',
    `| COPY into a bare table (yardstick) | ${ms(copy)} | 1 | |`,
    `| planned | ${ms(plan)} | ${(plan / copy).toFixed(1)} | |`,
    `| written | ${ms(write)} | ${(write / copy).toFixed(1)} | |`,
    `| planned and written | ${ms(plan + write)} | ${((plan + write) / copy).toFixed(1)} | 6 or less |`,
    `| p99 of a call, quiet (yardstick) | ${quiet.toFixed(1)} ms | 1 | |`,
    `| p99 of a call while it runs | ${busy.toFixed(1)} ms | ${(busy / quiet).toFixed(1)} | 2 or less |`,
  ].join('\n');
}

if (import.meta.main) console.log(importsTable(await measureImports()));
