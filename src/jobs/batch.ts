// One batch of a pass: claim under a lease, work outside any transaction, commit at most ten results at a time. A process
// that dies in it has lost nothing: the lease runs out and the rows are due again as they were.
import { MINUTE_MS, after } from '../kernel/clock.ts';
import type { House } from '../kernel/house.ts';
import { newId } from '../kernel/ids.ts';
import type { AnyCrew, AnyPass, Lease, Work } from '../kernel/pass.ts';

const LEASE_MS = MINUTE_MS;

/** So that a crash repeats few, and no transaction holds many rows. */
const MOST_COMMITTED = 10;

/** A result waits this long for others to be committed with. */
const GATHER_MS = 10;

/** So many rows before the last one starts, the next batch is claimed and prepared: about as long as those take. */
const RUNS_LOW = 20;

type AnyWork = Work<unknown, unknown>;

export type Claimed = { lease: Lease; rows: readonly unknown[] };

const actOf = ({ inOneStatement, transact }: House['ground'], pass: AnyPass) =>
  pass.in_one_statement ? inOneStatement : transact;

/** Null where nothing is due. */
export async function claimBatch({ ground, clock }: House, pass: AnyPass): Promise<Claimed | null> {
  const from = clock.now();
  const lease: Lease = { id: newId(), from, until: after(from, LEASE_MS) };
  const rows = await actOf(ground, pass)((tx) => pass.claim(tx, lease, pass.batch));
  return rows.length > 0 ? { lease, rows } : null;
}

/** Neither of the first two rejects; `settled` does, where the work on a row or a commit failed. */
export type Batch = {
  /** Few rows are left to start, or none will be: it is time to claim the next batch. */
  runsLow: Promise<void>;
  /** No row is left to start. */
  taken: Promise<void>;
  /** What came out is committed, and what was not started is given back: whether there was any. */
  settled: Promise<boolean>;
};

export type Way = {
  /** False: nothing more is started. */
  mayStart: () => boolean;
  /** What is open is cut off. */
  cut: AbortSignal;
  /** Shared by the batches of a run, so that all of them together have no more rows on their way than the pass allows. */
  slots: Slots;
  /** The batch before has no row left to start. */
  turn: Promise<void>;
};

export function workBatch(
  house: House,
  pass: AnyPass,
  crew: AnyCrew,
  { lease, rows }: Claimed,
  { mayStart, cut, slots, turn }: Way,
): Batch {
  const { ground, clock } = house;
  const startsUntil = after(lease.from, pass.starts_within_ms);
  const outbox = openOutbox((results) => actOf(ground, pass)((tx) => pass.commit(tx, lease, results)));
  const low = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  let done = 0;
  let fault: { error: unknown } | null = null;
  const failed = (error: unknown): void => void (fault ??= { error });

  const start = async (act: AnyWork, row: unknown): Promise<void> => {
    try {
      const result = await act(row, cut);
      if (result === null) return;
      done += 1;
      outbox.put(result);
    } catch (error) {
      failed(error);
    } finally {
      slots.giveBack();
    }
  };
  const work = async (): Promise<void> => {
    // Prepared while the batch before still has rows to start.
    const act = await crew.begin(rows);
    await turn;
    const started: Promise<void>[] = [];
    for (const row of rows) {
      await slots.take();
      if (!mayStart() || clock.now() >= startsUntil) {
        slots.giveBack();
        break;
      }
      started.push(start(act, row));
      if (rows.length - started.length <= RUNS_LOW) low.resolve();
    }
    low.resolve();
    taken.resolve();
    await Promise.all(started);
  };
  const settle = async (): Promise<boolean> => {
    await work().catch(failed);
    low.resolve();
    taken.resolve();
    // What did come out is committed whatever became of the rest.
    await outbox.emptied().catch(failed);
    // Not given back: the lease holds those rows for its minute, or a fault would turn in circles.
    if (fault) throw fault.error;
    if (done === rows.length) return false;
    await ground.transact((tx) => pass.release(tx, lease, rows));
    return true;
  };
  const settled = house.trace.span(`pass ${pass.name}`, { 'dunnock.claimed': rows.length }, settle);
  // Waited for, but maybe not yet when it fails.
  settled.catch(() => undefined);
  return { runsLow: low.promise, taken: taken.promise, settled };
}

export type Slots = { take(): Promise<void>; giveBack(): void };

/** Given to whoever waits longest. */
export function openSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;
  return {
    async take() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    giveBack() {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    },
  };
}

type Outbox = { put(result: unknown): void; emptied(): Promise<void> };

/**
 * Commits ten as soon as there are ten, and fewer after a moment, so that a slow row holds back nobody's result. A fast
 * receiver waits for no commit, and costs few.
 */
function openOutbox(commit: (results: unknown[]) => Promise<void>): Outbox {
  const waiting: unknown[] = [];
  const committing = new Set<Promise<void>>();
  let fault: { error: unknown } | null = null;
  let timer: NodeJS.Timeout | null = null;
  const some = async (): Promise<void> => {
    try {
      await commit(waiting.splice(0, MOST_COMMITTED));
    } catch (error) {
      fault ??= { error };
    }
  };
  const pump = (least: number): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    while (waiting.length >= least) {
      const one: Promise<void> = some().finally(() => committing.delete(one));
      committing.add(one);
    }
    if (waiting.length > 0) timer = setTimeout(pump, GATHER_MS, 1);
  };
  return {
    put(result) {
      waiting.push(result);
      if (waiting.length >= MOST_COMMITTED || timer === null) pump(MOST_COMMITTED);
    },
    async emptied() {
      pump(1);
      await Promise.all(committing);
      if (fault) throw fault.error;
    },
  };
}
