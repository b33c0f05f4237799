// One batch of a pass: claim under a lease, work outside any transaction, commit at most ten results at a time. A process
// that dies in it has lost nothing: the lease runs out and the rows are due again as they were.
import { MINUTE_MS, after } from '../kernel/clock.ts';
import type { House } from '../kernel/house.ts';
import { newId } from '../kernel/ids.ts';
import type { AnyCrew, AnyPass, Lease } from '../kernel/pass.ts';

const LEASE_MS = MINUTE_MS;

/** So that a crash repeats few, and no transaction holds many rows. */
const MOST_COMMITTED = 10;

export type Claimed = { lease: Lease; rows: readonly unknown[] };

/** Null where nothing is due. */
export async function claimBatch({ ground, clock }: House, pass: AnyPass): Promise<Claimed | null> {
  const from = clock.now();
  const lease: Lease = { id: newId(), from, until: after(from, LEASE_MS) };
  const rows = await ground.transact((tx) => pass.claim(tx, lease, pass.batch));
  return rows.length > 0 ? { lease, rows } : null;
}

/** Each may reject, where the work on a row or a commit failed; whoever works a batch waits for all three. */
export type Batch = {
  /** No row is left to start. */
  taken: Promise<void>;
  /** What was started has ended. */
  worked: Promise<void>;
  /** What came out is committed, and what was not started is given back: whether there was any. */
  settled: Promise<boolean>;
};

export type Signals = {
  /** False: nothing more is started. */
  mayStart: () => boolean;
  /** What is open is cut off. */
  cut: AbortSignal;
};

export function workBatch(
  house: House,
  pass: AnyPass,
  crew: AnyCrew,
  { lease, rows }: Claimed,
  { mayStart, cut }: Signals,
): Batch {
  const { ground, clock } = house;
  const startsUntil = after(lease.from, pass.starts_within_ms);
  const outbox = openOutbox((results) => ground.transact((tx) => pass.commit(tx, lease, results)));
  const taken = Promise.withResolvers<void>();
  let done = 0;

  const work = async (): Promise<void> => {
    const act = await crew.begin(rows);
    // One iterator for all hands: each takes the next row.
    const queue = rows.values();
    const hand = async (): Promise<void> => {
      for (const row of queue) {
        if (!mayStart() || clock.now() >= startsUntil) break;
        const result = await act(row, cut);
        if (result === null) continue;
        done += 1;
        outbox.put(result);
      }
      taken.resolve();
    };
    const hands = await Promise.allSettled(Array.from({ length: pass.at_a_time }, hand));
    for (const each of hands) if (each.status === 'rejected') throw each.reason;
  };
  const worked = work().finally(() => taken.resolve());
  const settle = async (): Promise<boolean> => {
    // What did come out is committed whatever became of the rest.
    const fault = await worked.then(
      () => null,
      (error: unknown) => ({ error }),
    );
    await outbox.emptied();
    // Not given back: the lease holds those rows for its minute, or a fault would turn in circles.
    if (fault) throw fault.error;
    if (done === rows.length) return false;
    await ground.transact((tx) => pass.release(tx, lease, rows));
    return true;
  };
  const settled = settle();
  // Both are waited for, but maybe not yet when they fail.
  worked.catch(() => undefined);
  settled.catch(() => undefined);
  return { taken: taken.promise, worked, settled };
}

type Outbox = { put(result: unknown): void; emptied(): Promise<void> };

/**
 * Commits ten as soon as there are ten, and fewer whenever no commit is on its way, so that a slow row holds back nobody's
 * result and a fast receiver does not wait for one commit after the other.
 */
function openOutbox(commit: (results: unknown[]) => Promise<void>): Outbox {
  const waiting: unknown[] = [];
  const committing = new Set<Promise<void>>();
  let fault: { error: unknown } | null = null;
  const some = async (): Promise<void> => {
    try {
      await commit(waiting.splice(0, MOST_COMMITTED));
    } catch (error) {
      fault ??= { error };
    }
  };
  const pump = (): void => {
    while (waiting.length >= MOST_COMMITTED || (waiting.length > 0 && committing.size === 0)) {
      const one: Promise<void> = some().finally(() => {
        committing.delete(one);
        pump();
      });
      committing.add(one);
    }
  };
  return {
    put(result) {
      waiting.push(result);
      pump();
    },
    async emptied() {
      while (committing.size > 0) await Promise.all(committing);
      if (fault) throw fault.error;
    },
  };
}
