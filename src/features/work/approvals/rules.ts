// Who may decide an approval, as pure rules. The same sentence refuses a decision and is shown on the disabled button.
import { type Caller, isPerson } from '../../../kernel/caller.ts';
import { SECOND_MS, shortTime } from '../../../kernel/clock.ts';
import { Refusal, changedSince, conflict, invalid } from '../../../kernel/refusal.ts';
import { AGENT_DOES_NOT_DECIDE } from '../../../kernel/sentences.ts';
import { APPROVAL } from './approval-states.rules.ts';
import type { Approval, DECISIONS } from './contract.ts';

export const DECIDED_AT_ONCE_MAX = 200;

export type Decision = (typeof DECISIONS)[number];

/** Who would decide: a person in a session or with a token of their own, or someone who never does. */
export type Decider = { id: string; person: boolean; on_screen: boolean };

export const deciderOf = (caller: Caller): Decider => ({
  id: caller.principal.id,
  person: isPerson(caller),
  on_screen: caller.credential.kind === 'session',
});

/** What an approval is to the rules: anything that has these of it. */
export type Waiting = Pick<Approval, 'state' | 'author' | 'decided_by' | 'decided_at'> & {
  subject: Pick<Approval['subject'], 'key' | 'revision'>;
};

export const DECIDE_ON_SCREEN =
  'on this instance approvals can only be decided on screen: sign in and decide there';
export const YOU_WROTE_THIS = 'you wrote this item: somebody else decides it';

/** Why this caller may not decide it now, or null. */
export function refusedToDecide(
  approval: Waiting,
  by: Decider,
  settings: { decide_on_screen_only: boolean },
): Refusal | null {
  if (!by.person) return new Refusal(403, 'agent_turn', AGENT_DOES_NOT_DECIDE);
  if (settings.decide_on_screen_only && !by.on_screen)
    return new Refusal(403, 'session_only', DECIDE_ON_SCREEN);
  const waits: readonly Approval['state'][] = APPROVAL.acts.approve.from;
  if (!waits.includes(approval.state)) return conflict(alreadySentence(approval));
  if (approval.author.kind === 'person' && approval.author.id === by.id)
    return new Refusal(403, 'people_only', YOU_WROTE_THIS);
  return null;
}

/** For so long the decider of an approval can undo it. */
export const UNDO_MS = 10 * SECOND_MS;

/** Why this caller may not undo it now, or null. */
export function refusedToUndo(
  approval: Waiting,
  by: Decider,
  settings: { decide_on_screen_only: boolean },
  now: Date,
): Refusal | null {
  const refusal = refusedToDecide({ ...approval, state: 'pending' }, by, settings);
  if (refusal) return refusal;
  const { state, decided_by, decided_at, subject } = approval;
  if (state !== 'approved' || decided_at === null || decided_by?.id !== by.id)
    return conflict('you can only undo an approval of your own');
  if (now.getTime() > Date.parse(decided_at) + UNDO_MS)
    return conflict(`the 10 seconds to undo this approval are over: move ${subject.key} back on the board`);
  return null;
}

function alreadySentence({ state, subject, decided_by, decided_at }: Waiting): string {
  const at = decided_at === null ? null : new Date(decided_at);
  const when = at ? ` on ${at.toISOString().slice(0, 10)} at ${shortTime(at)}` : '';
  const who = `${decided_by?.name ?? 'somebody'}${when}`;
  if (state === 'withdrawn')
    return `this approval was withdrawn by ${who}: ${subject.key} is no longer in review`;
  if (state === 'superseded')
    return `this approval was superseded by ${who}: ${subject.key} changed, and the new version has its own approval`;
  return `this approval was already decided: ${state} by ${who}`;
}

/** What a decision must carry: the revision that was shown, and a reason where it is no. */
export function refusedDecision(
  approval: Waiting,
  asked: { decision: Decision; note?: string | undefined; revision: number },
): Refusal | null {
  if (asked.decision !== 'approve' && asked.note === undefined) {
    const says = `note: say why you ${asked.decision} this; your note becomes a comment on ${approval.subject.key}`;
    return invalid(says, { note: says });
  }
  const { key, revision } = approval.subject;
  if (asked.revision === revision) return null;
  return changedSince(`item ${key}`, revision);
}
