// All SQL of workflow budgets: usage, and pausing a workflow that exceeds one.
import { after, HOUR_MS } from '../../../../kernel/clock.ts';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import { principalIn, type PrincipalColumns } from '../../../../kernel/principal-row.ts';
import { startOfDay } from '../../agents/spent.store.ts';
import { notify } from '../../../access/notifications/store.ts';
import type { Settings } from '../../../access/settings/contract.ts';
import { PAUSED, type PausedWhy } from './budget.rules.ts';
import { saveDeactivation } from '../store.ts';

type Db = Reader | Transaction;
type Budgets = Settings['workflows'];

/** It began as many runs in the last hour as it may. Looks one row back, however many there are. */
export async function runsSpent(
  db: Db,
  workflow_id: string,
  { runs_per_hour }: Budgets,
  now: Date,
): Promise<boolean> {
  if (runs_per_hour === 0) return true;
  const rows = await db`
    select from workflow_runs where workflow_id = ${workflow_id} and created_at > ${after(now, -HOUR_MS)}
    order by created_at desc offset ${runs_per_hour - 1} limit 1`;
  return rows.length > 0;
}

export async function turnsSpent(
  db: Db,
  workflow_id: string,
  { turns_per_hour, tokens_per_day }: Budgets,
  now: Date,
): Promise<'turns' | 'tokens' | null> {
  const since = after(now, -HOUR_MS);
  const [row] = await db<{ turns: number; tokens: number }[]>`
    select (count(*) filter (where created_at > ${since}))::int as turns,
      (coalesce(sum(tokens) filter (where created_at >= ${startOfDay(now)}), 0))::bigint as tokens
    from chat_turns
    where workflow_id = ${workflow_id} and created_at >= least(${since}::timestamptz, ${startOfDay(now)}::timestamptz)`;
  const { turns = 0, tokens = 0 } = row ?? {};
  return turns >= turns_per_hour ? 'turns' : tokens >= tokens_per_day ? 'tokens' : null;
}

/** Runs of the second generation and later that one run set off, directly or by way of others. */
export async function causedBy(db: Db, root_id: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from workflow_runs where root_id = ${root_id} and depth > 1`;
  return row?.count ?? 0;
}

/** Whoever it acts for hears of it. One that is off already stays as it is. */
export async function pauseItself(tx: Transaction, id: string, why: PausedWhy, now: Date): Promise<void> {
  const [active] = await tx<PrincipalColumns<'by'>[]>`
    select v.by_kind, v.by_id, v.by_name, v.by_on_behalf_of
    from workflows w join workflow_versions v on v.workflow_id = w.id and v.version = w.active_version
    where w.id = ${id} for update of w`;
  if (!active) return;
  await saveDeactivation(tx, id, now);
  await tx`update workflows set paused_why = ${why}, paused_at = ${now} where id = ${id}`;
  const by = principalIn(active, 'by');
  const user_id = by?.kind === 'person' ? by.id : by?.on_behalf_of?.id;
  if (user_id !== undefined)
    await notify(tx, {
      user_id,
      kind: 'workflow',
      sentence: `A workflow of yours paused itself: ${PAUSED[why]}.`,
      link: `/workflows/${id}`,
      at: now,
    });
}
