// What the database knows about itself and about the passes: for doctor, the Health page and the metrics.
import type postgres from 'postgres';
import type { Heard, Parsed } from '../kernel/database.ts';

type Db = postgres.ISql<Parsed>;

export type DatabaseFacts = {
  major: number;
  now: Date;
  /** Of the server, without what it keeps for superusers. */
  connections: { used: number; most: number };
  bytes: number;
};

export async function databaseFacts(db: Db): Promise<DatabaseFacts> {
  const [row] = await db<{ number: number; now: Date; used: number; most: number; bytes: number }[]>`
    select current_setting('server_version_num')::int as number, clock_timestamp() as now,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
      pg_database_size(current_database()) as bytes`;
  if (!row) throw new Error('a select without a row');
  const { number, now, used, most, bytes } = row;
  return { major: Math.floor(number / 10_000), now, connections: { used, most }, bytes };
}

/** When the last act was written down; a clock that is behind it was set back. */
export async function lastActAt(db: Db): Promise<Date | null> {
  const [row] = await db<{ at: Date }[]>`select at from audit order by id desc limit 1`;
  return row?.at ?? null;
}

export type PassRun = {
  name: string;
  every_ms: number;
  ran_at: Date;
  /** Null: it never went through without a fault. */
  well_at: Date | null;
  claimed: number;
  faults: number;
  fault_at: Date | null;
  /** The class of the last fault. */
  fault: string | null;
};

export const passRuns = (db: Db): Promise<PassRun[]> =>
  db<PassRun[]>`
    select name, every_ms, ran_at, well_at, claimed, faults, fault_at, fault from pass_runs order by name`;

/** Adds what one process heard of a pass since it last said so. */
export async function keepPassRun(db: Db, { name, every_ms, at, claimed, fault }: Heard): Promise<void> {
  const failed = fault === null ? 0 : 1;
  await db`
    insert into pass_runs (name, every_ms, ran_at, well_at, claimed, faults, fault_at, fault)
    values (${name}, ${every_ms}, ${at}, ${fault === null ? at : null}, ${claimed}, ${failed},
      ${fault === null ? null : at}, ${fault})
    on conflict (name) do update set
      every_ms = excluded.every_ms, ran_at = greatest(pass_runs.ran_at, excluded.ran_at),
      well_at = coalesce(excluded.well_at, pass_runs.well_at),
      claimed = pass_runs.claimed + excluded.claimed, faults = pass_runs.faults + excluded.faults,
      fault_at = coalesce(excluded.fault_at, pass_runs.fault_at), fault = coalesce(excluded.fault, pass_runs.fault)`;
}

export type Queue = { name: 'letters' | 'events' | 'inbound_mail'; due: number; oldest_at: Date | null };

/** What is due and waits for a pass to take it. Read from the indexes of what is due alone. */
export const queues = (db: Db, now: Date): Promise<Queue[]> =>
  db<Queue[]>`
    select 'letters' as name, count(*) as due, min(due_at) as oldest_at from sends
    where state = 'scheduled' and due_at <= ${now}
    union all
    select 'events', count(*), min(next_attempt_at) from event_deliveries
    where state = 'pending' and next_attempt_at <= ${now}
    union all
    select 'inbound_mail', count(*), min(coalesce(due_at, received_at)) from inbound_mails
    where state = 'new' and (due_at is null or due_at <= ${now})`;
