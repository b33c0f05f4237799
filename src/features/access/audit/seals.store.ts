// All SQL of the audit log’s seals. A seal covers the rows whose ids were made in five minutes. Each hash includes the one
// before, so changing, adding or removing a sealed row changes every later hash.
import { createHash } from 'node:crypto';
import { MINUTE_MS } from '../../../kernel/clock.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { firstIdAt } from './nouns.rules.ts';

type Db = Reader | Transaction;

export const SEAL_MS = 5 * MINUTE_MS;

/** How much the clocks of a process and the database may differ, and how long an id may be made before its row is written. */
const LATE_MS = 5 * MINUTE_MS;

/** The hash before the first seal. */
const FIRST = '0'.repeat(64);

export type Seal = {
  number: number;
  from_at: Date;
  until_at: Date;
  rows: number;
  rows_hash: string;
  hash: string;
};

/** The newest one; null where nothing is sealed yet. */
export async function newestSeal(db: Db): Promise<Seal | null> {
  const [row] = await db<Seal[]>`
    select number, from_at, until_at, rows, rows_hash, hash from audit_seals order by number desc limit 1`;
  return row ?? null;
}

type Hashed = { rows: number; rows_hash: string };

/** The rows of a span, each as the array of its columns of version 1, in the order of their ids. */
async function hashOf(db: Db, from: Date, until: Date): Promise<Hashed> {
  const [row] = await db<Hashed[]>`
    select count(*)::int as rows, encode(sha256(convert_to(coalesce(string_agg(jsonb_build_array(
        id, extract(epoch from at)::text, principal_kind, principal_id, principal_name, on_behalf_of_id, on_behalf_of_name,
        token_id, token_name, surface, turn, act, resource, outcome, code, sentence, request_id, times, rehearsed
      )::text, E'\n' order by id), ''), 'UTF8')), 'hex') as rows_hash
    from audit where id >= ${firstIdAt(from)} and id < ${firstIdAt(until)}`;
  return row ?? { rows: 0, rows_hash: '' };
}

const chained = (
  before: string,
  { number, from_at, until_at, rows, rows_hash }: Omit<Seal, 'hash'>,
): string =>
  createHash('sha256')
    .update(
      JSON.stringify([1, before, number, from_at.toISOString(), until_at.toISOString(), rows, rows_hash]),
    )
    .digest('hex');

/**
 * Closes the next five minutes that have rows and are over for everyone: later than `LATE_MS` ago, and no transaction is running
 * that began before their end. Null where there are none. One process at a time.
 */
export async function sealNext(tx: Transaction, now: Date): Promise<Seal | null> {
  await tx`select pg_advisory_xact_lock(hashtextextended('audit_seals', 0))`;
  const before = await newestSeal(tx);
  const since = before?.until_at ?? new Date(0);
  const [first] = await tx<{ id: string }[]>`
    select id from audit where id >= ${firstIdAt(since)} order by id limit 1`;
  if (!first) return null;
  const made = Number.parseInt(first.id.replaceAll('-', '').slice(0, 12), 16);
  const from_at = new Date(Math.floor(made / SEAL_MS) * SEAL_MS);
  const until_at = new Date(from_at.getTime() + SEAL_MS);
  if (until_at.getTime() + LATE_MS > now.getTime() || (await oneRuns(tx, until_at))) return null;
  const seal = {
    number: (before?.number ?? 0) + 1,
    from_at,
    until_at,
    ...(await hashOf(tx, from_at, until_at)),
  };
  const hash = chained(before?.hash ?? FIRST, seal);
  await tx`insert into audit_seals ${tx({ ...seal, hash, sealed_at: now })}`;
  return { ...seal, hash };
}

/** Whether a transaction of this database is running that began before this moment: its rows may still come. */
async function oneRuns(tx: Transaction, moment: Date): Promise<boolean> {
  const [row] = await tx<{ runs: boolean }[]>`
    select exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and xact_start < ${moment}) as runs`;
  return row?.runs ?? false;
}

/** What doesn't hold: the first seal that isn't as it was made. */
export type Broken = { seal: Seal; why: 'chain' | 'changed' | 'added' | 'removed' | 'between'; rows: number };

const MOST_READ = 500;

/** Reads the whole chain and every sealed row again. `told` hears of each seal that holds. */
export async function verifySeals(
  db: Db,
  told: (seal: Seal) => void = () => undefined,
): Promise<{ seals: number; rows: number; head: Seal | null; broken: Broken | null }> {
  let before = FIRST;
  let head: Seal | null = null;
  let rows = 0;
  for (let number = 0; ;) {
    const seals = await db<Seal[]>`
      select number, from_at, until_at, rows, rows_hash, hash from audit_seals where number > ${number}
      order by number limit ${MOST_READ}`;
    if (seals.length === 0) return { seals: number, rows, head, broken: null };
    for (const seal of seals) {
      const broken = await brokenIn(db, before, head, seal);
      if (broken) return { seals: number, rows, head, broken };
      told(seal);
      number = seal.number;
      rows += seal.rows;
      before = seal.hash;
      head = seal;
    }
  }
}

async function brokenIn(db: Db, before: string, last: Seal | null, seal: Seal): Promise<Broken | null> {
  if (seal.number !== (last?.number ?? 0) + 1 || chained(before, seal) !== seal.hash)
    return { seal, why: 'chain', rows: seal.rows };
  // Between two seals there was no row, or it would be behind one.
  const between = await hashOf(db, last?.until_at ?? new Date(0), seal.from_at);
  if (between.rows > 0) return { seal, why: 'between', rows: between.rows };
  const now = await hashOf(db, seal.from_at, seal.until_at);
  if (now.rows !== seal.rows)
    return { seal, why: now.rows > seal.rows ? 'added' : 'removed', rows: now.rows };
  return now.rows_hash === seal.rows_hash ? null : { seal, why: 'changed', rows: now.rows };
}

export async function databaseNow(db: Db): Promise<Date> {
  const [row] = await db<{ now: Date }[]>`select clock_timestamp() as now`;
  if (!row) throw new Error('the database says no time');
  return row.now;
}
