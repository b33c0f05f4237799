// When a mailbox in trouble is retried.
import { after, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import type { ImapTrouble } from './trouble.ts';

/** A connection that only broke off is opened again at once; a password that is refused again and again locks people out. */
const FIRST_MS: Partial<Record<ImapTrouble, number>> = { dropped: 2 * SECOND_MS, auth: 5 * MINUTE_MS };
const USUAL_FIRST_MS = 15 * SECOND_MS;
const LONGEST_MS = 30 * MINUTE_MS;

/** `attempts` in a row went wrong, this one included; `draw` in [0, 1) spreads those that fell together. */
export function nextTry(trouble: ImapTrouble | null, attempts: number, now: Date, draw: number): Date {
  const first = (trouble && FIRST_MS[trouble]) ?? USUAL_FIRST_MS;
  const wait = Math.min(first * 2 ** Math.min(attempts - 1, 20), LONGEST_MS);
  return after(now, Math.round(wait * (0.75 + draw / 2)));
}
