// Work that happens without a request. A feature declares a pass as a value, and src/jobs runs it: claim due rows under a lease,
// work on them outside any transaction, commit the results a few at a time.
import { HOUR_MS } from './clock.ts';
import type { Transaction } from './database.ts';
import type { App } from './app.ts';

/**
 * The hold of one process on the rows of one batch. `id` is the fence: what is committed later than another process
 * claimed the same rows finds another id there and changes nothing.
 */
export type Lease = { readonly id: string; readonly from: Date; readonly until: Date };

export type Pass<Row, Result> = {
  name: string;
  /** Change notifications topics that say that there may be work. */
  wakes_on: readonly string[];
  /** Change notifications topics after which no further row of a running batch is started: the rest is given back and claimed again. */
  interrupted_by: readonly string[];
  /** The change notifications topic that says that its rows changed. */
  tells: string;
  /** How often it looks without being woken. */
  every_ms: number;
  /** Rows of one batch, at most. */
  batch: number;
  at_a_time: number;
  /** Rows not started by then are given back; with the longest work on one row it must stay well below a lease. */
  starts_within_ms: number;
  /**
   * Where rows wait for others, such as mail servers, that may take minutes: whose row it is. How many of a slot are in hand is
   * told to `claim`, which takes no more of a slot that is full, and a row that takes longer than two seconds gives its place up;
   * so whoever hangs costs its own slot. `most`: of all slots. Where a slot is the row itself, its lease is enough.
   */
  slots?: { of(row: Row): string; most: number };
  /** Whether `claim` and `commit` are one statement each; then no transaction is opened around them. */
  in_one_statement?: true;
  /** Due rows that no one holds, `for update skip locked`, marked with the lease. */
  claim(tx: Transaction, lease: Lease, count: number, hands: Hands): Promise<Row[]>;
  /** Once for a run of batches: what they may share, such as kept connections. */
  open(app: App): Crew<Row, Result>;
  /** Changes only rows that still carry the lease, and takes it off them. */
  commit(tx: Transaction, lease: Lease, results: readonly Result[]): Promise<void>;
  /** Gives back those of the claimed rows that still carry the lease. */
  release(tx: Transaction, lease: Lease, claimed: readonly Row[]): Promise<void>;
  /** About once an hour: what is old enough to go. */
  tidy(tx: Transaction, now: Date): Promise<void>;
};

export type Crew<Row, Result> = {
  /** Once for each batch, outside any transaction: what its rows have in common. */
  begin(rows: readonly Row[]): Promise<Work<Row, Result>>;
  /** Nothing more is due, or the process ends. */
  close(): void;
};

/** Null: it did not happen (`cut` was aborted), and the row is given back as it was. */
export type Work<Row, Result> = (row: Row, cut: AbortSignal, place: Place) => Promise<Result | null>;

/** Slots that have so many rows in hand. */
export const fullSlots = (hands: Hands, least: number): string[] =>
  [...hands].flatMap(([backoff, count]) => (count >= least ? [backoff] : []));

/** How many rows of each slot this process has in its hands; those of a pass without slots are under one name. */
export type Hands = ReadonlyMap<string, number>;

/** The place of a row among those that are worked on at once: its own from the start, and left at the end at the latest. */
export type Place = {
  /** From here on the row waits for others: its place goes to the next. */
  leave(): void;
  take(): Promise<void>;
};

export type AnyCrew = Crew<unknown, unknown>;

/** A pass of any rows, for the runner; only the pass itself looks into them. */
export type AnyPass = Pass<unknown, unknown>;

export function pass<Row, Result>(declared: Pass<Row, Result>): AnyPass {
  return declared as unknown as AnyPass;
}

/** A pass that has no rows to work on: the runner has it tidy about once an hour. */
export const expiryPass = (
  name: string,
  tells: string,
  tidy: (tx: Transaction, now: Date) => Promise<void>,
): AnyPass =>
  pass<never, never>({
    name,
    wakes_on: [],
    interrupted_by: [],
    tells,
    every_ms: HOUR_MS,
    batch: 1,
    at_a_time: 1,
    starts_within_ms: 1_000,
    claim: async () => [],
    open: () => ({ begin: async () => async () => null, close: () => undefined }),
    commit: async () => undefined,
    release: async () => undefined,
    tidy,
  });
