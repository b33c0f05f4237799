// A crash round of the sender: processes send eight at a time to a mail server that no one kills, and are killed without
// warning again and again. No letter may arrive twice, none may be lost, and of each kill at most the eight that were in
// flight are uncertain, every one of them listed.
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import type { Parsed } from '../../src/kernel/database.ts';
import { newId } from '../../src/kernel/ids.ts';
import { openInstanceSealer } from '../../src/store/instance-key.ts';
import type { Ordered } from '../support/child.ts';
import { freshDatabase } from '../support/database.ts';
import { seedCampaign, seedDomain, seedIdentity, seedLetters, seedPeople, type Sql } from './seed.ts';

/** Read by the child as its argument. */
export type ChildOrders = Ordered & {
  /** Says when nothing is due any more. */
  untilIdle: boolean;
  /** Of the instance; as whoever made the database called it. */
  name?: string;
};

export type Round = {
  letters: number;
  kills: number;
  /** At once on one database. */
  processes: 1 | 2;
  /** How long a life goes on after its first letter arrived. */
  lifeMs: () => number;
  /** The mail server that they send to; ours, where none is given. */
  receiver?: CrashReceiver;
};

/** A mail server that no one kills. */
export type CrashReceiver = {
  /** On loopback; no one signs in. */
  port: number;
  /** How many letters have arrived so far. */
  arrivals(): Promise<number>;
  /** By Message-ID, how often each arrived, once nothing more is on its way. */
  arrived(): Promise<Map<string, number>>;
  end(): void;
};

export type Seen = {
  twice: string[];
  /** Neither arrived nor uncertain. */
  lost: string[];
  /** Said to be sent, and never arrived. */
  invented: string[];
  uncertain: number;
  mostUncertainOfAKill: number;
  kills: number;
  /** From an instance that opened after a kill to the next letter, the longest. */
  slowestResumeMs: number;
  /** The median of these. */
  usualResumeMs: number;
  states: Record<string, number>;
};

const IDENTITIES = 8;
const NOTHING_ARRIVES_MS = 60_000;
/** Longer than any lease. */
const PAST_LEASES_MS = 70_000;

async function openSink(): Promise<CrashReceiver> {
  const sink = fork(join(import.meta.dirname, 'sink-child.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const port = await heard<number>(sink, 'port', ({ port: it }) => it as number);
  let arrivals = 0;
  sink.on('message', (said: { kind?: string }) => said.kind === 'letter' && (arrivals += 1));
  return {
    port,
    arrivals: async () => arrivals,
    async arrived() {
      sink.send('report');
      return new Map(await heard(sink, 'report', (it) => it['arrived'] as [string, number][]));
    },
    end: () => void sink.kill('SIGKILL'),
  };
}

export async function crashRound({ letters, kills, processes, lifeMs, ...round }: Round): Promise<Seen> {
  const database = await freshDatabase();
  const sql = postgres({
    ...database.options,
    max: 2,
    onnotice: () => undefined,
    types: DATES,
  } as never) as unknown as Sql;
  const masterKey = randomBytes(32).toString('hex');
  const receiver = round.receiver ?? (await openSink());
  try {
    const expected = await lay(sql, masterKey, receiver.port, letters);
    const arrival = async (after: number): Promise<void> => {
      const until = performance.now() + NOTHING_ARRIVES_MS;
      while ((await receiver.arrivals()) <= after) {
        if (performance.now() > until) throw new Error('no letter arrives any more');
        await sleep(2);
      }
    };
    const bear = (aheadMs: number, untilIdle = false): ChildProcess => {
      const orders: ChildOrders = { database: database.options, masterKey, aheadMs, untilIdle };
      return fork(join(import.meta.dirname, 'crash-child.ts'), [JSON.stringify(orders)], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
    };
    const openEnds = async (): Promise<number> =>
      (
        await sql<
          { n: number }[]
        >`select count(*)::int as n from sends where state in ('sending', 'uncertain')`
      )[0]!.n;
    const waiting = async (): Promise<number> =>
      (await sql<{ n: number }[]>`select count(*)::int as n from sends where state = 'scheduled'`)[0]!.n;

    let [killed, mostUncertain, hung] = [0, 0, 0];
    const resumes: number[] = [];
    let alive = Array.from({ length: processes }, () => bear(0));
    await Promise.all(alive.map((child) => said(child, 'open')));
    // The next one starts while this one sends, as a second node or a supervisor would.
    while (killed < kills && (await waiting()) > 2 * 8 * processes) {
      const heir = bear(0);
      let isOpen = false;
      const opened = said(heir, 'open').then(() => void (isOpen = true));
      await arrival(await receiver.arrivals());
      await sleep(lifeMs());
      const [victim, ...others] = alive as [ChildProcess, ...ChildProcess[]];
      await kill(victim);
      killed += 1;
      // While no one else is at work: what hangs in `sending` under the lease of the dead one.
      const hanging = await openEnds();
      if (processes === 1 && !isOpen) mostUncertain = Math.max(mostUncertain, hanging - hung);
      await opened;
      const [since, from] = [performance.now(), await receiver.arrivals()];
      hung = hanging;
      if (processes === 1 && (await waiting()) > hanging + 2 * 8) {
        await arrival(from);
        resumes.push(Math.round(performance.now() - since));
      }
      alive = [...others, heir];
    }
    for (const child of alive) await kill(child);
    killed += alive.length;
    const last = bear(PAST_LEASES_MS, true);
    await said(last, 'idle');
    await kill(last);

    const arrived = await receiver.arrived();
    const rows = await sql<{ message_id: string; state: string; why: string | null }[]>`
      select message_id, state, coalesce(hold_reason, waiting_for, failed_reason) as why from sends`;
    const states: Record<string, number> = {};
    for (const { state, why } of rows) {
      const name = why === null ? state : `${state}: ${why}`;
      states[name] = (states[name] ?? 0) + 1;
    }
    return {
      twice: [...arrived].filter(([, times]) => times > 1).map(([id]) => id),
      lost: rows
        .filter((row) => !arrived.has(row.message_id) && row.state !== 'uncertain')
        .map((row) => row.message_id),
      invented: rows
        .filter((row) => row.state === 'sent' && !arrived.has(row.message_id))
        .map((row) => row.message_id),
      uncertain: states['uncertain'] ?? 0,
      mostUncertainOfAKill: mostUncertain,
      kills: killed,
      slowestResumeMs: Math.max(0, ...resumes),
      usualResumeMs: resumes.toSorted((a, b) => a - b)[resumes.length >> 1] ?? 0,
      states: { ...states, laid: expected },
    };
  } finally {
    receiver.end();
    await sql.end();
    await database.drop();
  }
}

const DATES = {
  bigint: { to: 20, from: [20], serialize: (n: number) => String(n), parse: Number },
  date: { to: 1082, from: [1082], serialize: (day: string) => day, parse: (day: string) => day },
} as unknown as Parsed;

async function lay(sql: Sql, masterKey: string, port: number, count: number): Promise<number> {
  const now = new Date(Date.now() - 60_000);
  const approver = newId();
  await sql`insert into users ${sql({
    id: approver,
    name: 'Ada Operator',
    name_key: 'ada operator',
    email: 'ada@example.com',
    email_key: 'ada@example.com',
    state: 'active',
    admin: true,
    password_hash: 'none',
    created_at: now,
  })}`;
  const site = {
    sql,
    sealer: await openInstanceSealer(sql, Buffer.from(masterKey, 'hex'), 'crash'),
    base_url: 'https://desk.example',
  };
  // The letters were made by a process with this address: one that starts with another makes them again.
  await sql`insert into instance_address ${sql({ one: true, base_url: site.base_url, since: now })}`;
  const domain = await seedDomain(site, now);
  const identities = await Promise.all(
    Array.from({ length: IDENTITIES }, (_, n) =>
      seedIdentity(site, domain, now, { local: `from${n}`, port }),
    ),
  );
  const of = (n: number) => identities[n % IDENTITIES]!;
  const campaign = await seedCampaign(site, approver, now);
  const people = await seedPeople(site, campaign, of, now, count);
  await seedLetters(site, campaign, people, of, approver, now);
  return count;
}

function heard<T>(child: ChildProcess, kind: string, take: (said: Record<string, unknown>) => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const hear = (message: unknown): void => {
      const told = message as Record<string, unknown>;
      if (told['kind'] !== kind) return;
      child.off('message', hear);
      resolve(take(told));
    };
    child.on('message', hear);
    child.once('exit', () => reject(new Error('the mail server of the test is gone')));
  });
}

/** Also where it died before it could say so. */
const said = (child: ChildProcess, word: string): Promise<void> =>
  new Promise((resolve) => {
    child.on('message', (told) => told === word && resolve());
    child.once('exit', () => resolve());
  });

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
