// What becomes of a delivery after an attempt, pure (interface specification §3).
//
//   pending ── 2xx ──────────────────────────▶ delivered
//   pending ── failure 1, 2, 3 ──▶ pending, due after 1, 5, 30 minutes
//   pending ── failure 4 ────────────────────▶ failed
//   pending ── no address, or delivery off ──▶ skipped
//   failed, skipped ── sent again ──▶ pending, the ladder from its foot
import { MINUTE_MS, SECOND_MS, after } from '../../../kernel/clock.ts';
import type { DeliveryState } from './deliveries.contract.ts';

/** Waits after the first, second and third failure; the fourth ends it. */
const LADDER_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS] as const;

/** Later than the rung by up to this, never earlier, so that a batch that failed together does not come back as one. */
const JITTER_MS = 2 * SECOND_MS;

export type Attempt =
  | { kind: 'skipped' }
  | { kind: 'delivered'; status: number }
  /** `error` is a class of ours, `[a-z0-9_ ]{1,40}`. */
  | { kind: 'failed'; status: number | null; error: string };

/** A row as an attempt leaves it. */
export type SettledAttempt = {
  state: DeliveryState;
  attempts: number;
  next_attempt_at: Date | null;
  last_status: number | null;
  last_error: string | null;
  delivered_at: Date | null;
};

/** `spent` are the failures before this attempt; `chance` is drawn from [0, 1). */
export function ruleAttempt(spent: number, attempt: Attempt, now: Date, chance: number): SettledAttempt {
  const ended = { next_attempt_at: null, delivered_at: null };
  if (attempt.kind === 'skipped')
    return { ...ended, state: 'skipped', attempts: spent, last_status: null, last_error: null };
  const attempts = spent + 1;
  if (attempt.kind === 'delivered')
    return {
      state: 'delivered',
      attempts,
      next_attempt_at: null,
      last_status: attempt.status,
      last_error: null,
      delivered_at: now,
    };
  const seen = { attempts, last_status: attempt.status, last_error: attempt.error };
  const rung = LADDER_MS[spent];
  if (rung === undefined) return { ...ended, ...seen, state: 'failed' };
  const next_attempt_at = after(now, rung + Math.floor(chance * JITTER_MS));
  return { ...seen, state: 'pending', next_attempt_at, delivered_at: null };
}

/** What a post came back with as an attempt: only a 2xx that was read to its end is a success. */
export function attemptOf(answer: { status: number | null; error: string | null }): Attempt {
  const { status, error } = answer;
  if (error === null && status !== null && status >= 200 && status < 300)
    return { kind: 'delivered', status };
  return { kind: 'failed', status, error: error ?? 'status' };
}
