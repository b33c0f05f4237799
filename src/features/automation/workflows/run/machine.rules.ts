// What a run does next, pure: its state, the step it is at and what came of that. The store writes down what this says.

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
  /** `due_at` null: until somebody decides. `why`: what is busy. */
  | { came: 'waits'; due_at: Date | null; waits: Record<string, unknown>; why?: string }
  | { came: 'held'; held: Hold; sentence: string }
  | { came: 'failed'; sentence: string };

export type At = { at_step: string | null; seq: number };
type Leads = { next: string | null; on_error: string | null };

export type Becomes = At & {
  state: RunState;
  step: StepState;
  /** `now`: at once. */
  due: Date | 'now' | null;
  held: Hold | null;
  error: string | null;
};

/** A run that went round and round is ended. */
export const MOST_STEPS = 500;
const TOO_MANY = `this run came to ${MOST_STEPS} steps and was ended: a cycle in it has no way out`;

/** A running run, at a step that came to something. */
export function becomes({ at_step, seq }: At, leads: Leads, outcome: Outcome, cancelled: boolean): Becomes {
  const here = { at_step, seq, held: null, error: null };
  const step: StepState =
    outcome.came === 'done' ? 'succeeded' : outcome.came === 'failed' ? 'failed' : 'waiting';
  if (cancelled)
    return { ...here, state: 'cancelled', step: step === 'waiting' ? 'cancelled' : step, due: null };
  switch (outcome.came) {
    case 'waits':
      return { ...here, state: 'waiting', step, due: outcome.due_at, error: outcome.why ?? null };
    case 'held':
      return { ...here, state: 'waiting', step, due: null, held: outcome.held, error: outcome.sentence };
    case 'failed':
      return leads.on_error === null
        ? { ...here, state: 'failed', step, due: null, error: outcome.sentence }
        : goOn(leads.on_error, seq, step);
    case 'done': {
      const next = outcome.next === undefined ? leads.next : outcome.next;
      return next === null
        ? { ...here, at_step: null, state: 'succeeded', step, due: null }
        : goOn(next, seq, step);
    }
  }
}

function goOn(to: string, seq: number, step: StepState): Becomes {
  if (seq >= MOST_STEPS)
    return { at_step: null, seq, state: 'failed', step, due: null, held: null, error: TOO_MANY };
  return { at_step: to, seq: seq + 1, state: 'queued', step, due: 'now', held: null, error: null };
}

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
  if (at_step === null && state === 'failed') return 'this run was ended for good: start the workflow anew';
  if (unsure)
    return 'whether this step happened is not known after so long: look for yourself, then cancel this run and start the workflow anew';
  if (state !== 'failed' && state !== 'stalled' && held === null)
    return `this run is ${state}: only one that failed, stalled or is held is tried again`;
  if (active_version === null)
    return 'the workflow of this run is not active: activate it with POST /api/workflows/:id/activate, then retry this run';
  return active_version === version
    ? null
    : `this run is of version ${version}, and version ${active_version} is active: start the workflow again, and cancel this run`;
}

export const whyNotCancelled = (state: RunState): string | null =>
  state === 'succeeded' || state === 'failed' || state === 'cancelled'
    ? `this run is ${state} already`
    : null;

/** The same for every attempt at a step, so that what was done is found and not done again. */
export const keyOf = (run_id: string, step_id: string, seq: number): string =>
  `run-${run_id}-${step_id}-${seq}`;
