// Runs of workflows: starting one by hand, reading, following, canceling, and retrying a step.
import { z } from 'zod';
import { csvOf } from '../../../kernel/csv.ts';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { RUN_EVENTS_STREAM } from '../../../kernel/sentences.ts';
import { id, listOf, page, principal, time } from '../../../kernel/shapes.ts';
import { exampleWorkflow, gated, workflowName } from './contract.ts';
import { HOLDS, RUN_STATES } from './run/machine.rules.ts';

const runStep = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string(),
  /** Its place in the run, from 1. */
  seq: z.int(),
  state: z.enum(['running', 'waiting', 'succeeded', 'failed', 'stalled', 'cancelled']),
  attempt: z.int(),
  started_at: time,
  finished_at: time.nullable(),
  /** SHA-256 of what it gave, as JSON. */
  output_digest: z.string().nullable(),
  error: z.string().nullable(),
});

const summary = {
  id,
  workflow_id: id,
  workflow_name: z.string(),
  version: z.int(),
  /** Of its workflow; null where that is not active. A run is retried only at this version. */
  active_version: z.int().nullable(),
  state: z.enum(RUN_STATES),
  /** The step it is at. */
  at_step: z.string().nullable(),
  /** Why it does not go on although no one has to decide: a scope is missing, what a step names changed since activation, or a budget is used up. */
  held: z.enum(HOLDS).nullable(),
  trigger: z.record(z.string(), z.unknown()),
  /** Who started it by hand. */
  started_by: principal.nullable(),
  due_at: time.nullable(),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
  error: z.string().nullable(),
};
export const runSummary = named('ListedWorkflowRun', z.object(summary));
export const run = z.object({ ...summary, runs_as: principal, steps: z.array(runStep) });
named('WorkflowRun', run);
export type RunSummary = z.infer<typeof runSummary>;
export type Run = z.infer<typeof run>;
export type RunStep = z.infer<typeof runStep>;

export const exampleRun = '0198c0de-0000-7000-8000-000000000152';
export const runName = (of: string): string => `run:${of}`;
export const namesOfRun = (of: string, workflow_id: string): string[] => [
  runName(of),
  workflowName(workflow_id),
];
const one = { run: id };

export const stepDetail = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string(),
  seq: z.int(),
  /** As it is in the version; references are not filled in. */
  input: z.record(z.string(), z.unknown()),
  /** What it gave; null while it gave nothing. */
  output: z.unknown(),
  /** Why what it gave is not shown to this caller; null where it is. */
  withheld: z.string().nullable(),
  /** Approvals know the question that it asks by this id; null where it asks no one. */
  asks: id.nullable(),
});
export type StepDetail = z.infer<typeof stepDetail>;
named('WorkflowStepDetail', stepDetail);

export const runStepGet = operation({
  ...gated,
  name: 'run_step_get',
  says: 'Reads the input and output of one step of a run. Only administrators and the person the run acted for can see the output.',
  method: 'GET',
  path: '/api/workflows/runs/:run/steps/:seq',
  /** Its `seq`, the place in the run. */
  takes: z.strictObject({
    ...one,
    seq: z.string().regex(/^[1-9][0-9]{0,5}$/, 'a place in a run is a number from 1'),
  }),
  gives: z.object({ step: stepDetail }),
  example: { run: exampleRun, seq: '1' },
  effect: 'read',
  needs: { action: 'run.read', on: 'row' },
  answers: OK,
});

/** Flat: names and plain values. */
const plain = z.union([z.string().max(2_000), z.number(), z.boolean(), z.null()]);

export const runStart = operation({
  ...gated,
  name: 'run_start',
  says: 'Starts a run of an active workflow by hand, with inputs that its steps read as {{ trigger.<name> }}. It may do what both its activator and the caller may.',
  method: 'POST',
  path: '/api/workflows/:workflow/runs',
  takes: z.strictObject({
    workflow: id,
    inputs: z
      .record(z.string().regex(/^[A-Za-z0-9_-]{1,60}$/, 'a name is letters, digits, _ and -'), plain)
      .refine((inputs) => Object.keys(inputs).length <= 50, 'inputs are 50 at most')
      .default({}),
  }),
  gives: z.object({ run }),
  example: { workflow: exampleWorkflow, inputs: { person_id: '0198c0de-0000-7000-8000-000000000041' } },
  effect: 'write',
  needs: { action: 'workflow.run', on: 'row' },
  answers: CREATED,
});

export const runList = operation({
  ...gated,
  name: 'run_list',
  says: 'Lists workflow runs, newest first.',
  method: 'GET',
  path: '/api/workflows/runs',
  takes: z.strictObject({ workflow: id.optional(), state: z.enum(RUN_STATES).optional(), ...page }),
  gives: listOf(runSummary),
  example: {},
  effect: 'read',
  needs: { action: 'run.read', on: 'row' },
  answers: OK,
});

export const runExport = csvOf(runList, 'run_export', 'runs');

export const runGet = operation({
  ...gated,
  name: 'run_get',
  says: 'Reads a workflow run with its steps.',
  method: 'GET',
  path: '/api/workflows/runs/:run',
  takes: z.strictObject(one),
  gives: z.object({ run }),
  example: { run: exampleRun },
  effect: 'read',
  needs: { action: 'run.read', on: 'row' },
  answers: OK,
});

export const runCancel = operation({
  ...gated,
  name: 'run_cancel',
  says: 'Cancels a run. Its agent is stopped; any other current step finishes first. Completed steps aren’t undone.',
  method: 'POST',
  path: '/api/workflows/runs/:run/cancel',
  takes: z.strictObject(one),
  gives: z.object({ run }),
  example: { run: exampleRun },
  effect: 'write',
  needs: { action: 'run.cancel', on: 'row' },
  answers: OK,
});

export const runRetry = operation({
  ...gated,
  name: 'run_retry',
  says: 'Retries the step at which a run failed, stalled or is held, with the saved output of earlier steps. The workflow must be active at the run’s version, and the caller needs the permissions and scopes of its steps.',
  method: 'POST',
  path: '/api/workflows/runs/:run/retry',
  takes: z.strictObject(one),
  gives: z.object({ run }),
  example: { run: exampleRun },
  effect: 'write',
  needs: { action: 'run.retry', on: 'row' },
  answers: OK,
});

const many = {
  ...gated,
  method: 'POST',
  takes: z.strictObject({ runs: z.array(id).min(1).max(200) }),
  gives: z.object({
    done: z.array(id),
    /** Those that were left as they are, each with why. */
    refused: z.array(z.object({ run: id, sentence: z.string() })),
  }),
  effect: 'write',
  answers: OK,
} as const;

export const runCancelMany = operation({
  ...many,
  name: 'run_cancel_many',
  says: 'Cancels up to 200 runs, each as run_cancel does. Runs that can’t be canceled are listed with the reason.',
  path: '/api/workflows/runs/cancel',
  example: { runs: [exampleRun] },
  needs: { action: 'run.cancel', on: 'row' },
});

export const runRetryMany = operation({
  ...many,
  name: 'run_retry_many',
  says: 'Retries up to 200 runs, each as run_retry does. Runs that can’t be retried are listed with the reason.',
  path: '/api/workflows/runs/retry',
  example: { runs: [exampleRun] },
  needs: { action: 'run.retry', on: 'row' },
});

export const runEvents = operation({
  ...gated,
  name: 'run_events',
  says: 'Streams a run until it ends.',
  method: 'GET',
  path: '/api/workflows/runs/:run/events',
  takes: z.strictObject(one),
  gives: z.object({ run }),
  example: { run: exampleRun },
  effect: 'read',
  needs: { action: 'run.read', on: 'row' },
  answers: { stream: 'sse', instead: RUN_EVENTS_STREAM },
});
