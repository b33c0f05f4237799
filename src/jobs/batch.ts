// One batch of a pass: claim under a lease, work outside any transaction, commit at most ten results at a time. A process
// that dies in it has lost nothing: the lease runs out and the rows are due again as they were.
import { MINUTE_MS, after } from '../kernel/clock.ts';
import type { House } from '../kernel/house.ts';
import { newId } from '../kernel/ids.ts';
import type { AnyPass, Lease } from '../kernel/pass.ts';

const LEASE_MS = MINUTE_MS;

/** So that a crash repeats few, and no transaction holds many rows. */
const MOST_COMMITTED = 10;

type Signals = {
  /** Nothing more is started. */
  stopping: AbortSignal;
  interrupted: AbortSignal;
  /** What is open is cut off. */
  cut: AbortSignal;
};

/** How many rows were claimed. Throws, after everything started has ended, where a row's work or a commit failed. */
export async function runBatch(house: House, pass: AnyPass, signals: Signals): Promise<number> {
  const { ground, clock } = house;
  const from = clock.now();
  const lease: Lease = { id: newId(), from, until: after(from, LEASE_MS) };
  const rows = await ground.transact((tx) => pass.claim(tx, lease, pass.batch));
  if (rows.length === 0) return 0;

  const starts = after(from, pass.starts_within_ms);
  const mayStart = (): boolean =>
    !signals.stopping.aborted && !signals.interrupted.aborted && clock.now() < starts;
  const outbox = openOutbox((results) => ground.transact((tx) => pass.commit(tx, lease, results)));
  const shift = await pass.begin(house, rows);
  // One iterator for all hands: each takes the next row.
  const queue = rows.values();
  let settled = 0;
  const hand = async (): Promise<void> => {
    for (const row of queue) {
      if (!mayStart()) return;
      const result = await shift.work(row, signals.cut);
      if (result === null) continue;
      settled += 1;
      outbox.put(result);
    }
  };
  try {
    const hands = await Promise.allSettled(Array.from({ length: pass.at_a_time }, hand));
    await outbox.emptied();
    for (const each of hands) if (each.status === 'rejected') throw each.reason;
  } finally {
    shift.end();
    ground.tell([{ topic: pass.tells, id: '' }]);
  }
  // Not after a failure: the lease holds those rows back for its minute, or a fault would turn in circles.
  if (settled < rows.length) await ground.transact((tx) => pass.release(tx, lease));
  return rows.length;
}

type Outbox = { put(result: unknown): void; emptied(): Promise<void> };

/** Commits what has come together whenever the commit before is through, so that a slow row holds back nobody's result. */
function openOutbox(commit: (results: unknown[]) => Promise<void>): Outbox {
  const waiting: unknown[] = [];
  let committing: Promise<void> | null = null;
  const empty = async (): Promise<void> => {
    while (waiting.length > 0) await commit(waiting.splice(0, MOST_COMMITTED));
    committing = null;
  };
  return {
    put(result) {
      waiting.push(result);
      committing ??= empty();
      // Whether it failed is asked at the end; until then a rejection must not count as unheard.
      committing.catch(() => undefined);
    },
    emptied: async () => void (await committing),
  };
}
