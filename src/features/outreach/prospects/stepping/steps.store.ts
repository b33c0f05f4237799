// Takes people on to their next step once one is done. One maker of `step_id`, `due_at` and `next_at`.
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import type { Branch, Task } from '../../sequences/contract.ts';
import { addFacts, countStages } from '../history.store.ts';
import { STEPPING } from '../names.rules.ts';
import { stageReached } from '../spine/prospect-states.store.ts';
import { type Coming, type SequenceStep, stepAfter } from './steps.rules.ts';

export type ProspectStep = SequenceStep & { task: Task | null; branch: Branch | null };

type StepRow = Omit<ProspectStep, 'wait'> & { campaign_id: string; wait_days: number; wait_hours: number };

/** The steps that are of each of these campaigns, in order. */
export async function standingSteps(
  db: Reader,
  campaign_ids: readonly string[],
): Promise<Map<string, ProspectStep[]>> {
  const rows = await db<StepRow[]>`
    select campaign_id, id, kind, position, wait_days, wait_hours, task, branch from sequence_steps
    where campaign_id = any(${[...new Set(campaign_ids)]}::uuid[]) and removed_at is null order by campaign_id, position`;
  const steps = new Map<string, ProspectStep[]>();
  for (const { campaign_id, wait_days, wait_hours, ...row } of rows) {
    const of = steps.get(campaign_id) ?? [];
    of.push({ ...row, wait: { days: wait_days, hours: wait_hours } });
    steps.set(campaign_id, of);
  }
  return steps;
}

/** Where a step was in its sequence, also one that was taken out since; -1 where nothing is known of it. */
export async function positionOf(db: Reader, step_id: string): Promise<number> {
  const [row] = await db<{ position: number }[]>`select position from sequence_steps where id = ${step_id}`;
  return row?.position ?? -1;
}

/** A locked prospect is at this step from now on; null: every step is done. */
export async function standAt(
  tx: Transaction,
  prospect_id: string,
  coming: Coming<SequenceStep> | null,
  now: Date,
): Promise<void> {
  await tx`
    update prospects set step_id = ${coming?.step.id ?? null}, due_at = ${coming?.due_at ?? null},
      next_at = ${coming?.next_at ?? null}, item_id = null, lease = null, lease_until = null, updated_at = ${now}
    where id = ${prospect_id} and ended is null`;
}

/** Notifies that someone has a step to be looked at. */
export const STEPS_DUE = 'steps_due';

type Went = { prospect_id: string; step_id: string | null; at: Date };

/**
 * A letter went: whoever was only enrolled counts as contacted, and whoever is at its step goes on to the next, whose wait
 * is counted from then. For the sender, and for whoever finds out later that a letter went; a second telling changes nothing.
 */
export async function letterWent(
  tx: Transaction,
  { prospect_id, step_id, at }: Went,
  now: Date,
): Promise<void> {
  const [row] = await tx<
    { campaign_id: string; stage: string; step_id: string | null; ended: string | null }[]
  >`
    select campaign_id, stage, step_id, ended from prospects where id = ${prospect_id} for no key update`;
  if (!row) return;
  const atStep = row.step_id === step_id || (row.step_id === null && row.stage === 'enrolled');
  if (row.ended === null && step_id !== null && atStep) {
    const steps = (await standingSteps(tx, [row.campaign_id])).get(row.campaign_id) ?? [];
    await standAt(tx, prospect_id, stepAfter(steps, await positionOf(tx, step_id), at, now), now);
  }
  if (row.stage !== 'enrolled') return;
  await stageReached(tx, [prospect_id], 'contacted', at, now);
  const details = { from: 'enrolled', to: 'contacted', cause: 'delivery' };
  await addFacts(tx, [{ prospect_id, kind: 'stage', details }], STEPPING, now);
  await countStages(tx, [{ campaign_id: row.campaign_id, from: 'enrolled', to: 'contacted' }], at);
}
