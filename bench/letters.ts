// What sending costs: choosing the next letters with a thousand and with a million waiting, and letters a second to a mail
// server beside a bare pool of nodemailer that keeps no account of anything. Alone: `node bench/letters.ts`.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { pino } from 'pino';
import { openInstance } from '../src/instance.ts';
import { claimLetters } from '../src/features/outreach/sends/sender/store.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { newId } from '../src/kernel/ids.ts';
import { readAllowedHosts } from '../src/net/switches.ts';
import { startOwnServer } from '../src/store/own-server/own-server.ts';
import {
  seedCampaign,
  seedDomain,
  seedIdentity,
  seedLetters,
  seedPeople,
  type SeededIdentity,
} from '../test/letters/seed.ts';

const LETTERS = Number(process.env['BENCH_LETTERS'] ?? 1_000);
const WAITING = Number(process.env['BENCH_WAITING'] ?? 1_000_000);
const CLAIMS = 300;
const IDENTITIES = 8;
/** Rows of one statement, which has its limit of time. */
const AT_ONCE = 10_000;
const BASE_URL = 'https://desk.example';

export type Letters = {
  /** Milliseconds of one choice, the median. */
  few_ms: number;
  many_ms: number;
  /** Letters a second. */
  product: number;
  raw: number;
};

export async function measureLetters(): Promise<Letters> {
  const folder = mkdtempSync(join(tmpdir(), 'dunnock-bench-'));
  chmodSync(folder, 0o755);
  const own = await startOwnServer({ dataDir: folder, log: () => undefined });
  const instance = await openInstance({
    name: 'bench',
    version: '0',
    base_url: BASE_URL,
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
      // No one answers there: nothing of a test asks the network.
      dns: { servers: ['127.0.0.1:1'] },
      events: { allowPrivate: true },
      hosts: { allowedHosts: readAllowedHosts('127.0.0.1') },
      mail_ca: [],
    },
    sending: { enabled: true, development: false },
    passes: 'when_told',
    clock: systemClock,
    log: pino({ level: 'silent' }),
  });
  const sink = fork(join(import.meta.dirname, 'servers', 'smtp.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const port = await new Promise<number>((resolve) =>
    sink.once('message', (told) => resolve((told as { port: number }).port)),
  );
  const sql = instance.pools.writer;
  const site = { sql, sealer: instance.app.sealer, base_url: BASE_URL };
  const now = systemClock.now();
  const approver = newId();
  await sql`insert into users ${sql({
    id: approver,
    name: 'Ada',
    name_key: 'ada',
    email: 'ada@example.com',
    email_key: 'ada@example.com',
    state: 'active',
    admin: true,
    password_hash: 'none',
    created_at: now,
  })}`;
  const domain = await seedDomain(site, now);
  const identities: SeededIdentity[] = [];
  for (let n = 0; n < IDENTITIES; n++)
    identities.push(await seedIdentity(site, domain, now, { local: `from${n}`, port }));
  const of = (n: number): SeededIdentity => identities[n % IDENTITIES]!;
  const campaign = await seedCampaign(site, approver, now);
  const people = await seedPeople(site, campaign, of, now, LETTERS);
  await seedLetters(site, campaign, people, of, approver, now);
  await sql`analyze`;

  const few_ms = await choosing(instance);
  const raw = await rate(LETTERS, () => loop(port, LETTERS));
  const product = await rate(LETTERS, () => instance.jobs.run('letters'));
  await backlog(sql, identities);
  const many_ms = await choosing(instance);

  sink.disconnect();
  await instance.close();
  await own.stop();
  rmSync(folder, { recursive: true, force: true });
  return { few_ms, many_ms, product, raw };
}

type Instance = Awaited<ReturnType<typeof openInstance>>;

/** One choice after another, each undone: the median, once warm. */
async function choosing({ app }: Instance): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < CLAIMS; n++) {
    const from = systemClock.now();
    const lease = { id: newId(), from, until: new Date(from.getTime() + 60_000) };
    await app.database
      .transact(async (tx) => {
        const started = performance.now();
        const rows = await claimLetters(tx, lease, 8, new Map());
        times.push(performance.now() - started);
        if (rows.length !== 8) throw new Error(`${rows.length} letters were chosen`);
        throw new Undone();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error;
      });
  }
  return median(times.slice(CLAIMS / 3));
}

class Undone extends Error {}

/** Rows outside any campaign, since the choice asks nothing of one: a tenth is due, the others wait for their hour. */
async function backlog(sql: Instance['pools']['writer'], identities: SeededIdentity[]): Promise<void> {
  const ids = identities.map(({ id }) => id);
  for (let from = 1; from <= WAITING; from += AT_ONCE)
    await sql`
      insert into sends (id, kind, identity_id, state, subject, text, to_address, to_hash, message_id, fingerprint, scheduled_for,
        created_by_kind, created_by_id, created_by_name, created_at, updated_at)
      select gen_random_uuid(), 'one_off', (${ids}::uuid[])[1 + n % ${ids.length}::int], 'scheduled', 'Your bridge', 'Dear you',
        'p' || n || '@mail.example', md5(n::text), '<' || n || '@desk.example>', 'none',
        now() + (n % 1000 - 100) * interval '1 hour', 'person', 'bench', 'Bench', now(), now()
      from generate_series(${from}::int, ${Math.min(WAITING, from + AT_ONCE - 1)}::int) n`;
  await sql`analyze sends`;
}

async function rate(count: number, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (count * 1_000) / (performance.now() - started);
}

async function loop(port: number, count: number): Promise<void> {
  const pool = nodemailer.createTransport({
    pool: true,
    maxConnections: 8,
    host: '127.0.0.1',
    port,
    secure: false,
    ignoreTLS: true,
  });
  const letters = Array.from({ length: count }, (_, n) =>
    pool.sendMail({
      from: 'ada@desk.example',
      to: `p${n}@mail.example`,
      subject: 'Your bridge',
      text: 'Dear you',
    }),
  );
  await Promise.all(letters);
  pool.close();
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The rows of the table of results. */
export const lettersTable = ({ few_ms, many_ms, product, raw }: Letters): string =>
  [
    '| letters | figure | ratio | aim |',
    '|---|---|---|---|',
    `| choosing the next eight of ${LETTERS.toLocaleString('en')} (yardstick) | ${few_ms.toFixed(2)} ms | 1.00 |  |`,
    `| choosing the next eight of ${WAITING.toLocaleString('en')} | ${many_ms.toFixed(2)} ms | ${(many_ms / few_ms).toFixed(2)} | 1.3 or less |`,
    `| bare pool: eight connections, unsigned (yardstick) | ${Math.round(raw).toLocaleString('en')} a second | 1.00 |  |`,
    `| gates twice, signed, kept, sent, settled | ${Math.round(product).toLocaleString('en')} a second | ${(product / raw).toFixed(2)} |  |`,
  ].join('\n');

if (import.meta.main) console.log(lettersTable(await measureLetters()));
