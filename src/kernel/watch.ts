// Something a process keeps open for long, such as a mailbox that reports new mail. A feature declares it as a value, like a
// pass. src/jobs claims what no process has, starts it, and renews its lease while the process lives. A write under an expired
// lease changes nothing.
import type { Transaction } from './database.ts';
import type { App } from './app.ts';
import type { Lease } from './pass.ts';

export type Watch<Row extends { id: string }> = {
  name: string;
  /** Change notifications topics that say that there may be something to begin, to end, or to look at. */
  wakes_on: readonly string[];
  /** How often leases are prolonged and what is due is begun. */
  every_ms: number;
  /** A process that prolonged nothing for so long has lost all that it held. */
  lease_ms: number;
  /** What one process holds, at most. */
  most: number;
  /** Due rows that no one holds, `for update skip locked`, marked with the lease. */
  claim(tx: Transaction, lease: Lease, count: number): Promise<Row[]>;
  /** Prolongs what still carries the lease and may still be held; gives their ids. */
  renew(tx: Transaction, lease: Lease): Promise<string[]>;
  /** It has ended: takes the lease off it, where it still carries it. */
  release(tx: Transaction, lease: Lease, id: string): Promise<void>;
  begin(app: App, row: Row, lease: string): Held;
};

export type Held = {
  /** Never rejects. */
  ended: Promise<void>;
  /** The lease was prolonged: it is time for whatever is done now and then. */
  look(): void;
  end(): void;
};

export type AnyWatch = Watch<{ id: string }>;

/** A watch of any rows, for the runner; only the watch itself looks into them. */
export function watch<Row extends { id: string }>(declared: Watch<Row>): AnyWatch {
  return declared as unknown as AnyWatch;
}
