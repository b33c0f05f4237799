// Forgets what agents read a month ago. It has no rows to work on: the runner has it tidy about once an hour.
import { HOUR_MS } from '../../kernel/clock.ts';
import { pass, type AnyPass } from '../../kernel/pass.ts';
import { forgetReads } from './reads.store.ts';

/** So many times in one go: a month's worth of a busy hour, many times over. */
const ROUNDS_MAX = 100;

export const activityExpiry: AnyPass = pass<never, never>({
  name: 'activity_expiry',
  wakes_on: [],
  interrupted_by: [],
  tells: 'audit',
  every_ms: HOUR_MS,
  batch: 1,
  at_a_time: 1,
  starts_within_ms: 1_000,
  claim: async () => [],
  open: () => ({ begin: async () => async () => null, close: () => undefined }),
  commit: async () => undefined,
  release: async () => undefined,
  async tidy(tx, now) {
    for (let round = 0; round < ROUNDS_MAX; round += 1) if ((await forgetReads(tx, now)) === 0) return;
  },
});
