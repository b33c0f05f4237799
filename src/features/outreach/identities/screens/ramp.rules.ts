// The ramp of an identity day by day, as a curve and in words. Pure.

export type Ramp = { start: number; step: number; ceiling: number; day: number };

/** Longer than this, a curve says nothing more. */
const MOST_DAYS = 90;

const allowed = ({ start, step, ceiling }: Ramp, day: number): number =>
  Math.min(ceiling, start + step * day);

/** The sending day on which the ceiling is reached; null: never. */
function lastDay({ start, step, ceiling }: Ramp): number | null {
  if (start >= ceiling) return 0;
  return step === 0 ? null : Math.ceil((ceiling - start) / step);
}

/** From the first day until a little after the ceiling, today in it. */
export function rampDays(ramp: Ramp): { day: number; 'Letters per day': number }[] {
  const until = Math.min(MOST_DAYS, Math.max((lastDay(ramp) ?? 14) + 3, ramp.day + 1));
  return Array.from({ length: until + 1 }, (_, day) => ({ day, 'Letters per day': allowed(ramp, day) }));
}

/** The same in words. */
export function rampSays(ramp: Ramp): string {
  const today = `Day ${ramp.day} of the ramp: up to ${allowed(ramp, ramp.day)} letters.`;
  const last = lastDay(ramp);
  if (last === null) return `${today} The limit doesn’t rise.`;
  return last <= ramp.day
    ? `${today} The ramp is complete.`
    : `${today} It reaches ${ramp.ceiling} on day ${last}.`;
}
