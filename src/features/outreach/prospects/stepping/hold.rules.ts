// Keeping someone back in a campaign (domain.md §6.6), pure. A hold by hand has no end unless one is given; an automatic one
// (an away message, the product itself) never shortens or replaces it, and the later end of two away messages counts. Held
// time does not spend the wait of a step: what was due later moves by as much.
import type { Holder } from '../contract.ts';

export type Hold = { by: Holder; reason: string; until: Date | null; since: Date };

export type HoldRuling = {
  hold: Hold | null;
  /** By how much everything that is due moves, in milliseconds; negative where a hold ends before its time. */
  shift_ms: number;
};

const byHand = ({ by }: Hold): boolean => by === 'person' || by === 'agent';

/** Whether it keeps anything back at this moment. */
export const isHeld = (hold: Hold | null, now: Date): hold is Hold =>
  hold !== null && (hold.until === null || hold.until > now);

/** Null: it stays as it was. */
export function ruleHold(
  present: Hold | null,
  wish: Omit<Hold, 'since'>,
  now: Date,
): { hold: Hold; shift_ms: number } | null {
  const hold = { ...wish, since: now };
  if (!isHeld(present, now)) return { hold, shift_ms: ahead(hold, now) };
  if (!byHand(hold)) {
    if (byHand(present) || present.until === null) return null;
    if (hold.until !== null && hold.until <= present.until) return null;
  }
  return { hold, shift_ms: ruleRelease(present, now).shift_ms + ahead(hold, now) };
}

/** One with an end moved everything by its whole length when it began; one without moves it when it is over. */
const ahead = ({ until }: Hold, now: Date): number => (until ? until.getTime() - now.getTime() : 0);

export function ruleRelease(present: Hold | null, now: Date): HoldRuling {
  if (!isHeld(present, now)) return { hold: null, shift_ms: 0 };
  const shift_ms = present.until ? -ahead(present, now) : now.getTime() - present.since.getTime();
  return { hold: null, shift_ms };
}
