// Runs the passes of the house: one batch of a kind at a time in this process, woken by news or by a timer, and ended in
// order. Any number of processes may run on one database; the lease of a batch keeps them apart.
import { HOUR_MS, SECOND_MS, after } from '../kernel/clock.ts';
import type { House } from '../kernel/house.ts';
import type { AnyCrew, AnyPass } from '../kernel/pass.ts';
import { claimBatch, openSlots, workBatch } from './batch.ts';
import { openHolder } from './holder.ts';
import { openLedger, type Ledger } from './ledger.ts';

export type Jobs = {
  /** Runs a pass until nothing is due, or a round of a watch, whether or not it wakes by itself; gives how many were claimed. */
  run(name: string): Promise<number>;
  close(): Promise<void>;
};

/** How long rows that are being worked on may still take when the process ends; then they are cut off and given back. */
const GRACE_MS = 2_000;

const TIDY_EVERY_MS = HOUR_MS;
const TELL_EVERY_MS = SECOND_MS;

/** Said on the news when the listening connection was lost for a while: anything may have been missed. */
const EVERYTHING = 'everything';

/** `when_told`: passes run by `run` alone; for tests and programs that move the clock. */
export function openJobs(house: House, wakes: 'by_themselves' | 'when_told'): Jobs {
  const stopping = new AbortController();
  const cut = new AbortController();
  const loops = house.passes.map((pass) =>
    openLoop(house, pass, openLedger(house, pass, wakes), stopping.signal, cut.signal),
  );
  const holders = house.watches.map((watch) => openHolder(house, watch, openLedger(house, watch, wakes)));
  const timers =
    wakes === 'by_themselves'
      ? [
          ...loops.map((loop) => setInterval(loop.wake, loop.pass.every_ms)),
          ...holders.map((holder) => setInterval(holder.wake, holder.watch.every_ms)),
        ]
      : [];

  const hear = async (): Promise<void> => {
    for await (const { topic } of house.newsroom.follow(stopping.signal)) {
      const concerns = (topics: readonly string[]) => topic === EVERYTHING || topics.includes(topic);
      if (wakes === 'by_themselves')
        for (const holder of holders) if (concerns(holder.watch.wakes_on)) holder.wake();
      for (const loop of loops) {
        if (concerns(loop.pass.interrupted_by)) loop.interrupt();
        if (wakes === 'by_themselves' && concerns(loop.pass.wakes_on)) loop.wake();
      }
    }
  };
  void hear();
  if (wakes === 'by_themselves') for (const each of [...loops, ...holders]) each.wake();

  return {
    async run(name) {
      const found =
        loops.find(({ pass }) => pass.name === name) ?? holders.find(({ watch }) => watch.name === name);
      if (!found) throw new Error(`no feature states a pass called ${name}`);
      return found.run();
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      stopping.abort();
      const grace = setTimeout(() => cut.abort(), GRACE_MS);
      await Promise.all([...loops.map((loop) => loop.ended()), ...holders.map((holder) => holder.close())]);
      clearTimeout(grace);
    },
  };
}

type Loop = {
  pass: AnyPass;
  run(): Promise<number>;
  wake(): void;
  interrupt(): void;
  ended(): Promise<void>;
};

function openLoop(
  house: House,
  pass: AnyPass,
  ledger: Ledger,
  stopping: AbortSignal,
  cut: AbortSignal,
): Loop {
  let running: Promise<number> | null = null;
  let again = false;
  let interruptions = 0;
  let tidyAt = house.clock.now();
  let tellAt = tidyAt;

  const drain = async (): Promise<number> => {
    const crew = pass.open(house);
    let total = 0;
    let fault: { error: unknown } | null = null;
    try {
      await tidyWhenDue();
      // Asked for while it ran: what was written after the last claim would otherwise wait for the timer.
      do {
        again = false;
        total += await runBatches(crew);
      } while (again && !stopping.aborted);
      return total;
    } catch (error) {
      fault = { error };
      throw error;
    } finally {
      await ledger.note(total, fault);
      running = null;
      crew.close();
    }
  };

  /** Batch after batch until nothing is due: the next is claimed and prepared while the last rows of one are started. */
  const runBatches = async (crew: AnyCrew): Promise<number> => {
    let total = 0;
    let turn = Promise.resolve();
    const slots = openSlots(pass.at_a_time);
    const open = new Set<Promise<void>>();
    const faults: unknown[] = [];
    try {
      for (let next = await claim(); next !== null; next = stopping.aborted ? null : await claim()) {
        total += next.batch.rows.length;
        const { runsLow, taken, settled } = workBatch(house, pass, crew, next.batch, {
          ...next,
          slots,
          turn,
        });
        const end: Promise<void> = settled
          .then((gaveBack) => void (again ||= gaveBack))
          .catch((error: unknown) => void faults.push(error))
          .finally(() => open.delete(end));
        open.add(end);
        turn = taken;
        await runsLow;
        if (faults.length > 0) break;
        tellNowAndThen(false);
      }
    } finally {
      // Given back after the last claim had looked, or broken off: whoever runs this waits for all of it.
      await Promise.all(open);
    }
    if (faults.length > 0) throw faults[0];
    if (total > 0) tellNowAndThen(true);
    return total;
  };

  /** What arises after this moment is read by the next batch, so an interruption from here on counts for this one. */
  const claim = async () => {
    const since = interruptions;
    const batch = await claimBatch(house, pass);
    const mayStart = (): boolean => !stopping.aborted && interruptions === since;
    return batch && { batch, mayStart, cut };
  };

  /** Open screens hear of a long run every second, and of its end. */
  const tellNowAndThen = (atTheEnd: boolean): void => {
    const now = house.clock.now();
    if (!atTheEnd && now < tellAt) return;
    tellAt = after(now, TELL_EVERY_MS);
    house.ground.tell([{ topic: pass.tells, id: '' }]);
  };

  const tidyWhenDue = async (): Promise<void> => {
    const now = house.clock.now();
    if (now < tidyAt) return;
    tidyAt = after(now, TIDY_EVERY_MS);
    await house.ground.transact((tx) => pass.tidy(tx, now));
  };

  const run = (): Promise<number> => {
    again = true;
    if (stopping.aborted) return Promise.resolve(0);
    running ??= drain();
    return running;
  };

  return {
    pass,
    run,
    wake: () =>
      void run().catch((err: unknown) => house.log.error({ err, pass: pass.name }, 'a pass failed')),
    interrupt: () => void (interruptions += 1),
    ended: async () => void (await running?.catch(() => 0)),
  };
}
