// The only file that writes the state of a run and of its current step, as the tables say (run-states.rules.ts).
// Callers hold the run by its lease or a lock.
import type { PendingQuery, Row } from 'postgres';
import type { Transaction } from '../../../../kernel/database.ts';
import { newId } from '../../../../kernel/ids.ts';
import type { Lease } from '../../../../kernel/pass.ts';
import { principalColumns } from '../../../../kernel/principal-row.ts';
import { sets, stands } from '../../../../store/machine.ts';
import type { RunState, StepState } from './machine.rules.ts';
import { RUN, type RunAct, STEP, type StepAct } from './run-states.rules.ts';
import type { RunStanding } from './whom.ts';

type Given = Record<string, unknown>;

/** Does it to the runs of `where` that may, and gives them. */
export async function runsDo(
  tx: Transaction,
  act: RunAct,
  where: PendingQuery<Row[]>,
  given: Given,
  now: Date,
): Promise<{ id: string; seq: number }[]> {
  return await tx<{ id: string; seq: number }[]>`
    update workflow_runs set ${sets(tx, RUN, act, given, now)}
    where ${where} and ${stands<RunState>(tx, RUN.acts[act], given, now)} returning id, seq`;
}

export async function stepsDo(
  tx: Transaction,
  act: StepAct,
  where: PendingQuery<Row[]>,
  given: Given,
  now: Date,
): Promise<void> {
  await tx`
    update workflow_run_steps set ${sets(tx, STEP, act, given, now)}
    where ${where} and ${stands<StepState>(tx, STEP.acts[act], given, now)}`;
}

/** Runs that are due, under the lease from here on. `due`: their ids, locked. */
export const takeRuns = (
  tx: Transaction,
  lease: Lease,
  due: PendingQuery<Row[]>,
): Promise<{ id: string }[]> =>
  runsDo(tx, 'take', tx`id = any (array(${due}))`, { lease: lease.id, until: lease.until }, lease.from);

/** The steps that these runs are at: one that waited goes on, one that failed or stalled is tried again, others are new. */
export async function beginSteps(
  tx: Transaction,
  runs: readonly { id: string; seq: number; at_step: string }[],
  now: Date,
): Promise<void> {
  if (runs.length === 0) return;
  const here = tx`
    (run_id, seq) in (
      select * from unnest(${runs.map(({ id }) => id)}::uuid[], ${runs.map(({ seq }) => seq)}::int[]))`;
  await stepsDo(tx, 'begin', here, {}, now);
  const rows = runs.map(({ id, seq, at_step }) => ({
    id: newId(),
    run_id: id,
    seq,
    step_id: at_step,
    state: 'running',
    first_at: now,
    started_at: now,
  }));
  await tx`insert into workflow_run_steps ${tx(rows)} on conflict (run_id, seq) do nothing`;
}

/** As they were; those that someone cancelled meanwhile are over, and so are their steps. */
export async function giveBack(tx: Transaction, lease: Lease, ids: readonly string[]): Promise<void> {
  const ours = tx`lease = ${lease.id} and id = any(${[...ids]}::uuid[])`;
  const over = await runsDo(tx, 'stop', tx`${ours} and cancel_wanted`, {}, lease.from);
  await runsDo(tx, 'give_back', ours, {}, lease.from);
  const of = tx`run_id = any(${over.map(({ id }) => id)}::uuid[]) and state = 'running'`;
  if (over.length > 0) await stepsDo(tx, 'cancel', of, {}, lease.from);
}

/** Runs whose process is gone, and their steps. `gone`: their ids, locked. */
export async function stall(
  tx: Transaction,
  gone: PendingQuery<Row[]>,
  error: string,
  now: Date,
): Promise<{ id: string }[]> {
  const stalled = await runsDo(tx, 'stall', tx`id = any (array(${gone}))`, { error }, now);
  for (const { id, seq } of stalled)
    await stepsDo(tx, 'stall', tx`run_id = ${id} and seq = ${seq}`, { error }, now);
  const ids = stalled.map(({ id }) => id);
  if (ids.length > 0) await runsDo(tx, 'cancel', tx`id = any(${ids}::uuid[]) and cancel_wanted`, {}, now);
  return stalled;
}

/** Whoever retries it is behind it from now on, in place of whoever retried it before. */
export async function requeue(tx: Transaction, id: string, retrier: RunStanding, now: Date): Promise<void> {
  const given = {
    ...principalColumns(tx, 'retrier', retrier.by),
    retrier_token_id: retrier.token_id,
    retrier_narrow: retrier.narrow,
  };
  const again = await runsDo(tx, 'retry', tx`id = ${id}`, given, now);
  if (again.length === 0) throw new Error('a run was to be tried again that cannot be');
}

/** At once, or once the process that works on it has come to the end of its step. */
export async function saveCancel(
  tx: Transaction,
  { id, seq }: { id: string; seq: number },
  now: Date,
): Promise<void> {
  const soon = await runsDo(tx, 'cancel_soon', tx`id = ${id}`, {}, now);
  if (soon.length > 0) return;
  await runsDo(tx, 'cancel', tx`id = ${id}`, {}, now);
  await stepsDo(tx, 'cancel', tx`run_id = ${id} and seq = ${seq}`, {}, now);
}
