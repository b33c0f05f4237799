// What the next letter of an identity waits for, of what the sender wrote down.
import { OVERDUE_MS } from '../../../outreach/sends/letter/outlook.rules.ts';
import {
  type ReasonText,
  TURNS,
  WAIT_REASONS,
  type WaitReason,
} from '../../../outreach/sends/letter/reasons.rules.ts';

export type NextWaits = {
  asleep_until: Date | null;
  asleep_why: string | null;
  down_until: Date | null;
  waiting_for: string | null;
};

/** Of a letter that is due and waits for nothing that was written down: where it is with the sender. */
export function turnOfNext(
  { due_at, busy }: { due_at: Date | null; busy: boolean },
  now: Date,
): ReasonText | null {
  if (due_at === null || now.getTime() - due_at.getTime() <= OVERDUE_MS) return null;
  return busy ? TURNS.in_line : TURNS.soon;
}

/** Null where nothing was written down: it waits for its hour or for its turn. */
export function reasonOfNext(
  { asleep_until, asleep_why, down_until, waiting_for }: NextWaits,
  now: Date,
): WaitReason | null {
  if (down_until !== null && down_until > now) return 'transport_down';
  const why = asleep_until !== null && asleep_until > now ? asleep_why : waiting_for;
  return WAIT_REASONS.find((each) => each === why) ?? null;
}
