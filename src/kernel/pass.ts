// What happens without a request. A feature states a pass as a value, the house holds it, and src/jobs runs it: claim due
// rows under a lease, work on them outside any transaction, commit what came out, a few at a time.
import type { Transaction } from './ground.ts';
import type { House } from './house.ts';

/**
 * The hold of one process on the rows of one batch. `id` is the fence: what is committed later than another process
 * claimed the same rows finds another id there and changes nothing.
 */
export type Lease = { readonly id: string; readonly from: Date; readonly until: Date };

export type Pass<Row, Result> = {
  name: string;
  /** News topics that say that there may be work. */
  wakes_on: readonly string[];
  /** News topics after which no further row of a running batch is started: the rest is given back and claimed anew. */
  interrupted_by: readonly string[];
  /** The news topic that says that its rows changed, told after each batch. */
  tells: string;
  /** How often it looks without being woken. */
  every_ms: number;
  /** Rows of one batch, at most. */
  batch: number;
  at_a_time: number;
  /** Rows not started by then are given back; with the longest work on one row it must stay well below a lease. */
  starts_within_ms: number;
  /** Due rows that nobody holds, `for update skip locked`, marked with the lease. */
  claim(tx: Transaction, lease: Lease, count: number): Promise<Row[]>;
  /** Once for each batch, outside any transaction: what its rows have in common. */
  begin(house: House, rows: readonly Row[]): Promise<Shift<Row, Result>>;
  /** Changes only rows that still carry the lease, and takes it off them. */
  commit(tx: Transaction, lease: Lease, results: readonly Result[]): Promise<void>;
  /** Gives back what still carries the lease. */
  release(tx: Transaction, lease: Lease): Promise<void>;
  /** About once an hour: what is old enough to go. */
  tidy(tx: Transaction, now: Date): Promise<void>;
};

export type Shift<Row, Result> = {
  /** Null: it did not happen (`cut` was aborted), and the row is given back as it was. */
  work(row: Row, cut: AbortSignal): Promise<Result | null>;
  end(): void;
};

/** A pass of any rows, for the runner; only the pass itself looks into them. */
export type AnyPass = Pass<unknown, unknown>;

export function pass<Row, Result>(declared: Pass<Row, Result>): AnyPass {
  return declared as unknown as AnyPass;
}
