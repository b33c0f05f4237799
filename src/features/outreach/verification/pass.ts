// The pass that verifies people an active campaign is about to write to, if its policy requires it.
import { MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts';
import { pass, type AnyPass } from '../../../kernel/pass.ts';
import { wakeLetters } from '../sends/letter/flow.store.ts';
import { forgetAsks } from './asks.store.ts';
import { claimAddresses, type DueAddress, giveBackAddresses, holdsAddress } from './due.store.ts';
import { climb, worldOf } from './ladder.ts';
import { factsFor, forgetVerdicts, type FoundVerdict, keepFound } from './store.ts';

/** With the time of those that start last it stays below the minute of a lease. */
const STARTS_WITHIN_MS = 15 * SECOND_MS;
const WHOLE_MS = 45 * SECOND_MS;

export const verificationPass: AnyPass = pass<DueAddress, FoundVerdict>({
  name: 'verification',
  wakes_on: [],
  interrupted_by: [],
  tells: 'people',
  every_ms: 2 * MINUTE_MS,
  batch: 20,
  at_a_time: 10,
  starts_within_ms: STARTS_WITHIN_MS,
  slots: { of: ({ domain }) => domain, most: 200 },
  claim: claimAddresses,
  open: (app) => ({
    async begin(rows) {
      const facts = await factsFor(app.database.reader, rows, app.clock.now());
      const late = AbortSignal.timeout(WHOLE_MS);
      return async ({ hash, domain, address }, cut) => {
        const ends = AbortSignal.any([late, cut]);
        const found = await climb(worldOf(app, ends), address, facts(hash), ends);
        return found && { ...found, hash, domain };
      };
    },
    close: () => undefined,
  }),
  async commit(tx, lease, results) {
    for (const found of results.toSorted((a, b) => (a.hash < b.hash ? -1 : 1))) {
      // Letters come first in the order of locks; woken for nothing, they ask their gates and wait on.
      await wakeLetters(tx, { address_hash: found.hash }, found.checked_at);
      if (await holdsAddress(tx, lease, found.hash)) await keepFound(tx, [found]);
    }
  },
  release: giveBackAddresses,
  async tidy(tx, now) {
    await forgetAsks(tx, now);
    await forgetVerdicts(tx, now);
  },
});
