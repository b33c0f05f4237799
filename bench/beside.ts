// How long calls take while events go out to receivers that behave badly, beside how long they take while nothing goes out.
// Both in short turns, one after the other, since machines have moods, and the
// first row, where nothing goes out in either, says how much of a ratio is mood.
// Alone: `node bench/beside.ts`; `npm run bench` calls it.
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Load } from './servers/load.ts';
import type { Order } from './servers/product-events.ts';

const ROUNDS = Number(process.env['BENCH_BESIDE_ROUNDS'] ?? 12);
const TURN_MS = 500;
const PER_SECOND = 200;
/** As many events as a batch holds, four times a second. */
const QUEUED = 50;
const QUEUED_EVERY_MS = 250;

/** Nothing goes out in either turn: what the comparison says of the machine alone. */
const NOTHING = 'is not there (control)';

type Turn = { quiet: number[]; beside: number[] };
export type Beside = Record<string, Turn[]>;

function start<Told>(file: string): Promise<{ child: ChildProcess; told: Told }> {
  const child = fork(join(import.meta.dirname, 'servers', file), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', (told) => resolve({ child, told: told as Told }));
    child.once('exit', (status) => reject(new Error(`${file} ended with ${status}`)));
  });
}

const ask = <Answer>(child: ChildProcess, order: object): Promise<Answer> =>
  new Promise((resolve) => {
    child.once('message', (answer) => resolve(answer as Answer));
    child.send(order);
  });

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The times of calls of every turn, by what the receiver does. */
export async function measureBeside(): Promise<Beside> {
  const product = await start<{ url: string; token: string }>('product-events.ts');
  const rogues = await start<{ urls: Record<string, string> }>('rogues.ts');
  const load = fork(join(import.meta.dirname, 'servers', 'load.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const order = (what: Order) => ask(product.child, what);
  const { url, token } = product.told;
  const calls = (ms: number): Promise<number[]> =>
    ask(load, { url, token, ms, per_second: PER_SECOND } satisfies Load);

  const turn = async (to: string | null): Promise<number[]> => {
    if (to !== null) await order({ to });
    let over = false;
    const queueing = (async () => {
      while (to !== null && !over) {
        await order({ queue: QUEUED });
        await sleep(QUEUED_EVERY_MS);
      }
    })();
    const times = await calls(TURN_MS);
    over = true;
    await queueing;
    if (to !== null) {
      // Posts that are still open end with their connections, so that the next turn is quiet.
      await order({ forget: true });
      await ask(rogues.child, {});
      await sleep(50);
    }
    return times;
  };

  const found: Beside = {};
  await calls(TURN_MS);
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, to] of [[NOTHING, null], ...Object.entries(rogues.told.urls)] as const) {
      const order: (keyof Turn)[] = round % 2 === 0 ? ['quiet', 'beside'] : ['beside', 'quiet'];
      const both: Turn = { quiet: [], beside: [] };
      for (const which of order) both[which] = await turn(which === 'quiet' ? null : to);
      (found[name] ??= []).push(both);
    }
  for (const child of [load, rogues.child]) child.disconnect();
  const ended = new Promise((resolve) => product.child.once('exit', resolve));
  product.child.disconnect();
  await ended;
  return found;
}

const p99 = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;

/** The rows of the table of results; the last is over all receivers. */
export function besideTable(found: Beside): string {
  const all = Object.entries(found).flatMap(([name, turns]) => (name === NOTHING ? [] : turns));
  return [
    `| while events go to a receiver that | p99 quiet, ms | p99 beside, ms | ratio | aim |`,
    '|---|---|---|---|---|',
    ...Object.entries({ ...found, 'does any of these': all }).map(([name, turns]) => {
      const quiet = p99(turns.flatMap((turn) => turn.quiet));
      const beside = p99(turns.flatMap((turn) => turn.beside));
      const aim = name === NOTHING ? '' : '1.1 or less';
      return `| ${name} | ${quiet.toFixed(1)} | ${beside.toFixed(1)} | ${(beside / quiet).toFixed(2)} | ${aim} |`;
    }),
  ].join('\n');
}

if (import.meta.main) console.log(besideTable(await measureBeside()));
