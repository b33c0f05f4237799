// A bulk action on many people, by a filter: how long until all of them have a tag, and until that is undone. Alone:
// `node bench/bulk.ts`.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';

const PEOPLE = Number(process.env['BENCH_BULK_PEOPLE'] ?? 10_000);
const LOOK_MS = 50;

type Product = { url: string; token: string; cookie: string; database: Record<string, string | number> };
type Job = { id: string; state: string; done: number };

const child = fork(join(import.meta.dirname, 'servers', 'product.ts'), {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
const product = await new Promise<Product>((resolve) =>
  child.once('message', (told) => resolve(told as Product)),
);
const sql = postgres({ ...product.database, onnotice: () => undefined });
await sql`
  insert into people (id, name, name_key, search, created_by_kind, created_by_id, created_by_name, created_at, updated_at)
  select gen_random_uuid(), 'Person ' || n, 'person ' || n, ('''person'':1A ''' || n || ''':1A')::tsvector, 'person', 'x', 'x',
    now(), now()
  from generate_series(1, ${PEOPLE}) n`;
await sql`analyze people`;

async function asked(path: string, body?: object): Promise<Job> {
  const answer = await fetch(`${product.url.replace(/\/mcp$/, '')}/api/admin/crm/people/bulk${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${product.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const said = (await answer.json()) as { job?: Job };
  if (!said.job) throw new Error(JSON.stringify(said));
  return said.job;
}

async function timed(path: string, body: object): Promise<[job: Job, ms: number]> {
  const from = performance.now();
  let job = await asked(path, body);
  while (job.state === 'going') {
    await sleep(LOOK_MS);
    job = await asked(`/${job.id}`);
  }
  return [job, Math.round(performance.now() - from)];
}

const [job, tagged] = await timed('', { act: 'add_tags', tags: ['autumn'], filter: {} });
const [, undone] = await timed(`/${job.id}/undo`, {});
process.stdout.write(`${job.done} people tagged in ${tagged} ms, and that undone in ${undone} ms\n`);
await sql.end();
const ended = new Promise((resolve) => child.once('exit', resolve));
child.disconnect();
await ended;
