// Seals the audit log, five minutes at a time.
import { MINUTE_MS } from '../../../kernel/clock.ts';
import { pass } from '../../../kernel/pass.ts';
import { databaseNow, type Seal, sealNext } from './seals.store.ts';

/** After an upgrade the whole log is behind: so many in one transaction. */
const AT_ONCE = 50;

export const auditSeals = pass<Seal, Seal>({
  name: 'audit_seals',
  wakes_on: [],
  interrupted_by: [],
  tells: 'audit',
  every_ms: MINUTE_MS,
  batch: AT_ONCE,
  at_a_time: AT_ONCE,
  starts_within_ms: 1_000,
  // A seal is made whole where it is claimed: nothing is left to do with it. By the database's clock: transactions begin by it.
  async claim(tx, _, count) {
    const made: Seal[] = [];
    const now = await databaseNow(tx);
    for (
      let seal = await sealNext(tx, now);
      seal;
      seal = made.length < count ? await sealNext(tx, now) : null
    )
      made.push(seal);
    return made;
  },
  open: () => ({ begin: async () => async (seal) => seal, close: () => undefined }),
  commit: async () => undefined,
  release: async () => undefined,
  tidy: async () => undefined,
});
