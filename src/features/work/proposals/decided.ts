// Carries out a decision on a proposed act. Approving performs the act as the decider, with all of their permissions
// and gates, before the decision is saved: an act that they may not perform is not approved.
import type { Caller } from '../../../kernel/caller.ts';
import type { Reader } from '../../../kernel/database.ts';
import type { App } from '../../../kernel/app.ts';
import { couldAllow } from '../../../kernel/policy.ts';
import { needsAction } from '../../../kernel/operation.ts';
import { conflict, Refusal, stop } from '../../../kernel/refusal.ts';
import { seenOf } from '../../../kernel/seen.ts';
import type { Approval } from '../approvals/contract.ts';
import type { Subject } from '../approvals/subject.ts';
import type { Binding } from './binding.ts';
import { type Mark, refusedAsChanged } from './bound.rules.ts';
import { performed, unknownEnd } from './perform.ts';
import { lockProposal, moveProposal, proposalById, shownProposals, type Step } from './proposals.store.ts';
import { PLAN } from './rules.ts';
import { titlesFor } from './things.ts';
import { effectInWords } from './words.rules.ts';

type Act = NonNullable<Approval['act']>;

/** For whoever looks, before they decide. */
async function changedSince(
  binding: Binding,
  db: Reader,
  caller: Caller,
  bound: Mark[] | null,
  now: Date,
): Promise<string | null> {
  try {
    return (
      refusedAsChanged(bound, await binding.again(db, caller, bound ?? [], false, now))?.sentence ?? null
    );
  } catch (error) {
    if (error instanceof Refusal) return error.sentence;
    throw error;
  }
}

const saysOf = ({ bound }: App, operation: string): string =>
  operation === PLAN ? 'Performs these steps in order.' : (bound.get(operation)?.operation.says ?? '');

/** Of both kinds: what a chat proposed, and what anyone else did. */
export const proposalSubjects = (binding: Binding): Subject[] =>
  (['proposal', 'chat_action'] as const).map((kind) => subjectOf(binding, kind));

const subjectOf = (binding: Binding, kind: 'proposal' | 'chat_action'): Subject => ({
  kind,
  async holdStill(tx, id) {
    await lockProposal(tx, id);
  },
  /** Whoever could not do it themselves has no business with it, and may not read its arguments. */
  keys({ app, caller }) {
    const may = [...app.bound.values()].filter(({ operation }) => {
      const action = needsAction(operation);
      return action !== null && couldAllow(caller.rights, action);
    });
    // Of a plan, whoever decides is asked at each of its steps.
    return [...may.map(({ operation }) => operation.name), PLAN];
  },
  async acts({ db, app, caller }, ids, whole) {
    const acts = new Map<string, Act>();
    for (const row of await shownProposals(db, ids)) {
      const { id, operation, things, bound, state, steps, rehearsal } = row;
      const all = steps === null ? null : (row.shown['steps'] as Step[]);
      // A plan of which the reader could not do a step shows them none of that step's arguments.
      const may = (act: string): boolean => {
        const needed = app.bound.get(act);
        const action = needed && needsAction(needed.operation);
        return typeof action === 'string' && couldAllow(caller.rights, action);
      };
      const act = {
        operation,
        says: saysOf(app, operation),
        arguments: all === null ? row.shown : {},
        things: titlesFor(caller.rights, things),
        steps:
          all?.map((step) => ({
            act: step.act,
            says: saysOf(app, step.act),
            arguments: may(step.act) ? step.arguments : {},
          })) ?? null,
        proposal_id: id,
        origin: row.origin,
        why: row.why || null,
        expires_at: row.expires_at?.toISOString() ?? null,
        effect: rehearsal === null ? null : effectInWords(rehearsal.changes) || null,
        rehearsal: whole ? rehearsal : null,
        supersedes: row.supersedes,
      };
      const letters =
        whole && all === null ? await binding.letters({ app, db, caller }, operation, row.shown) : null;
      const changed =
        whole && state === 'waiting' ? await changedSince(binding, db, caller, bound, app.clock.now()) : null;
      const seen = whole ? seenOf(id, act, letters, changed) : null;
      acts.set(id, { ...act, letters, changed, seen });
    }
    return acts;
  },
  async before(context, approval) {
    const proposal = await proposalById(context.db, approval.subject.id);
    if (!proposal)
      throw conflict(`${approval.subject.key} no longer exists on this instance: reject this proposal`);
    return performed(binding, context, proposal);
  },
  async settle({ db, now, tell }, approval, decision) {
    const { id, key } = approval.subject;
    const state = await lockProposal(db, id);
    const to = decision === 'return' ? 'returned' : 'rejected';
    if (decision === 'approve') stop(state === 'done' ? null : unknownEnd(key));
    else if (state === 'waiting' || state === 'performing')
      await moveProposal(db, id, state, to, { settled_at: now });
    else
      throw conflict(
        `${key} is already done, so it can’t be rejected: approve it instead, which does nothing more`,
      );
    const proposal = await proposalById(db, id);
    if (proposal?.thread_id) binding.toldIn({ tell }, proposal.thread_id);
  },
});
