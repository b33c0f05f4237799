// The states of a run of a workflow and of the step it is at, as two tables: the rule, and what the SQL is made of
// (run-states.store.ts).
//
//   queued  → running             it is due
//   running → queued              a step is over and another is next, or it was given back
//           → waiting             for a time, for a person, or held: someone must lift it
//           → succeeded, failed, cancelled
//           → stalled             its process is gone; whether the step happened is not known here
//   waiting → running             it is time; a person decided
//   failed, stalled, held → queued    it was asked to try the step again
//   queued, waiting, stalled → cancelled; one that runs is, once its step is over
import {
  choice,
  column,
  first,
  given,
  isNull,
  type Machine,
  NOW,
  plus,
  type Test,
} from '../../../../kernel/machine.ts';
import type { RunState, StepState } from './machine.rules.ts';

/** What ends the hold of a process on it. */
const FREE = { lease: null, lease_until: null };
const GOES = { at_step: given('at_step'), seq: given('seq'), ...FREE };
const OVER = { due_at: null, held: null, finished_at: NOW };

export type RunAct =
  | 'take'
  | 'give_back'
  | 'go_on'
  | 'wait'
  | 'hold'
  | 'succeed'
  | 'fail'
  | 'stop'
  | 'stall'
  | 'retry'
  | 'cancel'
  | 'cancel_soon';

const held: Test = { not: isNull(column('held')) };
const waits: Test = { among: ['waiting'], value: column('state') };

export const RUN = {
  table: 'workflow_runs',
  acts: {
    take: {
      from: ['queued', 'waiting'],
      only_if: { not: held },
      to: 'running',
      set: {
        lease: given('lease'),
        lease_until: given('until'),
        started_at: first(column('started_at'), NOW),
      },
    },
    give_back: { from: ['running'], to: 'queued', set: FREE },
    go_on: { from: ['running'], to: 'queued', set: { ...GOES, due_at: NOW, held: null, error: null } },
    wait: {
      from: ['running'],
      to: 'waiting',
      set: { ...GOES, due_at: given('due_at'), held: null, error: given('error') },
    },
    hold: {
      from: ['running'],
      to: 'waiting',
      set: { ...GOES, due_at: null, held: given('held'), error: given('error') },
    },
    succeed: { from: ['running'], to: 'succeeded', set: { ...GOES, ...OVER, error: null } },
    fail: { from: ['running'], to: 'failed', set: { ...GOES, ...OVER, error: given('error') } },
    /** Someone cancelled it while its step was under way. */
    stop: { from: ['running'], to: 'cancelled', set: { ...OVER, ...FREE } },
    stall: { from: ['running'], to: 'stalled', set: { ...FREE, due_at: null, error: given('error') } },
    retry: {
      from: ['failed', 'stalled', 'waiting'],
      only_if: { any: [{ not: waits }, held] },
      to: 'queued',
      set: {
        due_at: NOW,
        held: null,
        error: null,
        finished_at: null,
        retrier_kind: given('retrier_kind'),
        retrier_id: given('retrier_id'),
        retrier_name: given('retrier_name'),
        retrier_on_behalf_of: given('retrier_on_behalf_of'),
        retrier_token_id: given('retrier_token_id'),
        retrier_narrow: given('retrier_narrow'),
      },
    },
    cancel: { from: ['queued', 'waiting', 'stalled'], to: 'cancelled', set: OVER },
    cancel_soon: { from: ['running'], to: 'running', set: { cancel_wanted: true } },
  },
  always: {},
} as const satisfies Machine<RunState, RunAct>;

export type StepAct = 'begin' | 'wait' | 'succeed' | 'fail' | 'stall' | 'cancel';

/** Tried again: what it waited for is another thing by now. */
const failed: Test = { among: ['failed'], value: column('state') };
const again: Test = { among: ['failed', 'stalled'], value: column('state') };
const waited: Test = { among: ['waiting'], value: column('state') };
const GAVE = { output: given('output'), output_digest: given('output_digest'), error: given('error') };

export const STEP = {
  table: 'workflow_run_steps',
  acts: {
    begin: {
      from: ['running', 'waiting', 'failed', 'stalled'],
      to: 'running',
      set: {
        error: null,
        finished_at: null,
        attempt: choice(again, plus('attempt'), column('attempt')),
        started_at: choice(waited, column('started_at'), NOW),
        waits: choice(failed, null, column('waits')),
      },
    },
    wait: { from: ['running'], to: 'waiting', set: { ...GAVE, finished_at: null, waits: given('waits') } },
    succeed: { from: ['running'], to: 'succeeded', set: { ...GAVE, finished_at: NOW, waits: null } },
    fail: { from: ['running'], to: 'failed', set: { ...GAVE, finished_at: NOW, waits: null } },
    stall: { from: ['running'], to: 'stalled', set: { error: given('error') } },
    cancel: { from: ['running', 'waiting', 'stalled'], to: 'cancelled', set: { finished_at: NOW } },
  },
  always: {},
} as const satisfies Machine<StepState, StepAct>;
