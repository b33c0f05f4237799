// Passes of runs: one performs a run’s steps one at a time, the other finds runs whose process died.
import { DAY_MS, SECOND_MS, after } from '../../../../kernel/clock.ts';
import { pass } from '../../../../kernel/pass.ts';
import {
  claimRuns,
  type DueRun,
  forgetRuns,
  giveBackRuns,
  settleRuns,
  stallRuns,
  type Worked,
} from './pass.store.ts';
import { perform } from '../step/perform.ts';

/** Notifies that runs changed. */
export const RUNS = 'workflow_runs';

const KEPT_MS = 90 * DAY_MS;

/** The longest step, an agent's turn, takes 45 s: with this it ends inside its lease of 60. */
const STARTS_WITHIN_MS = 8 * SECOND_MS;

export const runSteps = pass<DueRun, Worked>({
  name: 'workflow_steps',
  wakes_on: [RUNS],
  interrupted_by: [],
  tells: RUNS,
  every_ms: 2 * SECOND_MS,
  batch: 16,
  at_a_time: 8,
  starts_within_ms: STARTS_WITHIN_MS,
  slots: { of: ({ acting }) => acting.workflow.id, most: 32 },
  claim: claimRuns,
  open: (app) => ({
    begin: async () => async (run, cut) => {
      const came = await perform(app, run, cut);
      return came && { run, outcome: came.outcome, beside: came.beside ?? {}, at: app.clock.now() };
    },
    close: () => undefined,
  }),
  commit: settleRuns,
  release: giveBackRuns,
  tidy: (tx, now) => forgetRuns(tx, after(now, -KEPT_MS)),
});

export const stalledRuns = pass<{ id: string }, { id: string }>({
  name: 'workflow_stalled',
  wakes_on: [],
  interrupted_by: [],
  tells: RUNS,
  every_ms: 20 * SECOND_MS,
  batch: 50,
  at_a_time: 10,
  starts_within_ms: 20 * SECOND_MS,
  claim: (tx, { from }) => stallRuns(tx, from),
  // Finding one is all there is to do.
  open: () => ({ begin: async () => async (row) => row, close: () => undefined }),
  commit: async () => undefined,
  release: async () => undefined,
  tidy: async () => undefined,
});
