// Deletes agents’ reads that are older than a month.
import { expiryPass } from '../../../kernel/pass.ts';
import { forgetReads } from './reads.store.ts';

/** So many times in one go: a month's worth of a busy hour, many times over. */
const ROUNDS_MAX = 100;

export const activityExpiry = expiryPass('activity_expiry', 'audit', async (tx, now) => {
  for (let round = 0; round < ROUNDS_MAX; round += 1) if ((await forgetReads(tx, now)) === 0) return;
});
