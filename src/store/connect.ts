// Connections to PostgreSQL: two pools that can only read, one that writes. The driver's dialect of types is fixed here for
// both: int8 as number, date as text.
import postgres from 'postgres';
import type { Parsed } from '../kernel/ground.ts';

/** Where the database is: an address of the operator's, or the product's own server on its Unix socket. */
export type Whereabouts = { url: string } | { host: string; port: number; user: string; database: string };

export type Pools = {
  /** For who is asking, at every request: short reads by key, which no slow list may keep waiting. */
  lookups: postgres.Sql<Parsed>;
  reader: postgres.Sql<Parsed>;
  writer: postgres.Sql<Parsed>;
  close(): Promise<void>;
};

/** Nothing that a request waits for may run longer than this in the database. */
const STATEMENT_TIMEOUT_MS = 25_000;
/** A transaction whose process hangs must not hold its locks. */
const IDLE_IN_TRANSACTION_MS = 30_000;

/**
 * Few connections for reading: what is asked in one moment goes out together in one write, and one connection answers many.
 * Measured with 32 callers on two cores: 12 readers gave 1,700 searches a second, these give over 2,000. A transaction has
 * its connection to itself, so there are more of those.
 */
const SIZE = { lookups: 2, readers: 4, writers: 12 };

export function connect(where: Whereabouts, log: (line: string) => void, size = SIZE): Pools {
  const lookups = pool(where, log, size.lookups, { default_transaction_read_only: 'on' });
  const reader = pool(where, log, size.readers, { default_transaction_read_only: 'on' });
  const writer = pool(where, log, size.writers, {});
  return {
    lookups,
    reader,
    writer,
    async close() {
      await Promise.all([lookups, reader, writer].map((each) => each.end({ timeout: 5 })));
    },
  };
}

type Types = { bigint: postgres.PostgresType<number> };

/** The driver's dialect of types, the same on every connection of the product. */
export const DIALECT = {
  bigint: {
    to: 20,
    from: [20],
    serialize: (n: number) => String(n),
    parse: (text: string) => Number(text),
  },
  // A date is a day of a calendar, not a moment: the driver would make it one in the process's time zone.
  date: { to: 1082, from: [1082], serialize: (day: string) => day, parse: (day: string) => day },
} as Types;

function pool(
  where: Whereabouts,
  log: (line: string) => void,
  max: number,
  settings: Record<string, string>,
): postgres.Sql<Parsed> {
  const options: postgres.Options<Types> = {
    max,
    connect_timeout: 10,
    idle_timeout: 0,
    onnotice: (notice) => log(`${notice['severity']}: ${notice['message']}`),
    types: DIALECT,
    connection: {
      application_name: 'dunnock',
      // A prepared statement is planned once and not at every call: planning a list costs more than reading it (measured:
      // 390 µs against 160 for eleven rows by an index). Plans are tested with generic estimates at 100,000 rows.
      plan_cache_mode: 'force_generic_plan',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      ...settings,
    },
  };
  return 'url' in where ? postgres(where.url, options) : postgres({ ...where, ...options });
}
