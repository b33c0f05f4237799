// How many letters an identity may start per day and how far apart they are (domain.md §6.4). Pure; the caller draws
// random numbers once and saves them with the row.

export type Ramp = {
  /** Letters on the first sending day, and how many more each sending day after it. */
  start: number;
  step: number;
  /** Sending days counted so far. */
  day: number;
  ceiling: number;
};

export type Allowance = {
  /** How many letters may start today, warnings and ramp taken into account. */
  allowance: number;
  /** What sets it. */
  by: 'identity_cap' | 'ramp';
};

/** What a day's sending may come to for one identity; a warned domain halves it, rounded down, but never to nothing. */
export function allowanceOf(
  { daily_cap, ramp }: { daily_cap: number; ramp: Ramp },
  warned: boolean,
): Allowance {
  const ramped = Math.min(ramp.ceiling, ramp.start + ramp.step * ramp.day);
  const by = ramped < daily_cap ? 'ramp' : 'identity_cap';
  return { allowance: halvedIf(warned, Math.min(daily_cap, ramped)), by };
}

/** A domain's cap of the day; halved while it is warned. */
export const domainAllowance = (daily_cap: number, warned: boolean): number => halvedIf(warned, daily_cap);

const halvedIf = (warned: boolean, letters: number): number =>
  warned && letters > 1 ? Math.floor(letters / 2) : letters;

/**
 * The ramp after its first letter of a local day: one sending day more, counted once a day, and none while the domain is
 * warned.
 */
export function countedDay(
  ramp: Ramp,
  { counted_on, today, warned }: { counted_on: string | null; today: string; warned: boolean },
): { day: number; counted_on: string } {
  // The first sending day is day 0: it is over once a letter starts on another one.
  const another = counted_on !== null && counted_on !== today;
  return { day: another && !warned ? ramp.day + 1 : ramp.day, counted_on: today };
}

/** After a resumed pause the ramp starts again from about half of what it allowed. */
export function halvedRamp(ramp: Ramp): Ramp {
  const allowed = Math.min(ramp.ceiling, ramp.start + ramp.step * ramp.day);
  const day = ramp.step === 0 ? 0 : Math.max(0, Math.floor((allowed / 2 - ramp.start) / ramp.step));
  return { ...ramp, day };
}

/**
 * When the next letter of an identity may start after one started at `at`.
 * @param draw a number from 0 to 1, drawn once for this letter
 */
export const nextSlot = (
  at: Date,
  { min_gap_s, jitter_s }: { min_gap_s: number; jitter_s: number },
  draw: number,
): Date => new Date(at.getTime() + Math.round((min_gap_s + jitter_s * draw) * 1000));

/** When a letter that the next hop deferred is tried again, counted from its first attempt; null: it has had its time. */
export function nextAttempt(first: Date, now: Date, attempts: number): Date | null {
  const wait = RETRIES_MIN[Math.min(attempts, RETRIES_MIN.length) - 1] ?? 30;
  const next = new Date(now.getTime() + wait * 60_000);
  return next.getTime() - first.getTime() > GIVE_UP_H * 3_600_000 ? null : next;
}

/** Minutes until the next attempt after the first, second … deferral: never under half an hour (RFC 5321 §4.5.4.1). */
const RETRIES_MIN = [30, 60, 120, 240];
/** A cold letter gives up after a day and never piles onto the next step (domain.md §6.3). */
export const GIVE_UP_H = 24;
