// A proposal as it is returned to callers.
import type { App } from '../../../kernel/app.ts';
import { screenUrl } from '../../../kernel/links.rules.ts';
import type { ProposalState, ShownProposal } from './contract.ts';
import type { Proposal, Step } from './proposals.store.ts';

/** One whose time is over says so, whether or not it was closed yet. */
const stateOf = ({ state, expires_at }: Proposal, now: Date): ProposalState =>
  state === 'waiting' && expires_at !== null && expires_at <= now ? 'expired' : state;

export function shownProposal(
  { instance, clock }: Pick<App, 'instance' | 'clock'>,
  proposal: Proposal,
): ShownProposal {
  const { id, approval_id, operation, shown, steps, why, note, rehearsal, supersedes } = proposal;
  return {
    id,
    approval_id,
    act: operation,
    arguments: steps === null ? shown : {},
    steps: steps === null ? null : (shown['steps'] as Step[]),
    why,
    state: stateOf(proposal, clock.now()),
    steps_done: steps === null ? null : proposal.steps_done,
    expires_at: proposal.expires_at?.toISOString() ?? null,
    sign_at: screenUrl(instance, 'approval', approval_id),
    rehearsal,
    outcome: parsed(proposal.outcome),
    note,
    supersedes,
    created_at: proposal.created_at.toISOString(),
    settled_at: proposal.settled_at?.toISOString() ?? null,
  };
}

/** A long one was cut, and is text. */
function parsed(outcome: string | null): unknown {
  if (outcome === null) return null;
  try {
    return JSON.parse(outcome);
  } catch {
    return outcome;
  }
}
