// Deliveries of events a second, beside a bare loop that signs and posts the same bodies to the same receiver over kept
// connections, ten at a time, and keeps no account of anything. Alone: `node bench/deliveries.ts`; `npm run bench` calls it.
import { fork } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openInstance } from '../src/instance.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { newId } from '../src/kernel/ids.ts';
import { readAllowedHosts } from '../src/net/switches.ts';
import { startOwnServer } from '../src/store/own-server/own-server.ts';
import { costOf, inMs, middle, type Spent } from './processor.ts';

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 4_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const AT_A_TIME = 10;
const SECRET = `whsec_${randomBytes(32).toString('base64url')}`;

type Measured = { a_second: number; cost: Spent };
export type Deliveries = { product: Measured; raw: Measured };

/** Posts and deliveries a second, and the processor time of each: the median of the rounds. */
export async function measureDeliveries(): Promise<Deliveries> {
  const folder = mkdtempSync(join(tmpdir(), 'dunnock-bench-'));
  chmodSync(folder, 0o755);
  const own = await startOwnServer({ dataDir: folder, log: () => undefined });
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
    provisioning_key: null,
    api_document: join(import.meta.dirname, '../openapi.json'),
    screens: null,
    outside: {
      lookup: async () => [],
      dns: {},
      events: { allowPrivate: true },
      hosts: { allowedHosts: readAllowedHosts('') },
      mail_ca: [],
    },
    sending: { enabled: true, development: false },
    passes: 'when_told',
    clock: systemClock,
    log: pino({ level: 'silent' }),
  });
  const receiver = fork(join(import.meta.dirname, 'servers', 'receiver.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { url } = await new Promise<{ url: string }>((resolve) =>
    receiver.once('message', (told) => resolve(told as { url: string })),
  );
  const { database, sealer } = instance.app;
  const sealed = sealer.seal(SECRET, 'events_webhook.secret');
  await instance.pools.writer`
    insert into events_webhook (url, delivering, secret, secret_at) values (${url}, true, ${sealed}, now())`;

  const queue = async (): Promise<string[]> => {
    const bodies: string[] = [];
    await database.transact(async (tx) => {
      for (let n = 0; n < EVENTS; n++)
        await database.emit(
          tx,
          'send.held',
          { send_id: newId(), campaign_id: newId(), person_id: newId(), reason: 'daily_cap' },
          systemClock.now(),
        );
    });
    for (const { body } of await instance.pools.reader<
      { body: string }[]
    >`select body from event_deliveries where state = 'pending'`)
      bodies.push(body);
    return bodies;
  };

  const rounds: { product: Measured[]; raw: Measured[] } = { product: [], raw: [] };
  // The first round warms both up and is thrown away.
  for (let round = 0; round <= ROUNDS; round++) {
    const bodies = await queue();
    await instance.pools.writer`analyze event_deliveries`;
    const raw = await rate(bodies.length, () => loop(url, bodies));
    const product = await rate(bodies.length, () => instance.jobs.run('deliveries'));
    if (round === 0) continue;
    rounds.raw.push(raw);
    rounds.product.push(product);
  }
  receiver.disconnect();
  await instance.close();
  await own.stop();
  rmSync(folder, { recursive: true, force: true });
  return { product: medianOf(rounds.product), raw: medianOf(rounds.raw) };
}

async function rate(count: number, work: () => Promise<unknown>): Promise<Measured> {
  const started = performance.now();
  const cost = await costOf(process.pid, count, work);
  return { a_second: (count * 1_000) / (performance.now() - started), cost };
}

async function loop(url: string, bodies: string[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_A_TIME });
  const queue = bodies.values();
  const hand = async (): Promise<void> => {
    for (const body of queue) await post(url, agent, Buffer.from(body));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, hand));
  agent.destroy();
}

const post = (url: string, agent: Agent, body: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      'x-service-event': 'send.held',
      'x-service-delivery': newId(),
      'x-service-signature': signature,
    };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', resolve);
    });
    sent.on('error', reject);
    sent.end(body);
  });

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const medianOf = (rounds: Measured[]): Measured => ({
  a_second: median(rounds.map(({ a_second }) => a_second)),
  cost: middle(rounds.map(({ cost }) => cost)),
});

/** The rows of the table of results. */
export const deliveriesTable = ({ product, raw }: Deliveries): string =>
  [
    '| deliveries of events | a second, median | ratio to the loop | aim | node, each | PostgreSQL, each |',
    '|---|---|---|---|---|---|',
    rowOf('bare loop: sign and post, ten at a time (yardstick)', raw, raw, ''),
    rowOf('claimed, signed, posted, committed', product, raw, '0.8 or better'),
  ].join('\n');

const rowOf = (name: string, { a_second, cost }: Measured, raw: Measured, aim: string): string =>
  `| ${name} | ${Math.round(a_second).toLocaleString('en')} | ${(a_second / raw.a_second).toFixed(2)} | ${aim} | ${inMs(cost.node, 3)} | ${inMs(cost.postgres, 3)} |`;

if (import.meta.main) console.log(deliveriesTable(await measureDeliveries()));
