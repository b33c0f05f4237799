// What a gate says of a letter that may not leave: it holds, it waits until a moment, or it is over.
import type { HoldReason, WaitReason } from '../letter/reasons.rules.ts';

export type Stop =
  | { hold: HoldReason; evidence?: Record<string, unknown> }
  /** Time opens it, at `until` at the earliest; it is asked again then. */
  | { defer: WaitReason; until: Date; evidence?: Record<string, unknown> }
  /** The letter is over: nothing lifts this. */
  | { cancel: string };

/** What has no time of its own is looked at again after this; whatever lifts it wakes the letter at once. */
const LOOK_AGAIN_MS = 10 * 60_000;
/** A paused campaign may stay so for months; activating it wakes its letters. */
export const LOOK_AGAIN_PAUSED_MS = 12 * 3_600_000;

export const later = (now: Date, ms: number = LOOK_AGAIN_MS): Date => new Date(now.getTime() + ms);
