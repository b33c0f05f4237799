// What one caller asks for at great cost, all of it at once, from a process of its own and at a lower priority: a stranger's
// machine takes no processor time from ours, and on one machine with it every millisecond that it takes is the product's.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { packedWorkbook } from '../imports/workbook.ts';

const LOWER = 10;
const LOWEST = 19;
const LASTS_MS = 10_000;
/** Ten megabytes of XML. */
const ROWS = 32_000;

type Ordered = { load: string; url: string; tokens: string[] };
/** `faults`: answers of 500 and more that are no refusal, and connections that broke. */
export type Loaded = { rounds: number; statuses: Record<string, number>; faults: string[] };

/** Asks again and again for ten seconds; the statuses are those of all rounds. */
export async function loaded(ordered: Ordered): Promise<Loaded> {
  const child: ChildProcess = fork(import.meta.filename, [JSON.stringify(ordered)]);
  const [told] = (await once(child, 'message')) as [Loaded];
  child.kill();
  return told;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
const JSON_BODY = { 'content-type': 'application/json' };

type Send = (
  method: string,
  path: string,
  body?: string,
  headers?: Record<string, string>,
) => Promise<number>;

const as = (token: string | undefined): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...JSON_BODY,
});

const times = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

/** One caller's worth of each cost, in numbers. */
export const LOADS: Record<string, (send: Send, ordered: Ordered) => Promise<number[]>> = {
  'a thousand sign-ins in flight': (send) =>
    times(1_000, (n) => {
      const body = { email: `u${n}@example.com`, password: 'a wrong password of somebody' };
      return send('POST', '/api/auth/login', JSON.stringify(body), JSON_BODY);
    }),
  '200 anonymous reads of the API document': (send) =>
    times(200, () => send('GET', '/openapi.json', undefined, { 'accept-encoding': 'gzip, br' })),
  '50 event streams of one caller': async (_, { url, tokens }) => {
    const streams = Array.from({ length: 50 }, () => {
      const asked = request(`${url}/api/events`, { headers: as(tokens[0]) });
      const opened = new Promise<number>((resolve) => {
        asked
          .once('response', (answer) => resolve(answer.resume().statusCode ?? 0))
          .once('error', () => resolve(0));
      });
      asked.end();
      return { asked, opened };
    });
    const statuses = await Promise.all(streams.map(({ opened }) => opened));
    await sleep(5_000);
    for (const { asked } of streams) asked.destroy();
    return statuses;
  },
  'ten imports that unpack': (send, { tokens }) =>
    Promise.all(
      tokens.slice(0, 10).map((token) => send('POST', '/api/admin/crm/people/import', unpacks(), as(token))),
    ),
  '24 heavy counts of a segment': (send, { tokens }) => {
    const all = Array.from({ length: 20 }, (_, n) => ({
      field: 'name',
      op: 'contains_not',
      value: `zz${n}`,
    }));
    const body = JSON.stringify({ filter: { all } });
    return Promise.all(tokens.map((token) => send('POST', '/api/admin/crm/segments/count', body, as(token))));
  },
};

let made = '';
function unpacks(): string {
  const rows = Array.from({ length: made ? 0 : ROWS }, (_, n) => [
    `p${n}@list.example`,
    `Person ${n}`,
    'a note '.repeat(8),
  ]);
  made ||= JSON.stringify({
    file_base64: packedWorkbook([['Email', 'Name', 'Note'], ...rows]).toString('base64'),
    filename: 'people.xlsx',
    dry_run: true,
  });
  return made;
}

async function inProcess(ordered: Ordered): Promise<Loaded> {
  const faults: string[] = [];
  const send: Send = (method, path, body, headers) =>
    new Promise((resolve) => {
      const asked = request(ordered.url + path, { method, headers: headers ?? {}, agent }, (answer) => {
        const status = answer.statusCode ?? 0;
        if (status >= 500 && status !== 503) faults.push(`${status}: ${method} ${path}`);
        answer.resume().once('end', () => resolve(status));
      });
      asked.once('error', (error) => {
        faults.push(`${String(error)}: ${method} ${path}`);
        resolve(0);
      });
      asked.end(body);
    });
  const all: number[] = [];
  const until = performance.now() + LASTS_MS;
  let rounds = 0;
  do {
    all.push(...((await LOADS[ordered.load]?.(send, ordered)) ?? []));
    rounds += 1;
  } while (performance.now() < until);
  const statuses = Object.fromEntries(
    [...Map.groupBy(all, String)].map(([status, answers]) => [status, answers.length]),
  );
  return { rounds, statuses, faults };
}

if (process.send && process.argv[1] === import.meta.filename) {
  setPriority(Math.min(getPriority() + LOWER, LOWEST));
  process.on('disconnect', () => process.exit(0));
  process.send(await inProcess(JSON.parse(process.argv[2] ?? '') as Ordered));
}
