// What a run does next: the act that its current step results in. Where acts lead is in run-states.rules.ts. Pure.
import { allows } from '../../../../kernel/machine.ts';
import { RUN, type RunAct, STEP, type StepAct } from './run-states.rules.ts';

export const RUN_STATES = [
  'queued',
  'running',
  'waiting',
  'succeeded',
  'failed',
  'cancelled',
  'stalled',
] as const;
export type RunState = (typeof RUN_STATES)[number];
export type StepState = 'running' | 'waiting' | 'succeeded' | 'failed' | 'stalled' | 'cancelled';
export const HOLDS = ['wire_required', 'scripts_required', 'changed', 'budget'] as const;
/** A scope is missing, what the wire was given to by name is another since, or the workflow used up its budget. */
export type Hold = (typeof HOLDS)[number];

/** What a step came to. `next`: where its own kind leads on, in place of where the definition does. */
export type Outcome =
  | { came: 'done'; output: unknown; next?: string | null }
  /** `due_at` null: until someone decides. `why`: what is busy. */
  | { came: 'waits'; due_at: Date | null; waits: Record<string, unknown>; why?: string }
  | { came: 'held'; held: Hold; sentence: string }
  | { came: 'failed'; sentence: string };

export type At = { at_step: string | null; seq: number };
type Leads = { next: string | null; on_error: string | null };

/** What the run and its step do by it; the tables say to which states that leads. */
export type Becomes = At & {
  act: RunAct;
  did: StepAct;
  state: RunState;
  step: StepState;
  /** `now`: at once. */
  due: Date | 'now' | null;
  held: Hold | null;
  error: string | null;
};

const come = (act: RunAct, did: StepAct, rest: At & Partial<Becomes>): Becomes => ({
  due: null,
  held: null,
  error: null,
  ...rest,
  act,
  did,
  state: RUN.acts[act].to,
  step: STEP.acts[did].to,
});

/** A run that went round and round is ended. */
export const MOST_STEPS = 500;
const TOO_MANY = `this run came to ${MOST_STEPS} steps and was stopped: one of its cycles never ends`;

const DID = { done: 'succeed', failed: 'fail', waits: 'wait', held: 'wait' } as const;

/** A running run, at a step that came to something. */
export function becomes({ at_step, seq }: At, leads: Leads, outcome: Outcome, cancelled: boolean): Becomes {
  const here = { at_step, seq };
  const did = DID[outcome.came];
  if (cancelled) return come('stop', did === 'wait' ? 'cancel' : did, here);
  switch (outcome.came) {
    case 'waits':
      return come('wait', did, { ...here, due: outcome.due_at, error: outcome.why ?? null });
    case 'held':
      return come('hold', did, { ...here, held: outcome.held, error: outcome.sentence });
    case 'failed':
      return leads.on_error === null
        ? come('fail', did, { ...here, error: outcome.sentence })
        : goOn(leads.on_error, seq, did);
    case 'done': {
      const next = outcome.next === undefined ? leads.next : outcome.next;
      return next === null ? come('succeed', did, { at_step: null, seq }) : goOn(next, seq, did);
    }
  }
}

function goOn(to: string, seq: number, did: StepAct): Becomes {
  if (seq >= MOST_STEPS) return come('fail', did, { at_step: null, seq, error: TOO_MANY });
  return come('go_on', did, { at_step: to, seq: seq + 1, due: 'now' });
}

/** No act that is asked of a run here reads the clock. */
const ANY_TIME = new Date(0);

/** Why a run cannot be tried again, or null. What a vanished process did is known by its keys, and those are kept for a day. */
export function whyNotRetried(
  run: {
    state: RunState;
    held: Hold | null;
    at_step: string | null;
    version: number;
    active_version: number | null;
  },
  unsure: boolean,
): string | null {
  const { state, held, at_step, version, active_version } = run;
  if (at_step === null && state === 'failed') return 'this run has ended: start the workflow again';
  if (unsure)
    return 'it’s too late to know whether this step happened: check the result, then cancel this run and start the workflow again';
  if (!allows<RunState>(RUN.acts.retry, { state, held }, {}, ANY_TIME))
    return `this run is ${state}: only a failed, stalled or held run can be retried`;
  if (active_version === null)
    return 'the workflow of this run is not active: activate it with POST /api/workflows/:id/activate, then retry this run';
  return active_version === version
    ? null
    : `this run uses version ${version}, but version ${active_version} is active: cancel this run and start the workflow again`;
}

export const whyNotCancelled = (state: RunState): string | null =>
  [RUN.acts.cancel, RUN.acts.cancel_soon].some((edge) => allows<RunState>(edge, { state }, {}, ANY_TIME))
    ? null
    : `this run is already ${state}`;

/** The same for every attempt at a step, so that what was done is found and not done again. */
export const keyOf = (run_id: string, step_id: string, seq: number): string =>
  `run-${run_id}-${step_id}-${seq}`;
