// What the kernel needs from the database: a reader, a transaction, and the rows that every act leaves. Only src/store makes a
// Database; this file names the driver’s types but none of its code.
import type { ISql, TransactionSql } from 'postgres';
import type { Caller } from './caller.ts';
import type { EventName, EventData } from './events.rules.ts';

/** The types that every connection parses: int8 as number, date as text. */
export type Parsed = { bigint: number };

/** A database that cannot be written to: a pool of connections whose transactions are read-only, or a transaction read from. */
export type Reader = ISql<Parsed>;

/** One act: change, outbox row and audit row together, or none of them. */
export type Transaction = TransactionSql<Parsed>;

/** A value as jsonb: anything that JSON can say. The driver's own type takes neither interfaces nor what was only narrowed. */
export const json = (db: Reader, value: NonNullable<unknown> | null): ReturnType<Reader['json']> =>
  db.json(value as Parameters<Reader['json']>[0]);

export type AuditRow = {
  at: Date;
  caller: Caller;
  /** The operation's name. */
  act: string;
  /** What it was done to, as the policy names it (`work:item/<id>`), where that is known. */
  resource: string | null;
  outcome: 'done' | 'refused' | 'fault';
  code: string | null;
  sentence: string | null;
  request_id: string;
  /** How many refusals alike it represents; one, where nothing is said. */
  times?: number;
  /** A dry run: its answer says `dry_run: true`, and it changed nothing. */
  rehearsed?: boolean;
};

/** A stored answer to a POST that carried an Idempotency-Key. */
export type Replay = { status: number; answer: unknown };

/** What is under (topic, id) changed. */
export type ChangeNotification = { topic: string; id: string };

/** What is done in a transaction, and what is handed its last statement. */
export type Work<T> = (tx: Transaction, last: (statement: Promise<unknown>) => void) => Promise<T>;

/** Reads whose cost their caller chooses, beside all others: on a few connections of their own, where a statement has five seconds. */
export type LongReads = {
  /**
   * Runs `work` when it is this caller's turn: one at a time for each `who`. Throws 429 or 503 where too many wait, or one waits
   * for too long. `work` must not ask for a turn itself.
   */
  run<T>(who: string, work: (db: Reader) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /**
   * The pieces of a file, each made in a turn of its own: a slow download holds no one up. `db` is what their maker was given.
   * A file that was begun is not refused.
   */
  pieces<T>(who: string, db: Reader, pieces: AsyncIterable<T>): AsyncIterable<T>;
};

export type Database = {
  reader: Reader;
  /** An operation asks for it with `cost: 'long'`; what counts or searches beside one asks here. */
  long: LongReads;
  /**
   * Runs `work` in one transaction and commits it, unless `signal` was aborted by then: an abandoned call leaves nothing.
   * Where the database undoes it for the sake of another (a circle of locks: SQLSTATE class 40), it runs again. `last` takes
   * the act's last statement, whose answer the commit need not wait for: where it fails, the commit keeps nothing either.
   */
  transact<T>(work: Work<T>, signal?: AbortSignal): Promise<T>;
  /** The same for an act that is one statement, which is whole on its own: a third of the round trips of a transaction. */
  inOneStatement<T>(work: (db: Transaction) => Promise<T>): Promise<T>;
  /** Appends to the audit log in the act's own transaction, or alone where the act was refused. */
  audit(tx: Transaction | null, row: AuditRow): Promise<void>;
  /** Queues an event in the transaction of the fact; its bytes are fixed here. Returns the delivery's id. */
  emit<E extends EventName>(tx: Transaction, event: E, data: EventData[E], at: Date): Promise<string>;
  /**
   * Tells open screens, on every node, what changed. Called after the commit and waited for by no one: a change notification is no fact, a
   * screen that missed it reads the truth at its next look.
   */
  tell(changes: readonly ChangeNotification[]): void;
  /**
   * Takes an idempotency key for this act. `null`: the key is new and ours until commit. A Replay: it was used by a
   * finished act with the same arguments. Throws a conflict where the arguments differ.
   */
  takeKey(tx: Transaction, key: IdempotencyKey): Promise<Replay | null>;
  keepAnswer(tx: Transaction, key: IdempotencyKey, replay: Replay): Promise<void>;
  /** What `takeKey` would find, without taking it: null where the key is new, or its first call is not over. */
  keptAnswer(key: IdempotencyKey): Promise<Replay | null>;
  /** Keeps what a process heard of one of its passes or watches, for the page of health. */
  heard(of: Heard): Promise<void>;
};

/** How a pass went: how many rows it claimed since it was last told, and the class of a fault where it ended in one. */
export type Heard = { name: string; every_ms: number; at: Date; claimed: number; fault: string | null };

export type IdempotencyKey = {
  owner: string;
  key: string;
  act: string;
  arguments_hash: string;
  at: Date;
  /** How long it is known; a day where nothing is said. */
  life_ms?: number;
};
