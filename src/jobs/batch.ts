// One batch of a pass: claim under a lease, work outside any transaction, commit at most ten results at a time. If
// the process dies, nothing is lost: the lease expires and the rows are due again as they were.
import { MINUTE_MS, after } from '../kernel/clock.ts';
import type { App } from '../kernel/app.ts';
import { newId } from '../kernel/ids.ts';
import type { AnyCrew, AnyPass, Hands, Lease, Place, Work } from '../kernel/pass.ts';

const LEASE_MS = MINUTE_MS;

/** So that a crash repeats few, and no transaction holds many rows. */
const MOST_COMMITTED = 10;

/** A result waits this long for others to be committed with. */
const GATHER_MS = 10;

/** Of a pass with slots: a row that takes longer waits for someone else, and its place goes to the next. */
const SLOW_MS = 2_000;

/** So many rows before the last one starts, the next batch is claimed and prepared: about as long as those take. */
const RUNS_LOW = 20;

type AnyWork = Work<unknown, unknown>;

export type Claimed = { lease: Lease; rows: readonly unknown[] };

const actOf = ({ inOneStatement, transact }: App['database'], pass: AnyPass) =>
  pass.in_one_statement ? inOneStatement : transact;

/** Null where nothing is due, or where this process has as much in its hands as it may. */
export async function claimBatch(
  { database, clock }: App,
  pass: AnyPass,
  hands: Hands,
): Promise<Claimed | null> {
  const count = Math.min(pass.batch, (pass.slots?.most ?? Infinity) - sum(hands.values()));
  if (count <= 0) return null;
  const from = clock.now();
  const lease: Lease = { id: newId(), from, until: after(from, LEASE_MS) };
  const rows = await actOf(database, pass)((tx) => pass.claim(tx, lease, count, hands));
  return rows.length > 0 ? { lease, rows } : null;
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((all, each) => all + each, 0);

/** Neither of the first two rejects; `settled` does, where the work on a row or a commit failed. */
export type Batch = {
  /** Few rows are left to start, or none will be: it is time to claim the next batch. */
  runsLow: Promise<void>;
  /** No row is left to start. */
  taken: Promise<void>;
  /** What came out is committed, and what was not started is given back. */
  settled: Promise<void>;
};

export type Way = {
  /** False: nothing more is started. */
  mayStart: () => boolean;
  /** What is open is cut off. */
  cut: AbortSignal;
  /** Shared by the batches of a loop, so that all of them together have no more rows on their way than the pass allows. */
  slots: Slots;
  /** The batch before has no row left to start. */
  turn: Promise<void>;
  /** A row is out of our hands: committed, or given back as it was. */
  ended: (row: unknown, how: 'settled' | 'given_back') => void;
};

export function workBatch(
  app: App,
  pass: AnyPass,
  crew: AnyCrew,
  { lease, rows }: Claimed,
  { mayStart, cut, slots, turn, ended }: Way,
): Batch {
  const { database, clock } = app;
  const startsUntil = after(lease.from, pass.starts_within_ms);
  const outbox = openOutbox((results) => actOf(database, pass)((tx) => pass.commit(tx, lease, results)));
  const back = openOutbox((some) => database.transact((tx) => pass.release(tx, lease, some)));
  const low = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const held = new Set<unknown>(rows);
  let fault: { error: unknown } | null = null;
  const failed = (error: unknown): void => void (fault ??= { error });
  const leave = (row: unknown, how: 'settled' | 'given_back'): void => {
    if (held.delete(row)) ended(row, how);
  };
  const giveBack = (row: unknown): Promise<void> =>
    back.put(row).then(() => leave(row, 'given_back'), failed);

  const acts: Promise<void>[] = [];
  const ends: Promise<void>[] = [];
  const start = async (act: AnyWork, row: unknown): Promise<void> => {
    const place = placeIn(slots);
    const slow = pass.slots && setTimeout(place.leave, SLOW_MS);
    try {
      const result = await act(row, cut, place);
      // No one waits for its commit but itself: a slow row holds back no one's result, and a fast one no slot.
      ends.push(
        result === null ? giveBack(row) : outbox.put(result).then(() => leave(row, 'settled'), failed),
      );
    } catch (error) {
      failed(error);
    } finally {
      clearTimeout(slow);
      place.leave();
    }
  };
  const work = async (): Promise<void> => {
    // Prepared while the batch before still has rows to start.
    const act = await crew.begin(rows);
    await turn;
    for (const row of rows) {
      await slots.take();
      if (!mayStart() || clock.now() >= startsUntil) {
        slots.giveBack();
        break;
      }
      acts.push(start(act, row));
      if (rows.length - acts.length <= RUNS_LOW) low.resolve();
    }
    // At once: others of the batch may be on their way for long.
    if (!fault) for (const row of rows.slice(acts.length)) ends.push(giveBack(row));
  };
  const settle = async (): Promise<void> => {
    await work().catch(failed);
    low.resolve();
    taken.resolve();
    await Promise.all(acts);
    // What did come out is committed whatever happened to the rest.
    outbox.flush();
    back.flush();
    await Promise.all(ends);
    // Not given back: the lease holds those rows for its minute, or a fault would turn in circles.
    for (const row of held) leave(row, 'settled');
    if (fault) throw fault.error;
  };
  const settled = app.trace.span(`pass ${pass.name}`, { 'dunnock.claimed': rows.length }, settle);
  // Waited for, but maybe not yet when it fails.
  settled.catch(() => undefined);
  return { runsLow: low.promise, taken: taken.promise, settled };
}

/** One that is taken already. */
function placeIn(slots: Slots): Place {
  let taken = true;
  return {
    async take() {
      if (taken) return;
      await slots.take();
      taken = true;
    },
    leave() {
      if (taken) slots.giveBack();
      taken = false;
    },
  };
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

/** `put` resolves when it is committed, and rejects where it could not be. */
type Outbox = { put(one: unknown): Promise<void>; flush(): void };

/**
 * Commits ten as soon as there are ten, and fewer after a moment, so that a slow row holds back no one's result. A fast
 * receiver waits for no commit, and costs few.
 */
function openOutbox(commit: (some: unknown[]) => Promise<void>): Outbox {
  const waiting: { one: unknown; done: PromiseWithResolvers<void> }[] = [];
  let timer: NodeJS.Timeout | null = null;
  const some = async (): Promise<void> => {
    const taken = waiting.splice(0, MOST_COMMITTED);
    try {
      await commit(taken.map(({ one }) => one));
      for (const { done } of taken) done.resolve();
    } catch (error) {
      for (const { done } of taken) done.reject(error);
    }
  };
  const pump = (least: number): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    while (waiting.length >= least) void some();
    if (waiting.length > 0) timer = setTimeout(pump, GATHER_MS, 1);
  };
  return {
    put(one) {
      const done = Promise.withResolvers<void>();
      waiting.push({ one, done });
      if (waiting.length >= MOST_COMMITTED || timer === null) pump(MOST_COMMITTED);
      return done.promise;
    },
    flush: () => pump(1),
  };
}
