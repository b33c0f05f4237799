// Performs what a person approved: one act, or a plan step by step, through `invoke` as the person who decided, each act once.
// An act’s answer is kept in its own transaction, so an interrupted plan continues where it stopped.
import { type Bound, type ReadContext, rehearsalOf } from '../../../kernel/context.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { freshRequest, invoke } from '../../../kernel/invoke.ts';
import { conflict, Refusal, stop } from '../../../kernel/refusal.ts';
import { type Acts, actsIn, type Named, ofStep, rehearsed } from './named.ts';
import type { Binding, PeopleOf } from './binding.ts';
import { refusedAsChanged } from './bound.rules.ts';
import { moveProposal, type Proposal } from './proposals.store.ts';
import { filled } from './rules.ts';
import { differences } from './words.rules.ts';

const OUTCOME_MAX_CHARS = 4_000;

export const unknownEnd = (operation: string): Refusal =>
  conflict(
    `${operation} was started once and may or may not have finished: check the result, then reject this so that it isn’t done twice`,
  );

export const expired = (operation: string): Refusal =>
  conflict(`this proposal of ${operation} has expired: have it proposed again`);

/** Whether what was cut off can go on: no secret was drawn, and no stranger was asked. */
function resumes(bound: Bound | undefined): boolean {
  if (!bound || !('json' in bound.operation.answers) || bound.operation.answers.shows_secret) return false;
  const rehearsal = rehearsalOf(bound);
  return rehearsal === null || 'says' in rehearsal;
}

/** Gives what the decider is answered, once; throws a Refusal where it was not done, or not all of it. */
export async function performed(
  binding: Binding,
  context: ReadContext,
  proposal: Proposal,
): Promise<Record<string, unknown> | null> {
  const { app, caller, db } = context;
  const { id, operation: key } = proposal;
  // It was done, and only the decision was not kept.
  if (proposal.state === 'done') return null;
  const acts = actsIn({ app }, proposal);
  const { database, clock } = app;
  const people_of: PeopleOf = new Map();
  const demandSame = async (on: Reader | Transaction, hold: boolean): Promise<void> => {
    const marks = await binding.again(on, caller, proposal.bound ?? [], hold, clock.now(), people_of);
    stop(refusedAsChanged(proposal.bound, marks));
  };
  if (proposal.expires_at !== null && proposal.expires_at <= clock.now()) throw expired(key);
  const begun = proposal.state === 'performing';
  if (begun)
    stop(acts.acts.every(({ operation }) => resumes(app.bound.get(operation.name))) ? null : unknownEnd(key));
  else {
    await demandSame(db, false);
    const moved = await database.transact((tx) => moveProposal(tx, id, 'waiting', 'performing'));
    if (!moved) throw unknownEnd(key);
  }
  const performing = { context, proposal, acts, people_of, first: (tx: Transaction) => demandSame(tx, true) };
  const answers: unknown[] = [];
  try {
    for (const [at, act] of acts.acts.entries()) answers.push(await step(performing, at, act, answers));
  } catch (error) {
    const done = acts.plan ? answers.length : 0;
    // A refusal leaves nothing of its own act; of anything else no one knows what it left.
    if (error instanceof Refusal) {
      const to = done > 0 ? 'performing' : 'waiting';
      await database.transact((tx) => moveProposal(tx, id, 'performing', to, { steps_done: done }));
    }
    throw acts.plan ? stoppedAt(done, acts.acts.length, error) : error;
  }
  const answer = acts.plan ? { steps: answers } : (answers[0] as Record<string, unknown>);
  const secret = acts.acts.some(({ operation: { answers: gives } }) => 'json' in gives && gives.shows_secret);
  const outcome = secret ? null : JSON.stringify(answer).slice(0, OUTCOME_MAX_CHARS).toWellFormed();
  await database.transact((tx) =>
    moveProposal(tx, id, 'performing', 'done', {
      outcome,
      settled_at: clock.now(),
      steps_done: acts.plan ? answers.length : 0,
    }),
  );
  return answer;
}

type Performing = {
  context: ReadContext;
  proposal: Proposal;
  acts: Acts;
  people_of: PeopleOf;
  first: (tx: Transaction) => Promise<void>;
};

async function step(
  { context, proposal, acts, people_of, first }: Performing,
  at: number,
  { operation, arguments: given }: Named,
  answers: readonly unknown[],
): Promise<unknown> {
  const { app, caller, request } = context;
  const args = filled(given, answers, at);
  if (acts.plan && at >= proposal.steps_done)
    await demandEffect(context, proposal, at, { operation, arguments: args });
  const facts = freshRequest({
    address: request.address,
    user_agent: request.user_agent,
    kept_under: { owner: `proposal:${proposal.id}`, key: `step.${at}` },
    people_of,
    // Once more where nothing it names can change any more; later steps find what those before them did.
    ...(at === 0 && { first }),
  });
  const { answer } = await invoke(app, operation, caller, () => args, facts);
  return answer;
}

/** A step does what was rehearsed when the plan was proposed, or the plan stops before it. */
async function demandEffect(
  context: ReadContext,
  { rehearsal }: Proposal,
  at: number,
  act: { operation: Named['operation']; arguments: unknown },
): Promise<void> {
  const before = rehearsal?.steps?.[at];
  if (!before?.would) return;
  const named = { operation: act.operation, arguments: act.arguments as Record<string, unknown> };
  const [differs] = differences(
    before,
    await rehearsed(context, context.caller, { plan: false, acts: [named] }),
  );
  if (differs !== undefined) throw conflict(`its effect changed since it was proposed (${differs})`);
}

function stoppedAt(at: number, all: number, error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const { status, code, sentence } = ofStep(at, error) as Refusal;
  const done = at === 0 ? 'nothing was done' : `${at} of ${all} steps were performed`;
  return new Refusal(status, code, `${sentence}; ${done}`);
}
