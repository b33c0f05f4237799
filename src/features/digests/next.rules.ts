// What the next letter of an identity waits for, of what the sender wrote down.
import { WAIT_REASONS, type WaitReason } from '../sends/reasons.rules.ts';

export type NextWaits = {
  asleep_until: Date | null;
  asleep_why: string | null;
  down_until: Date | null;
  waiting_for: string | null;
};

/** Null where nothing was written down: it waits for its hour or for its turn. */
export function reasonOfNext(
  { asleep_until, asleep_why, down_until, waiting_for }: NextWaits,
  now: Date,
): WaitReason | null {
  if (down_until !== null && down_until > now) return 'transport_down';
  const why = asleep_until !== null && asleep_until > now ? asleep_why : waiting_for;
  return WAIT_REASONS.find((each) => each === why) ?? null;
}
