// Threads whose snooze is over are open again. The state in the row is the one truth, so that every list and count is one
// index; this pass moves it, and nothing reads the time beside it.
import { SECOND_MS } from '../../../../kernel/clock.ts';
import { pass } from '../../../../kernel/pass.ts';
import { dueSnoozes, wakeSnoozed } from '../thread-states.store.ts';

type Due = { id: string };
type Woken = Due & { at: Date };

export const snoozes = pass<Due, Woken>({
  name: 'threads_snoozed',
  wakes_on: [],
  interrupted_by: [],
  tells: 'threads',
  every_ms: 5 * SECOND_MS,
  batch: 200,
  at_a_time: 10,
  starts_within_ms: 30 * SECOND_MS,
  // To wake one twice changes nothing: no lease is on the rows.
  claim: (tx, lease, count) => dueSnoozes(tx, lease.from, count),
  open: ({ clock }) => ({
    begin: async () => async (row) => ({ ...row, at: clock.now() }),
    close: () => undefined,
  }),
  async commit(tx, _lease, results) {
    const [first] = results;
    if (first)
      await wakeSnoozed(
        tx,
        results.map(({ id }) => id),
        first.at,
      );
  },
  release: async () => undefined,
  tidy: async () => undefined,
});
