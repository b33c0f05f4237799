// The loop of one pass in this process: it claims batch after batch until nothing is due, and looks again whenever it
// is woken or a row is done, even while other rows take long. Only the end of the loop waits for the slowest row.
import { HOUR_MS, SECOND_MS, after } from '../kernel/clock.ts';
import type { App } from '../kernel/app.ts';
import type { AnyCrew, AnyPass } from '../kernel/pass.ts';
import { claimBatch, openSlots, workBatch } from './batch.ts';
import type { Ledger } from './ledger.ts';

export type Loop = {
  pass: AnyPass;
  /** Until nothing is due and nothing is on its way; gives how many were claimed. Rejects where a row or a commit failed. */
  run(): Promise<number>;
  wake(): void;
  /** What is claimed and not started is given back and claimed again. */
  interrupt(): void;
  /** Resolves when nothing is on its way any more. */
  ended(): Promise<void>;
};

const TIDY_EVERY_MS = HOUR_MS;
const TELL_EVERY_MS = SECOND_MS;

export function openLoop(
  app: App,
  pass: AnyPass,
  ledger: Ledger,
  stopping: AbortSignal,
  cut: AbortSignal,
): Loop {
  const { clock, database, log } = app;
  const slots = openSlots(pass.at_a_time);
  const slotOf = pass.slots?.of ?? ((): string => pass.name);
  const hands = new Map<string, number>();
  const open = new Set<Promise<void>>();
  let turn = Promise.resolve();
  let again = false;
  let interruptions = 0;
  let tidyAt = clock.now();
  let telling: NodeJS.Timeout | null = null;
  /** From the first claim to the moment at which nothing is due and nothing is on its way. */
  let stretch: Stretch | null = null;

  /** Looks for what is due, now or after the look that is under way. */
  const look = (): Stretch => {
    again = true;
    stretch ??= {
      crew: pass.open(app),
      looking: false,
      total: 0,
      noted: 0,
      fault: null,
      halted: false,
      over: Promise.withResolvers(),
    };
    if (!stretch.looking) {
      stretch.looking = true;
      void claimAll(stretch);
    }
    return stretch;
  };

  const claimAll = async (now: Stretch): Promise<void> => {
    try {
      await tidyWhenDue();
      // Asked for while it ran: what was written after the last claim would otherwise wait for the timer.
      do {
        again = false;
        await claimBatches(now);
      } while (again && !stopping.aborted);
    } catch (error) {
      failed(now, error);
    }
    await noteDown(now);
    now.looking = false;
    // Woken in the moment of the note.
    if (again && !stopping.aborted) look();
    else rest(now);
  };

  /** Batch after batch until nothing is due: the next is claimed and prepared while the last rows of one are started. */
  const claimBatches = async (now: Stretch): Promise<void> => {
    while (!stopping.aborted) {
      // What arises after this moment is read by the next batch, so an interruption from here on counts for this one.
      const since = interruptions;
      const claimed = await claimBatch(app, pass, hands);
      if (claimed === null) return;
      now.total += claimed.rows.length;
      for (const row of claimed.rows) inHand(row, 1);
      const { runsLow, taken, settled } = workBatch(app, pass, now.crew, claimed, {
        mayStart: () => !stopping.aborted && interruptions === since,
        cut,
        slots,
        turn,
        ended(row, how) {
          inHand(row, -1);
          tellSoon();
          // Its slot has room, or it is due as it was. After a fault only someone from outside has it looked again.
          if ((pass.slots || how === 'given_back') && !now.halted && !stopping.aborted) look();
        },
      });
      turn = taken;
      const end: Promise<void> = settled
        .catch((error: unknown) => failed(now, error))
        .finally(() => {
          open.delete(end);
          rest(now);
        });
      open.add(end);
      await runsLow;
      if (now.halted) return void (again = false);
    }
  };

  const inHand = (row: unknown, more: 1 | -1): void => {
    const backoff = slotOf(row);
    const count = (hands.get(backoff) ?? 0) + more;
    if (count > 0) hands.set(backoff, count);
    else hands.delete(backoff);
  };

  const failed = (now: Stretch, error: unknown): void => {
    now.fault ??= { error };
    now.halted = true;
    log.error({ err: error, pass: pass.name }, 'a pass failed');
    if (!now.looking) void noteDown(now);
  };

  const noteDown = async (now: Stretch): Promise<void> => {
    const more = now.total - now.noted;
    now.noted = now.total;
    await ledger.note(more, now.fault);
  };

  const rest = (now: Stretch): void => {
    if (now !== stretch || now.looking || open.size > 0) return;
    stretch = null;
    now.crew.close();
    if (now.total > 0) tell();
    if (now.fault) now.over.reject(now.fault.error);
    else now.over.resolve(now.total);
  };

  /** Open screens hear of a long run every second, and of its end. */
  const tellSoon = (): void => void (telling ??= setTimeout(tell, TELL_EVERY_MS).unref());
  const tell = (): void => {
    if (telling) clearTimeout(telling);
    telling = null;
    database.tell([{ topic: pass.tells, id: '' }]);
  };

  const tidyWhenDue = async (): Promise<void> => {
    const now = clock.now();
    if (now < tidyAt) return;
    tidyAt = after(now, TIDY_EVERY_MS);
    await database.transact((tx) => pass.tidy(tx, now));
  };

  const wake = (): Promise<number> => {
    if (stopping.aborted) return Promise.resolve(0);
    // What failed is tried again.
    if (stretch) stretch.halted = false;
    const { over } = look();
    // Said when it happened.
    over.promise.catch(() => undefined);
    return over.promise;
  };

  return {
    pass,
    run: wake,
    wake: () => void wake(),
    interrupt: () => void (interruptions += 1),
    ended: async () => void (await stretch?.over.promise.catch(() => 0)),
  };
}

type Stretch = {
  crew: AnyCrew;
  looking: boolean;
  total: number;
  /** So many of them the ledger knows. */
  noted: number;
  fault: { error: unknown } | null;
  /** By a fault, until someone wakes it. */
  halted: boolean;
  over: PromiseWithResolvers<number>;
};
