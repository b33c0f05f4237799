// One connection for a command: no statement timeout, and text forms of values that are the same on every server.
import postgres from 'postgres';
import type { Parsed } from '../../kernel/database.ts';
import { DIALECT, type Whereabouts } from '../connect.ts';

export type Db = postgres.ISql<Parsed>;
export type Session = postgres.ReservedSql<Parsed> | postgres.TransactionSql<Parsed>;
export type Connection = postgres.Sql<Parsed>;

/** Ended by `end`. */
export function openConnection(where: Whereabouts): Connection {
  const options: postgres.Options<typeof DIALECT> = {
    max: 1,
    types: DIALECT,
    connect_timeout: 10,
    idle_timeout: 0,
    onnotice: () => undefined,
    connection: {
      application_name: 'dunnock-command',
      statement_timeout: 0,
      idle_in_transaction_session_timeout: 0,
      lock_timeout: 30_000,
      TimeZone: 'UTC',
      DateStyle: 'ISO, YMD',
      IntervalStyle: 'postgres',
      extra_float_digits: 1,
      bytea_output: 'hex',
    } as Partial<postgres.ConnectionParameters>,
  };
  return 'url' in where ? postgres(where.url, options) : postgres({ ...where, ...options });
}

/** Whether a process of the product is connected to this database, other than commands. */
export async function isInUse(db: Db): Promise<boolean> {
  const rows = await db`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name = 'dunnock' limit 1`;
  return rows.length > 0;
}
