// SQL of steps that wait for a person: the decision, and closing the approval when its run is canceled.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { conflict } from '../../../../kernel/refusal.ts';
import { withdrawApproval } from '../../../work/approvals/open.store.ts';
import type { Decision } from '../../../work/approvals/rules.ts';

export type Decided = { decision: Decision; note: string | null; by: string };

export async function holdRunOfStep(tx: Transaction, step_row: string): Promise<void> {
  await tx`
    select 1 from workflow_runs where id = (select run_id from workflow_run_steps where id = ${step_row}) for update`;
}

/** The run goes on with what was decided. Gives the run's id. */
export async function decided(
  tx: Transaction,
  step_row: string,
  decision: Decided,
  now: Date,
): Promise<string> {
  const [step] = await tx<{ run_id: string }[]>`
    update workflow_run_steps set waits = ${tx.json({ decided: decision })}
    where id = ${step_row} and state = 'waiting' returning run_id`;
  if (!step)
    throw conflict('this run is no longer waiting for a person: GET /api/workflows/runs shows its outcome');
  await tx`update workflow_runs set due_at = ${now} where id = ${step.run_id} and state = 'waiting'`;
  return step.run_id;
}

/** The run is cancelled: no one is asked any more. */
export async function askNoMore(
  tx: Transaction,
  run: { id: string; seq: number },
  by: Principal,
  now: Date,
): Promise<string | null> {
  const [step] = await tx<{ id: string }[]>`
    select id from workflow_run_steps where run_id = ${run.id} and seq = ${run.seq}`;
  return step ? withdrawApproval(tx, step, by, now) : null;
}
