// The states of a letter and every way from one to another (domain.md §1.5), pure:
//
//   drafted ─ policy ─▶ review ─ approve ─▶ scheduled ─ start ─▶ sending ─▶ sent
//      ▲                  │                  ▲   │ ▲                ├──▶ failed
//      └───── return ─────┘        release ──┘   ▼ └── put off ─────┤
//                                              held                 └──▶ uncertain ─▶ sent, or scheduled again
//
// Every state before sending leads to cancelled. sent and cancelled lead nowhere; a failed letter goes again where a person
// says so. An approval is for one fingerprint: whatever changes the letter voids it, and nothing but an approval makes one.
import type { Principal } from '../../../../kernel/caller.ts';
import { conflict, type Refusal } from '../../../../kernel/refusal.ts';
import { from } from './from.rules.ts';
import type { HoldReason, WaitReason } from './reasons.rules.ts';

export const KINDS = ['sequence', 'answer', 'one_off'] as const;
export const STATES = [
  'drafted',
  'review',
  'scheduled',
  'sending',
  'sent',
  'held',
  'cancelled',
  'failed',
  'uncertain',
] as const;
export type SendState = (typeof STATES)[number];

/** Before a letter starts it can be changed, kept back and called off. */
export const UNSTARTED = ['drafted', 'review', 'scheduled', 'held'] as const satisfies SendState[];
export const isUnstarted = (state: SendState): boolean => (UNSTARTED as readonly string[]).includes(state);

/** Why somebody is to read a letter before it goes. */
export const REVIEW_REASONS = [
  'every_letter',
  'first_touch',
  'changed',
  'sample',
  'unconfirmed',
  'sequence_changed',
  'base_url_changed',
  'edited',
  'rewritten',
  'one_off',
] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

export type Approval = {
  by: Principal;
  /** The token that carried it; null: a session. */
  token: string | null;
  at: Date;
  fingerprint: string;
};

/** What of a letter its state machine moves; everything else is what it says. */
export type Letter = {
  state: SendState;
  fingerprint: string;
  review_reason: ReviewReason | null;
  approval: Approval | null;
  note: string | null;
  scheduled_for: Date | null;
  not_before: Date | null;
  waiting_for: WaitReason | null;
  hold: { reason: HoldReason; evidence: Record<string, unknown>; at: Date } | null;
  /** Reasons that the world was told since it was last not held. */
  hold_told: readonly HoldReason[];
  recheck_at: Date | null;
  cancel_reason: string | null;
  failed_reason: string | null;
  delivery: string | null;
  sending_at: Date | null;
  sent_at: Date | null;
};

export type Act =
  /** What the policy made of a draft. */
  | { kind: 'queue'; review_reason: ReviewReason | null }
  | { kind: 'approve'; by: Principal; token: string | null; fingerprint: string }
  | { kind: 'return'; note: string }
  | { kind: 'reject'; note?: string | null }
  /** It says something else now; null: nobody has to read it. */
  | { kind: 'change'; fingerprint: string; review_reason: ReviewReason | null }
  | { kind: 'wait'; why: WaitReason; until: Date }
  | { kind: 'hold'; reason: HoldReason; evidence: Record<string, unknown>; recheck_at: Date | null }
  /** Nothing holds it any more; it may still wait. */
  | { kind: 'release'; wait: { why: WaitReason; until: Date } | null }
  | { kind: 'cancel'; reason: string; note?: string | null }
  | { kind: 'start' }
  | { kind: 'accepted' }
  | { kind: 'put_off'; why: WaitReason; until: Date }
  | { kind: 'failed'; reason: string; delivery: 'hard' | 'policy' | 'soft' | null }
  | { kind: 'lost' }
  /** It failed, and somebody has it sent again. */
  | { kind: 'again' }
  | { kind: 'resolve'; outcome: 'sent' | 'not_sent' };

export const RESOLVED_AT_ONCE_MAX = 200;
export const FINGERPRINT_CHANGED =
  'this letter says something else than when you read it: read it again, and approve it with its present fingerprint';

/** Reasons to hold that an approval takes away. */
export const APPROVAL_LIFTS: readonly HoldReason[] = [
  'approval_stale',
  'review_confirmation_stale',
  'address_changed',
];

/** The letter after the act, or the sentence that refuses it. */
export function ruleSend(letter: Letter, act: Act, now: Date): Letter | Refusal {
  switch (act.kind) {
    case 'queue':
      return from(letter, ['drafted'], act) ?? queued(letter, act.review_reason, now);
    case 'approve':
      return ruleApproval(letter, act, now);
    case 'return':
      return from(letter, ['review'], act) ?? { ...letter, state: 'drafted', note: act.note, ...UNAPPROVED };
    case 'reject':
      return from(letter, ['review'], act) ?? cancelled(letter, 'rejected', act.note);
    case 'change':
      return from(letter, UNSTARTED, act) ?? changed(letter, act, now);
    case 'wait':
    case 'put_off':
      return (
        from(letter, [act.kind === 'wait' ? 'scheduled' : 'sending'], act) ?? {
          ...letter,
          state: 'scheduled',
          not_before: act.until,
          waiting_for: act.why,
        }
      );
    case 'hold':
      return from(letter, ['review', 'scheduled', 'held'], act) ?? held(letter, act, now);
    case 'release':
      return from(letter, ['held'], act) ?? released(letter, act.wait, now);
    case 'cancel':
      return from(letter, UNSTARTED, act) ?? cancelled(letter, act.reason, act.note);
    case 'start':
      return from(letter, ['scheduled'], act) ?? { ...letter, ...GOING, state: 'sending', sending_at: now };
    case 'accepted':
      return (
        from(letter, ['sending'], act) ?? { ...letter, state: 'sent', sent_at: now, delivery: 'accepted' }
      );
    case 'failed':
      return (
        from(letter, ['sending'], act) ?? {
          ...letter,
          state: 'failed',
          failed_reason: act.reason,
          delivery: act.delivery,
        }
      );
    case 'lost':
      return from(letter, ['sending'], act) ?? { ...letter, state: 'uncertain' };
    case 'again':
      return from(letter, ['failed'], act) ?? again(letter, now);
    case 'resolve':
      return from(letter, ['uncertain'], act) ?? resolved(letter, act.outcome, now);
  }
}

const UNAPPROVED = { approval: null } as const;
const GOING = { not_before: null, waiting_for: null } as const;
const UNHELD = { hold: null, hold_told: [], recheck_at: null } as const;

function queued(letter: Letter, review_reason: ReviewReason | null, now: Date): Letter {
  return { ...letter, review_reason, ...standing(letter, review_reason, now) };
}

/** Where a letter stands that nothing holds: with its reader, or on its way. */
const standing = (letter: Letter, review_reason: ReviewReason | null, now: Date) =>
  review_reason !== null && letter.approval === null
    ? { state: 'review' as const }
    : { state: 'scheduled' as const, scheduled_for: letter.scheduled_for ?? now };

function ruleApproval(
  letter: Letter,
  { by, token, fingerprint }: Extract<Act, { kind: 'approve' }>,
  now: Date,
): Letter | Refusal {
  const lifts = letter.hold !== null && APPROVAL_LIFTS.includes(letter.hold.reason);
  if (letter.state === 'scheduled' && letter.approval && letter.approval.fingerprint === fingerprint)
    return conflict(
      `this letter was approved already, by ${letter.approval.by.name}: it goes when it is due`,
    );
  if (!lifts) {
    const refused = from(letter, ['review'], { kind: 'approve' });
    if (refused) return refused;
  }
  if (letter.fingerprint !== fingerprint)
    return conflict(FINGERPRINT_CHANGED, { fingerprint: letter.fingerprint });
  return {
    ...letter,
    ...UNHELD,
    ...GOING,
    state: 'scheduled',
    note: null,
    scheduled_for: letter.scheduled_for ?? now,
    approval: { by, token, at: now, fingerprint },
  };
}

function changed(
  letter: Letter,
  { fingerprint, review_reason }: Extract<Act, { kind: 'change' }>,
  now: Date,
): Letter {
  const next = { ...letter, ...UNAPPROVED, fingerprint, review_reason };
  // What somebody keeps back by hand stays back, whatever it says.
  if (letter.hold?.reason === 'letter_on_hold') return next;
  // Other words do not make an address right: its gate is asked again.
  if (letter.hold?.reason === 'address_changed' || letter.hold?.reason === 'suppressed')
    return { ...next, recheck_at: now };
  return { ...next, ...UNHELD, ...GOING, ...standing(next, review_reason, now) };
}

function held(
  letter: Letter,
  { reason, evidence, recheck_at }: Extract<Act, { kind: 'hold' }>,
  now: Date,
): Letter {
  const since = letter.hold?.reason === reason ? letter.hold.at : now;
  return {
    ...letter,
    ...GOING,
    state: 'held',
    hold: { reason, evidence, at: since },
    hold_told: letter.hold_told.includes(reason) ? letter.hold_told : [...letter.hold_told, reason],
    recheck_at,
  };
}

function released(letter: Letter, wait: { why: WaitReason; until: Date } | null, now: Date): Letter {
  const next = { ...letter, ...UNHELD, ...GOING, ...standing(letter, letter.review_reason, now) };
  return next.state === 'scheduled' && wait
    ? { ...next, not_before: wait.until, waiting_for: wait.why }
    : next;
}

/** The note that was given with it stays with the letter. */
const cancelled = (letter: Letter, reason: string, note: string | null | undefined): Letter => ({
  ...letter,
  note: note ?? letter.note,
  ...UNHELD,
  ...GOING,
  state: 'cancelled',
  cancel_reason: reason,
});

const resolved = (letter: Letter, outcome: 'sent' | 'not_sent', now: Date): Letter =>
  outcome === 'sent' ? { ...letter, state: 'sent', sent_at: now } : again(letter, now);

/** It is sent again as it was approved, through all of its gates. Whoever was to read it and has not, reads it first. */
const again = (letter: Letter, now: Date): Letter => ({
  ...letter,
  ...GOING,
  failed_reason: null,
  delivery: null,
  ...standing(letter, letter.review_reason, now),
});

/** Whether the world is told of it: a reason to hold, once until it is not held any more. */
export const isNewHold = (before: Letter, after: Letter): boolean =>
  after.hold !== null && !(before.state === 'held' && before.hold_told.includes(after.hold.reason));
