// The pass that takes out of review what must not be sent: no one is asked to approve a letter whose address is suppressed. It
// is held as the gate would hold it, the world is told once, and it comes back to review when the suppression is lifted.
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
