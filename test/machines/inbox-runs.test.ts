// Every act of threads and of runs of workflows, done to a row in every state by the one file that writes that state: it leads where
// the specification says, and leaves the row as its table says. Where nothing may happen, the row is as it was.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { THREAD } from '../../src/features/inbox/threads/thread-states.rules.ts';
import * as threads from '../../src/features/inbox/threads/thread-states.store.ts';
import { RUN, STEP } from '../../src/features/automation/workflows/run/run-states.rules.ts';
import * as runs from '../../src/features/automation/workflows/run/run-states.store.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { activeBy, step } from '../support/workflows.ts';
import { type Act, ADA, AT, by, type Case, insert, replays } from './replay.ts';

let app: TestApp;
let workflow: string;
beforeAll(async () => {
  app = await openTestApp();
  workflow = await activeBy(app.admin, [step('first', 'notify', { sentence: 'done' })]);
});
afterAll(() => app?.close());

function ofThreads(): Case {
  const row =
    (state: string, more: Record<string, unknown> = {}) =>
    async () =>
      insert(app, 'threads', {
        channel: 'email',
        kind: 'conversation',
        labels: ['hot'],
        state,
        last_touch_at: AT,
        created_at: AT,
        updated_at: AT,
        ...more,
      });
  const until = new Date('2027-01-01T09:00:00.000Z');
  const other = randomUUID();
  const byHand = (state: 'open' | 'snoozed' | 'closed', snoozed_until: Date | null): Act => ({
    given: { until: snoozed_until },
    does: ({ tx, row: { id }, now }) => threads.setThreadState(tx, id, { state, snoozed_until }, now),
  });
  const each = (to: string) => ({ open: to, snoozed: to, closed: to });
  return {
    machine: THREAD,
    rows: {
      open: row('open'),
      snoozed: row('snoozed', { snoozed_until: AT }),
      closed: row('closed'),
      'merged away': async () => {
        const [there] = await app.sql`select 1 from threads where id = ${other}`;
        if (!there) await row('open', { id: other })();
        return row('closed', { merged_into: other })();
      },
    },
    acts: {
      open: byHand('open', null),
      snooze: byHand('snoozed', until),
      close: byHand('closed', null),
      wake: { given: {}, does: ({ tx, row: { id }, now }) => threads.wakeSnoozed(tx, [id], now) },
      reopen: { given: {}, does: ({ tx, row: { id }, now }) => threads.reopenThread(tx, id, now) },
      merge_away: {
        given: { into: other },
        does: ({ tx, row: { id }, now }) => threads.mergeAway(tx, id, other, now),
      },
    },
    leads: {
      open: each('open'),
      snooze: each('snoozed'),
      close: each('closed'),
      wake: { snoozed: 'open' },
      reopen: { snoozed: 'open', closed: 'open' },
      merge_away: { ...each('closed'), 'merged away': 'closed' },
    },
  };
}
describe('threads', () => replays(() => app, ofThreads()));

const RUNNING = { lease: randomUUID(), lease_until: AT };

function ofRuns(): Case {
  const row =
    (state: string, more: Record<string, unknown> = {}) =>
    async () =>
      insert(app, 'workflow_runs', {
        workflow_id: workflow,
        version: 1,
        state,
        trigger: app.sql.json({ kind: 'manual' }),
        at_step: 'first',
        error: 'before',
        created_at: AT,
        ...more,
      });
  const over = { finished_at: AT };
  const does = (name: keyof typeof RUN.acts, given: Record<string, unknown> = {}): Act => ({
    given,
    does: ({ tx, row: { id }, now }) => runs.runsDo(tx, name, tx`id = ${id}`, given, now),
  });
  const came = { at_step: 'second', seq: 2, due_at: AT, held: 'changed', error: 'why' };
  const retrier = { ...by('retrier'), retrier_token_id: null, retrier_narrow: true };
  return {
    machine: RUN,
    rows: {
      queued: row('queued', { due_at: AT }),
      running: row('running', { ...RUNNING, started_at: AT }),
      waiting: row('waiting', { due_at: AT }),
      held: row('waiting', { held: 'wire_required' }),
      succeeded: row('succeeded', over),
      failed: row('failed', over),
      cancelled: row('cancelled', over),
      stalled: row('stalled'),
    },
    acts: {
      take: does('take', { lease: randomUUID(), until: AT }),
      give_back: does('give_back'),
      go_on: does('go_on', came),
      wait: does('wait', came),
      hold: does('hold', came),
      succeed: does('succeed', came),
      fail: does('fail', came),
      stop: does('stop'),
      stall: does('stall', came),
      retry: {
        given: retrier,
        does: ({ tx, row: { id }, now }) =>
          runs.requeue(tx, id, { by: ADA, token_id: null, narrow: true } as never, now),
      },
      cancel: does('cancel'),
      cancel_soon: does('cancel_soon'),
    },
    leads: {
      take: { queued: 'running', waiting: 'running' },
      give_back: { running: 'queued' },
      go_on: { running: 'queued' },
      wait: { running: 'waiting' },
      hold: { running: 'waiting' },
      succeed: { running: 'succeeded' },
      fail: { running: 'failed' },
      stop: { running: 'cancelled' },
      stall: { running: 'stalled' },
      retry: { held: 'queued', failed: 'queued', stalled: 'queued' },
      cancel: { queued: 'cancelled', waiting: 'cancelled', held: 'cancelled', stalled: 'cancelled' },
      cancel_soon: { running: 'running' },
    },
  };
}
describe('runs of workflows', () => replays(() => app, ofRuns()));

function ofSteps(): Case {
  const row =
    (state: string, more: Record<string, unknown> = {}) =>
    async () => {
      const run_id = await insert(app, 'workflow_runs', {
        workflow_id: workflow,
        version: 1,
        state: 'running',
        ...RUNNING,
        trigger: app.sql.json({ kind: 'manual' }),
        at_step: 'first',
        created_at: AT,
      });
      return insert(app, 'workflow_run_steps', {
        run_id,
        seq: 1,
        step_id: 'first',
        state,
        attempt: 2,
        waits: app.sql.json({ item: 'x' }),
        error: 'before',
        first_at: AT,
        started_at: AT,
        ...more,
      });
    };
  const does = (name: keyof typeof STEP.acts, given: Record<string, unknown> = {}): Act => ({
    given,
    does: ({ tx, row: { id }, now }) => runs.stepsDo(tx, name, tx`id = ${id}`, given, now),
  });
  const gave = { output: { a: 1 }, output_digest: 'd', error: null, waits: { again: 1 } };
  const over = { finished_at: AT };
  return {
    machine: STEP,
    rows: {
      running: row('running'),
      waiting: row('waiting'),
      stalled: row('stalled'),
      failed: row('failed', over),
      succeeded: row('succeeded', over),
      cancelled: row('cancelled', over),
    },
    acts: {
      begin: does('begin'),
      wait: does('wait', gave),
      succeed: does('succeed', gave),
      fail: does('fail', gave),
      stall: does('stall', { error: 'gone' }),
      cancel: does('cancel'),
    },
    leads: {
      begin: { running: 'running', waiting: 'running', stalled: 'running', failed: 'running' },
      wait: { running: 'waiting' },
      succeed: { running: 'succeeded' },
      fail: { running: 'failed' },
      stall: { running: 'stalled' },
      cancel: { running: 'cancelled', waiting: 'cancelled', stalled: 'cancelled' },
    },
  };
}
describe('steps of runs', () => replays(() => app, ofSteps()));
