// The one source of time. Everything that ages (tokens, claims, sessions, ramps) asks the Clock it was given, so a test can move
// time without waiting.

export type Clock = { now(): Date };

/** The machine's own time. The only call of Date.now in the app is here. */
export const systemClock: Clock = { now: () => new Date(Date.now()) };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export function after(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms);
}

/** An ISO-8601 UTC time to the minute, as refusals name it: 14:32Z. */
export function shortTime(moment: Date): string {
  return `${moment.toISOString().slice(11, 16)}Z`;
}
