// The pass that takes suppressed letters out of review, so that no one approves them in vain. They are held as the gate would
// hold them, with one event, and return to review when the suppression is lifted.
import { MINUTE_MS } from '../../../../kernel/clock.ts';
import type { AnyPass } from '../../../../kernel/pass.ts';
import { allGates } from './gates.rules.ts';
import { claimSuppressed } from './recheck.store.ts';
import { lookingPass } from './recheck.ts';
import { applyStop } from './stops.ts';

export const suppressedPass: AnyPass = lookingPass({
  name: 'letters_suppressed',
  wakes_on: ['suppressions'],
  every_ms: MINUTE_MS,
  claim: claimSuppressed,
  state: 'review',
  async look(tx, row, { facts, at }, told) {
    const stop = allGates(facts, at).find(({ gate }) => gate === 'suppressed')?.stop;
    if (stop) await applyStop(tx, row, stop, told);
  },
});
