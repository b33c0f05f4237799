// A letter that will not go although its person has not ended: they would stand at its step for ever. The step is over, the
// next one is theirs, and a hold keeps them there until somebody has looked: a follow-up to a letter that never came would
// say what is not so.
import type { Principal } from '../../kernel/caller.ts';
import type { Transaction } from '../../kernel/ground.ts';
import { holdProspect } from './hold.store.ts';
import { stepAfter } from './steps.rules.ts';
import { positionOf, standAt, standingSteps } from './steps.store.ts';

/** Why, for whoever looks; none of it is anybody else's text. */
const SAYS = {
  rejected: 'their letter was rejected: release them to go on with the next step, or take them out',
  cancelled: 'their letter was cancelled: release them to go on with the next step, or take them out',
  bounced:
    'their address took no letter: give them another one and release them to go on with the next step, or take them out',
  not_taken:
    'their mail server did not take their letter within its time: release them to go on with the next step, or take them out',
  refused:
    'their mail server refused their letter for reasons of ours: mend those, then release them to go on with the next step',
} as const;
type Over = keyof typeof SAYS;

/** Keeps the prospect's row; whoever holds letters of it has it already. A second telling changes nothing. */
export async function letterOver(
  tx: Transaction,
  { prospect_id, step_id, why }: { prospect_id: string; step_id: string | null; why: Over },
  by: Principal,
  now: Date,
): Promise<void> {
  const [row] = await tx<{ campaign_id: string; step_id: string | null; ended: string | null }[]>`
    select campaign_id, step_id, ended from prospects where id = ${prospect_id} for no key update`;
  if (!row || row.ended !== null || step_id === null || row.step_id !== step_id) return;
  const steps = (await standingSteps(tx, [row.campaign_id])).get(row.campaign_id) ?? [];
  const next = stepAfter(steps, await positionOf(tx, step_id), now, now);
  await standAt(tx, prospect_id, next, now);
  // After the last step there is nothing to keep back.
  if (next) await holdProspect(tx, { prospect_id, by: 'system', reason: SAYS[why], until: null }, by, now);
}

/** Prospects are locked before letters: for whoever is about to lock this letter. */
export async function lockProspectOfLetter(tx: Transaction, send_id: string): Promise<void> {
  await tx`
    select from prospects where id = (select prospect_id from sends where id = ${send_id}) for no key update`;
}
