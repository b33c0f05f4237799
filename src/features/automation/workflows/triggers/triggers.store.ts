// All SQL of triggers: recorded facts and due schedules. Each becomes its runs in one transaction.
import type { Transaction } from '../../../../kernel/database.ts';
import { isUuid } from '../../../../kernel/ids.ts';
import type { WorkflowStep, Trigger } from '../contract.ts';
import { PAUSED } from '../budget/budget.rules.ts';
import { causedBy, pauseItself, runsSpent } from '../budget/budget.store.ts';
import { insertRun } from '../run/runs.store.ts';
import { readSettings } from '../../../access/settings/store.ts';

type Heard = { id: string; kind: string; data: Record<string, unknown>; at: Date; caused_by: string | null };
type Listening = { id: string; active_version: number; steps: WorkflowStep[]; trigger: Trigger };

/** Runs that set each other off, one after the other, at most. */
export const MOST_DEEP = 5;
/** Of one first run, those that its runs set off in turn. What it sets off itself is bounded by what one run can do. */
export const MOST_CAUSED = 100;
const TOO_DEEP = `workflows set each other off ${MOST_DEEP} times in a row, so this run did not begin: look which of them does what the other listens to`;

const ofRun = (step: readonly WorkflowStep[]): string => step[0]?.id ?? '';

/** Gives the change notifications that it took; none is taken twice, and none is lost. */
export async function takeHeard(tx: Transaction, now: Date, count: number): Promise<{ id: string }[]> {
  const heard = await tx<Heard[]>`
    delete from workflow_events where id in (
      select id from workflow_events order by at, id limit ${count} for update skip locked)
    returning id, kind, data, at, caused_by`;
  if (heard.length === 0) return heard;
  const { workflows: budgets } = await readSettings(tx);
  for (const { kind, data, at, caused_by } of heard) {
    const { depth, root_id } = await afterRun(tx, caused_by);
    const form = typeof data['form_id'] === 'string' ? data['form_id'] : null;
    const listening = await tx<Listening[]>`
      select w.id, w.active_version, v.steps, v.trigger
      from workflows w join workflow_versions v on v.workflow_id = w.id and v.version = w.active_version
      where w.listens = ${kind} and (w.listens_form is null or w.listens_form::text = ${form})`;
    for (const { id, active_version, steps } of listening) {
      const trigger = { kind: 'event', event: kind, at: at.toISOString(), data };
      const run = {
        workflow_id: id,
        version: active_version,
        first: ofRun(steps),
        trigger,
        depth,
        root_id,
        starter: null,
      };
      const why =
        depth > 1 && root_id !== null && (await causedBy(tx, root_id)) >= MOST_CAUSED
          ? 'loop'
          : (await runsSpent(tx, id, budgets, now))
            ? 'runs'
            : null;
      if (why !== null) await pauseItself(tx, id, why, now);
      const error = why === null ? (depth > MOST_DEEP ? TOO_DEEP : undefined) : PAUSED[why];
      await insertRun(tx, { ...run, ...(error !== undefined && { error }) }, now);
    }
  }
  return heard;
}

async function afterRun(
  tx: Transaction,
  caused_by: string | null,
): Promise<{ depth: number; root_id: string | null }> {
  if (caused_by === null || !isUuid(caused_by)) return { depth: 0, root_id: null };
  const [row] = await tx<{ depth: number; root_id: string }[]>`
    select r.depth, coalesce(r.root_id, r.id) as root_id
    from workflow_run_steps s join workflow_runs r on r.id = s.run_id where s.id = ${caused_by}`;
  return row ? { depth: row.depth + 1, root_id: row.root_id } : { depth: 0, root_id: null };
}

/** A schedule that was missed while nothing ran is made up for once. */
export async function takeSchedules(
  tx: Transaction,
  next: (trigger: Trigger, from: Date) => Date | null,
  now: Date,
  count: number,
): Promise<{ id: string }[]> {
  const due = await tx<(Listening & { next_at: Date })[]>`
    select w.id, w.active_version, v.steps, v.trigger, w.next_at
    from workflows w join workflow_versions v on v.workflow_id = w.id and v.version = w.active_version
    where w.next_at <= ${now} order by w.next_at limit ${count} for update of w skip locked`;
  if (due.length === 0) return due;
  const { workflows: budgets } = await readSettings(tx);
  for (const { id, active_version, steps, trigger, next_at } of due) {
    const spent = await runsSpent(tx, id, budgets, now);
    const due_at = next_at.toISOString();
    const set = { kind: 'schedule', at: due_at, data: { due_at } };
    await insertRun(
      tx,
      {
        workflow_id: id,
        version: active_version,
        first: ofRun(steps),
        trigger: set,
        depth: 0,
        starter: null,
        ...(spent && { error: PAUSED.runs }),
      },
      now,
    );
    if (spent) await pauseItself(tx, id, 'runs', now);
    else await tx`update workflows set next_at = ${next(trigger, now)} where id = ${id}`;
  }
  return due;
}
