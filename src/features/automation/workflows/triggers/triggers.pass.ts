// Starts runs for recorded triggers and due schedules.
import { SECOND_MS } from '../../../../kernel/clock.ts';
import { DELIVERIES_DUE } from '../../../../kernel/events.rules.ts';
import { pass } from '../../../../kernel/pass.ts';
import type { Trigger } from '../contract.ts';
import { RUNS } from '../run/pass.ts';
import { nextDue } from './schedule.ts';
import { takeHeard, takeSchedules } from './triggers.store.ts';

const next = (trigger: Trigger, from: Date): Date | null =>
  trigger.kind === 'schedule' ? nextDue(trigger, from) : null;

export const triggers = pass<{ id: string }, { id: string }>({
  name: 'workflow_triggers',
  wakes_on: [DELIVERIES_DUE],
  interrupted_by: [],
  tells: RUNS,
  every_ms: 2 * SECOND_MS,
  batch: 100,
  at_a_time: 10,
  starts_within_ms: 20 * SECOND_MS,
  async claim(tx, { from }, count) {
    const heard = await takeHeard(tx, from, count);
    return [...heard, ...(await takeSchedules(tx, next, from, count))];
  },
  // Taking them made their runs, in the same transaction.
  open: () => ({ begin: async () => async (row) => row, close: () => undefined }),
  commit: async () => undefined,
  release: async () => undefined,
  tidy: async () => undefined,
});
