// What becomes of a letter by what stopped it or by what the next hop said (domain.md §1.5, §6.3). Values in, values out.
import { MINUTE_MS, after } from '../../../../kernel/clock.ts';
import { nextAttempt } from '../../../../mail/timing/pacing.rules.ts';
import type { Outcome, SenderTrouble } from '../../../../mail/transport/transport.ts';
import { evidenceOf, holdFor, type IdentityTrouble } from '../../identities/trouble/trouble.rules.ts';
import type { GateName } from '../gates/gates.rules.ts';
import type { HoldReason, WaitReason } from '../letter/reasons.rules.ts';
import type { Stop } from '../gates/stop.rules.ts';

/** Who writes down what no person did. */
export const SENDER = { kind: 'system', id: 'letters', name: 'the sender' } as const;

/** What is learned about the way out of the identity, for all of its letters. */
export type BackoffChange =
  | { kind: 'asleep'; until: Date; why: WaitReason }
  | { kind: 'down'; until: Date; failures: number; breaks: number; cause: string }
  /** The connection broke off over a letter: its own trouble first. */
  | { kind: 'broke'; breaks: number }
  /** The mail server or its certificate lets nothing of it out: the identity is held. */
  | { kind: 'refused'; trouble: IdentityTrouble }
  | { kind: 'open' };

export type Settlement = { backoff: BackoffChange | null } & (
  | { to: 'sent'; reference: string | null; server_message_id: string | null }
  | { to: 'waiting'; why: WaitReason; until: Date; evidence: Record<string, unknown>; counts: boolean }
  /** `refused`: over this very letter, of which nothing was refused before. */
  | { to: 'held'; reason: HoldReason; evidence: Record<string, unknown>; refused?: true }
  | { to: 'cancelled'; reason: string }
  | {
      to: 'failed';
      reason: string;
      delivery: Failed | null;
      /** The one of its addresses that was refused, where it was one. */
      recipient: string | null;
      evidence: Record<string, unknown>;
    }
  | { to: 'uncertain' }
  /** Given back as it was before it was taken: it is due at once. */
  | { to: 'due' }
  /** A vendor may have it; it is asked again with the same key, not before this. */
  | { to: 'asked_again'; at: Date }
);

type Failed = 'hard' | 'soft' | 'policy';

/** Gates that say the same of every letter of the identity until then. */
const OF_THE_BACKOFF: readonly GateName[] = ['identity', 'domain', 'transport'];

export function ruleStop({ gate, stop }: { gate: GateName; stop: Stop }): Settlement {
  if ('cancel' in stop) return { to: 'cancelled', reason: stop.cancel, backoff: null };
  const evidence = stop.evidence ?? {};
  if ('hold' in stop) return { to: 'held', reason: stop.hold, evidence, backoff: null };
  const { defer: why, until } = stop;
  // The gap is in the identity's next slot, and a retry is one letter's own.
  const isBackoff =
    OF_THE_BACKOFF.includes(gate) && !['min_gap', 'greylisted', 'retry', 'broke_off'].includes(why);
  const backoff: BackoffChange | null = isBackoff ? { kind: 'asleep', until, why } : null;
  return { to: 'waiting', why, until, evidence, counts: false, backoff };
}

export type Tried = {
  attempts: number;
  first_attempt_at: Date | null;
  /** How often in a row the identity's mail server could not be reached. */
  failures: number;
  /** How many letters in a row broke off midway at their first attempt. */
  breaks: number;
  /** Whether the next hop knows the letter by a key, so that it can be asked again. */
  knows_keys: boolean;
  /** The end of the letter was allowed. */
  started: boolean;
  /** Its identity was held over it as it is now, and someone has fixed that since. */
  refused: boolean;
};

export function ruleOutcome(outcome: Outcome, tried: Tried, now: Date): Settlement {
  const open: BackoffChange | null = tried.failures + tried.breaks > 0 ? { kind: 'open' } : null;
  switch (outcome.outcome) {
    case 'accepted':
      return {
        to: 'sent',
        reference: outcome.reference,
        server_message_id: outcome.server_message_id,
        backoff: open,
      };
    case 'deferred': {
      const { stage, code, enhanced, cause, greylisted, said } = outcome;
      // Who puts off the connection itself says nothing about this letter.
      if (stage === 'connect' || stage === 'auth') return down(tried, now);
      const evidence = { stage, code, enhanced, cause, server_said: said };
      const first = tried.first_attempt_at ?? now;
      const until = nextAttempt(first, now, tried.attempts + 1);
      if (until === null)
        return {
          to: 'failed',
          reason: 'deferred_too_long',
          delivery: 'soft',
          recipient: null,
          evidence,
          backoff: open,
        };
      const why = greylisted && tried.attempts === 0 ? 'greylisted' : 'retry';
      return { to: 'waiting', why, until, evidence, counts: true, backoff: open };
    }
    case 'refused': {
      const { stage, code, enhanced, cause, kind, said, recipient } = outcome;
      const evidence = { stage, code, enhanced, cause, server_said: said };
      if (outcome.about === 'sender') {
        const mayBeLetters = stage !== 'mail' && OF_A_LETTER.includes(outcome.trouble);
        if (tried.refused && mayBeLetters)
          return {
            to: 'failed',
            reason: 'policy',
            delivery: 'policy',
            recipient: null,
            evidence,
            backoff: open,
          };
        const trouble = { kind: outcome.trouble, code, enhanced, words: said, expired_at: null };
        return { ...heldFor(trouble, now), ...(mayBeLetters && { refused: true }) };
      }
      return { to: 'failed', reason: kind, delivery: kind, recipient, evidence, backoff: open };
    }
    case 'auth_refused':
      return heldFor(
        {
          kind: 'credentials',
          code: outcome.code,
          enhanced: outcome.enhanced,
          words: outcome.said,
          expired_at: null,
        },
        now,
      );
    case 'address_unsupported':
      return { to: 'held', reason: 'address_unsupported', evidence: {}, backoff: open };
    case 'unreachable':
      if (tried.knows_keys && tried.started)
        return { to: 'asked_again', at: backOff(tried.failures + 1, now), backoff: null };
      return outcome.midway ? brokeOff(tried, now, outcome.why) : down(tried, now, outcome.why);
    case 'insecure':
      return heldFor(
        { kind: outcome.fault, code: null, enhanced: null, words: null, expired_at: outcome.expired_at },
        now,
      );
    case 'not_sent':
      return { to: 'due', backoff: null };
    case 'uncertain':
      return tried.knows_keys
        ? { to: 'asked_again', at: backOff(1, now), backoff: null }
        : { to: 'uncertain', backoff: open };
  }
}

/**
 * Without a word of the sender's address or of a quota, what is said once the recipient or the text is known may be about those.
 * Said twice over one letter, while the identity was fixed in between, it is: that letter fails, and the others go on.
 */
const OF_A_LETTER: readonly SenderTrouble[] = ['relay_refused', 'refused'];

/** The letter is held with its identity: it is about neither the recipient nor the letter. */
export const heldFor = (trouble: IdentityTrouble, now: Date): Extract<Settlement, { to: 'held' }> => ({
  to: 'held',
  reason: holdFor(trouble.kind),
  evidence: evidenceOf(trouble, now),
  backoff: { kind: 'refused', trouble },
});

function down(tried: Tried, now: Date, cause = 'deferred'): Settlement {
  const failures = tried.failures + 1;
  const until = backOff(failures, now);
  return {
    to: 'waiting',
    why: 'transport_down',
    until,
    evidence: { cause },
    counts: false,
    backoff: { kind: 'down', until, failures, breaks: tried.breaks, cause },
  };
}

/** A letter that is too large for the way, or that a filter cuts, breaks off again and again; so many different ones are no chance. */
const BREAKS_OF_A_SERVER = 3;

/** The connection was and broke off over this letter: it waits automatically, and the others go on. */
function brokeOff(tried: Tried, now: Date, cause: string): Settlement {
  const breaks = tried.breaks + (tried.attempts === 0 ? 1 : 0);
  if (breaks >= BREAKS_OF_A_SERVER) return down({ ...tried, breaks }, now, cause);
  const evidence = { cause };
  // No one asked to be left alone for a while: it is tried again as soon as a server that was down.
  const until = backOff(tried.attempts + 1, now);
  const isOver = nextAttempt(tried.first_attempt_at ?? now, now, tried.attempts + 1) === null;
  const backoff: BackoffChange = { kind: 'broke', breaks };
  return isOver
    ? { to: 'failed', reason: 'broke_off', delivery: 'soft', recipient: null, evidence, backoff }
    : { to: 'waiting', why: 'broke_off', until, evidence, counts: true, backoff };
}

/** Minutes until a mail server that cannot be reached is called again, after the first, second … time. */
const BACK_OFF_MIN = [1, 2, 5, 10, 20, 30];
const backOff = (failures: number, now: Date): Date =>
  after(now, (BACK_OFF_MIN[Math.min(failures, BACK_OFF_MIN.length) - 1] ?? 30) * MINUTE_MS);
