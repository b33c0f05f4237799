// What is done to a letter, and the sentence that refuses it: the states and every way between them are in one table
// (transitions.rules.ts). An approval is for one fingerprint: whatever changes the letter voids it, and nothing but an approval
// makes one.
import type { Principal } from '../../../../kernel/caller.ts';
import { SECOND_MS } from '../../../../kernel/clock.ts';
import { after, allows, type Given } from '../../../../kernel/machine.ts';
import type { PrincipalColumns } from '../../../../kernel/principal-row.ts';
import { conflict, type Refusal } from '../../../../kernel/refusal.ts';
import { refusal } from './from.rules.ts';
import type { HoldReason, WaitReason } from './reasons.rules.ts';
import { APPROVAL_LIFTS, LETTERS, type SendState, UNSTARTED } from './transitions.rules.ts';

export const KINDS = ['sequence', 'answer', 'one_off'] as const;

export const isUnstarted = (state: SendState): boolean => (UNSTARTED as readonly string[]).includes(state);

/** Why someone is to read a letter before it goes. */
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

/** What of a letter its state machine moves; everything else is what it says. */
export type LetterState = PrincipalColumns<'approved_by'> & {
  state: SendState;
  fingerprint: string;
  review_reason: ReviewReason | null;
  approved_at: Date | null;
  approved_fingerprint: string | null;
  /** The token that carried it; null: a session. */
  approved_token: string | null;
  note: string | null;
  scheduled_for: Date | null;
  not_before: Date | null;
  waiting_for: WaitReason | null;
  hold_reason: HoldReason | null;
  hold_evidence: Record<string, unknown> | null;
  held_at: Date | null;
  /** Reasons that the world was told since it was last not held. */
  hold_told: readonly HoldReason[];
  recheck_at: Date | null;
  cancel_reason: string | null;
  failed_reason: string | null;
  delivery: 'accepted' | 'delivered' | 'soft' | 'hard' | 'policy' | 'complaint' | null;
  sending_at: Date | null;
  sent_at: Date | null;
  /** Since when it is another attempt, since a person sent it again. */
  resent_at: Date | null;
};

type Hold = { reason: HoldReason; evidence: Record<string, unknown>; recheck_at: Date | null };

/** The rows of the table, each with what it is given. */
export type Act =
  | { kind: 'queue'; review_reason: ReviewReason | null }
  /** `starts_at`: not before then; null: as it was due. */
  | { kind: 'approve'; by: Principal; token: string | null; fingerprint: string; starts_at?: Date | null }
  | { kind: 'unapprove' }
  | { kind: 'return'; note: string }
  | { kind: 'reject'; note?: string | null }
  /** null: no one has to read it. */
  | { kind: 'change'; fingerprint: string; review_reason: ReviewReason | null }
  | { kind: 'wait'; why: WaitReason; until: Date }
  | ({ kind: 'hold' | 'kept_back' } & Hold)
  | { kind: 'release'; wait: { why: WaitReason; until: Date } | null }
  | { kind: 'cancel'; reason: string; note?: string | null }
  /** `via`: by which account, which the database knows. */
  | { kind: 'start'; via: unknown; until: Date }
  | { kind: 'accepted' }
  /** `tries`: whether it was one. */
  | { kind: 'put_off'; why: WaitReason; until: Date; tries: 0 | 1 }
  | { kind: 'give_back' }
  | { kind: 'failed'; reason: string; delivery: 'hard' | 'policy' | 'soft' | null }
  | { kind: 'called_off'; reason: string }
  | { kind: 'lost' }
  | { kind: 'again' }
  | { kind: 'went' }
  | { kind: 'did_not_go' };

/** What an act tells the table. */
export function givenOf(act: Act): Given {
  if (act.kind === 'release') return { wait_why: act.wait?.why ?? null, wait_until: act.wait?.until ?? null };
  if (act.kind !== 'approve') return act;
  const { kind, id, name, on_behalf_of = null } = act.by;
  return { ...act, by_kind: kind, by_id: id, by_name: name, by_on_behalf_of: on_behalf_of };
}

/** For so long an approval from a screen can be undone, and nothing of the letter starts. */
export const UNDO_MS = 10 * SECOND_MS;

/** When a letter that is approved now starts at the earliest, so that there is time to undo it. */
export const undoableUntil = ({ scheduled_for }: Pick<LetterState, 'scheduled_for'>, now: Date): Date =>
  new Date(Math.max(now.getTime() + UNDO_MS, scheduled_for?.getTime() ?? 0));

export const RESOLVED_AT_ONCE_MAX = 200;
export const FINGERPRINT_CHANGED =
  'this letter changed since you read it: read it again and approve it with its current fingerprint';

/** The letter after the act, or the sentence that refuses it. */
export function ruleSend<L extends LetterState>(letter: L, act: Act, now: Date): L | Refusal {
  const told = givenOf(act);
  return allows(LETTERS.acts[act.kind], letter, told, now)
    ? (after(LETTERS, act.kind, letter, told, now) as L)
    : refusalOf(letter, act);
}

function refusalOf(letter: LetterState, act: Act): Refusal {
  if (act.kind !== 'approve') return refusal(letter, act);
  if (letter.state === 'scheduled' && letter.approved_fingerprint === act.fingerprint)
    return conflict(
      `this letter was already approved by ${letter.approved_by_name}: it will be sent when it is due`,
    );
  const lifts = letter.hold_reason !== null && APPROVAL_LIFTS.includes(letter.hold_reason);
  return letter.state === 'review' || lifts
    ? conflict(FINGERPRINT_CHANGED, { fingerprint: letter.fingerprint })
    : refusal(letter, act);
}

/** Whether the world is told of it: a reason to hold, once until it is not held any more. */
export const isNewHold = (before: LetterState, held: LetterState): boolean =>
  held.hold_reason !== null && !(before.state === 'held' && before.hold_told.includes(held.hold_reason));
