// Connections to PostgreSQL: three pools that can only read, one that writes. The driver’s handling of types is set
// here for both: int8 as number, date as text.
import { connect as dial, type Socket } from 'node:net';
import postgres from 'postgres';
import type { Parsed } from '../kernel/database.ts';
import { standing, type Hears, type Standing } from './standing.ts';

/** Where the database is: an address of the operator's, or the product's own server on its Unix socket. */
export type Whereabouts = { url: string } | { host: string; port: number; user: string; database: string };

export type Pools = {
  /** For who is asking, at every request: short reads by key, which no slow list may keep waiting. */
  lookups: postgres.Sql<Parsed>;
  reader: postgres.Sql<Parsed>;
  /** For reads whose cost their caller chooses, one connection each: no one has more than one at a time (long-reads.ts). */
  long: readonly postgres.Sql<Parsed>[];
  writer: postgres.Sql<Parsed>;
  /** Hears a channel of the database for as long as the pools are open; `listening` is said each time that it begins. */
  listen(channel: string, hear: (text: string) => void, listening: () => void): Promise<void>;
  close(): Promise<void>;
};

/** Nothing that a request waits for may run longer than this in the database. */
const STATEMENT_TIMEOUT_MS = 25_000;
/** What one caller alone asked for. */
const LONG_STATEMENT_TIMEOUT_MS = 5_000;
/** A transaction whose process hangs must not hold its locks. */
const IDLE_IN_TRANSACTION_MS = 30_000;

/**
 * Few connections for reading: what is asked in one moment goes out together in one write, and one connection answers many.
 * Measured with 32 callers on two cores: 12 readers gave 1,700 searches a second, these give over 2,000. A transaction has
 * its connection to itself, so there are more of those.
 */
const SIZE = { lookups: 2, readers: 4, long: 2, writers: 12 };

/**
 * How often the database is asked whether it is there, and how many times it may be silent when the next turn comes. And how
 * often each connection is looked at, and for how many looks in a row its server may owe an answer: for longer than any
 * statement may run. And how long a commit may take, which the server bounds by nothing: its disk may hang.
 */
const PATIENCE = {
  pulse_every_ms: 5_000,
  pulses: 3,
  look_every_ms: 500,
  looks: 80,
  commit_ms: STATEMENT_TIMEOUT_MS,
};

/** A connection that could not be made is tried again after this, however long it has been so. */
const RETRY_S = 0.25;

export function connect(where: Whereabouts, log: (line: string) => void, patience = PATIENCE): Pools {
  const owed = attendance(patience);
  const open = (max: number, settings: Record<string, string | number> = {}): Standing =>
    standing((hears) => pool(where, log, max, settings, hears, owed.attend), patience.commit_ms);
  const lookups = open(SIZE.lookups, { default_transaction_read_only: 'on' });
  const reader = open(SIZE.readers, { default_transaction_read_only: 'on' });
  const long = Array.from({ length: SIZE.long }, () =>
    open(1, {
      default_transaction_read_only: 'on',
      statement_timeout: LONG_STATEMENT_TIMEOUT_MS,
      // Of however many processors, each takes one.
      max_parallel_workers_per_gather: 0,
    }),
  );
  const writer = open(SIZE.writers);
  const changes = open(1);
  const pulse = open(1);
  const all = [lookups, reader, ...long, writer, changes, pulse];
  const ears: (() => Promise<void>)[] = [];
  const stop = feel(pulse.sql, patience, () => {
    log('the database stopped answering: all connections are made anew');
    for (const each of all) each.renew();
    // The driver goes on trying on its own until it listens.
    for (const ear of ears) void ear().catch(() => undefined);
  });
  return {
    lookups: lookups.sql,
    reader: reader.sql,
    long: long.map(({ sql }) => sql),
    writer: writer.sql,
    async listen(channel, hear, listening) {
      const ear = async (): Promise<void> => void (await changes.sql.listen(channel, hear, listening));
      await ear();
      ears.push(ear);
      // Not before: until then the schema may be changed, by statements that take what they take.
      owed.begin();
    },
    async close() {
      stop();
      owed.stop();
      await Promise.all(all.map((each) => each.close()));
    },
  };
}

/**
 * Where a network swallows what is sent, nothing says so: a statement would wait for a quarter of an hour, until the system
 * gives its connection up. Counted in turns of a timer, because a process that was kept from running has heard nothing either,
 * and that is not the database's silence. Gives what ends it.
 */
function feel(sql: postgres.Sql<Parsed>, patience: typeof PATIENCE, silent: () => void): () => void {
  let missed: number | null = null;
  const beat = async (): Promise<void> => {
    if (missed !== null) {
      missed += 1;
      if (missed === patience.pulses) silent();
      return;
    }
    missed = 0;
    // A refused connection is an answer too: whoever asks for something is told at once.
    await sql`select 1`.catch(() => undefined);
    missed = null;
  };
  const timer = setInterval(() => void beat(), patience.pulse_every_ms).unref();
  return () => clearInterval(timer);
}

type Attendance = {
  /** `forgotten` is said once where what was written on it after its last answer stays without one. */
  attend(socket: Socket, forgotten: () => void): void;
  begin(): void;
  stop(): void;
};

/**
 * One connection alone may be forgotten on its way (a firewall's table is full), or its statement hang on the server's disk,
 * while the pulse goes on over another. Told by the bytes of the socket: what was written since the last answer waits for one.
 * Bytes do not say which statement they answer: one that is silent behind another on the same connection is seen once more is
 * written there, and not before; what is in the server has its timeout. Under TLS the socket says nothing of answers but
 * their count, and what is written within one look of the last counts as answered there.
 */
function attendance({ look_every_ms, looks }: typeof PATIENCE): Attendance {
  const attended = new Map<Socket, { read: number; written: number; late: number; forgotten: () => void }>();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    for (const [socket, one] of attended) {
      const { bytesRead: read, bytesWritten: written } = socket;
      if (socket.destroyed) attended.delete(socket);
      else if (read !== one.read) Object.assign(one, { read, written, late: 0 });
      else if (written > one.written && (one.late += 1) === looks) one.forgotten();
    }
  };
  return {
    attend(socket, forgotten) {
      const one = { read: 0, written: 0, late: 0, forgotten };
      attended.set(socket, one);
      socket.on('data', () => {
        const { bytesRead: read, bytesWritten: written } = socket;
        Object.assign(one, { read, written, late: 0 });
      });
    },
    begin: () => void (timer ??= setInterval(look, look_every_ms).unref()),
    stop: () => clearInterval(timer),
  };
}

class Ended extends Error {
  readonly code = 'CONNECTION_CLOSED';
}

/** Where the driver was told to connect to. */
type Chosen = { path: string | false; host: string[]; port: number[] };

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
  settings: Record<string, string | number>,
  { onclose, onparameter, onerror }: Hears,
  attend: Attendance['attend'],
): postgres.Sql<Parsed> {
  const options: postgres.Options<Types> & { socket?: (to: Chosen) => Socket } = {
    max,
    connect_timeout: 10,
    idle_timeout: 0,
    backoff: () => RETRY_S,
    onclose,
    onparameter,
    // Between the error of a socket and its close the driver still gives it statements, and then forgets them: measured as
    // requests that hang. So its pool is left at the error. Several hosts are the driver's to choose among.
    socket: (to) => {
      const socket = to.path ? dial(to.path) : dial(to.port[0] as number, to.host[0] as string);
      socket.on('error', onerror);
      attend(socket, () => {
        log('a connection to the database got no answer any more: it is left');
        onerror();
        socket.destroy();
      });
      // Something in between that takes connections and ends them in order would be asked again and again, and no one told.
      socket.on('end', () => socket.destroy(new Ended('the server ended the connection')));
      return Object.assign(socket, { host: to.host[0], port: to.port[0] });
    },
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
  if ('url' in where && /^[^/]*\/\/[^/]*,/.test(where.url)) delete options.socket;
  return 'url' in where ? postgres(where.url, options) : postgres({ ...where, ...options });
}
