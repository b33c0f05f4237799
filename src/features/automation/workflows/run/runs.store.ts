// All SQL of reading, starting, canceling and retrying runs: the loader, which knows the caller, and the writes to
// its rows.
import { type Caller, type Principal } from '../../../../kernel/caller.ts';
import { json, type Reader, type Transaction } from '../../../../kernel/database.ts';
import { newId } from '../../../../kernel/ids.ts';
import { denied } from '../../../../kernel/denied.ts';
import { decide } from '../../../../kernel/policy.ts';
import {
  knownPrincipalIn,
  principalColumns,
  type PrincipalColumns,
  principalIn,
} from '../../../../kernel/principal-row.ts';
import { notFound } from '../../../../kernel/refusal.ts';
import { allowedBy } from '../../../access/policies/named.store.ts';
import type { WorkflowStep } from '../contract.ts';
import type { Hold, RunState } from './machine.rules.ts';
import { namesOfRun, type Run, type RunStep, type RunSummary, type StepDetail } from '../runs.contract.ts';
import { maskedInput } from '../secrets/secrets.rules.ts';
import type { RunStanding } from './whom.ts';

type Db = Reader | Transaction;

const loaded = Symbol('loaded');
export type LoadedRun = RunSummary & { seq: number; runs_as: Run['runs_as']; definition: WorkflowStep[] } & {
  readonly [loaded]: true;
};

type Row = PrincipalColumns<'starter' | 'by'> & {
  id: string;
  workflow_id: string;
  version: number;
  active_version: number | null;
  name: string;
  steps: WorkflowStep[];
  state: RunState;
  trigger: Record<string, unknown>;
  at_step: string | null;
  seq: number;
  due_at: Date | null;
  held: Hold | null;
  error: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
};

const rows = (db: Db) => db`
  select r.id, r.workflow_id, r.version, w.active_version, v.name, v.steps, r.state, r.trigger, r.at_step, r.seq, r.due_at, r.held, r.error,
    r.created_at, r.started_at, r.finished_at, r.starter_kind, r.starter_id, r.starter_name, r.starter_on_behalf_of,
    v.by_kind, v.by_id, v.by_name, v.by_on_behalf_of
  from workflow_runs r join workflow_versions v on v.workflow_id = r.workflow_id and v.version = r.version
  join workflows w on w.id = r.workflow_id`;

const at = (moment: Date | null): string | null => moment?.toISOString() ?? null;

function summary(row: Row): RunSummary {
  const { id, workflow_id, version, active_version, state, at_step, held, trigger, error } = row;
  return {
    id,
    workflow_id,
    workflow_name: row.name,
    version,
    active_version,
    state,
    at_step,
    held,
    trigger,
    started_by: principalIn(row, 'starter'),
    due_at: at(row.due_at),
    created_at: row.created_at.toISOString(),
    started_at: at(row.started_at),
    finished_at: at(row.finished_at),
    error,
  };
}

const noRun = () => notFound('run', 'GET /api/workflows/runs lists runs');

export async function loadRun(
  db: Db,
  caller: Caller,
  action: string,
  id: string,
  how: 'as_it_is' | 'for_update' = 'as_it_is',
): Promise<LoadedRun> {
  const [row] = await db<
    Row[]
  >`${rows(db)} where r.id = ${id} ${how === 'for_update' ? db`for update of r` : db``}`;
  if (!row) throw noRun();
  const names = namesOfRun(row.id, row.workflow_id);
  if (!decide(caller.rights, action, names).allowed)
    throw decide(caller.rights, 'run.read', names).allowed ? denied(caller, action, names[0]) : noRun();
  const { seq, steps: definition } = row;
  return { ...summary(row), seq, definition, runs_as: knownPrincipalIn(row, 'by'), [loaded]: true };
}

/** With its steps, and their kinds and names as they were activated. */
export async function wholeRun(db: Db, loadedRun: LoadedRun): Promise<Run> {
  const { definition, seq, ...run } = loadedRun;
  const done = await db<
    (Omit<RunStep, 'id' | 'kind' | 'name' | 'started_at' | 'finished_at'> & {
      step_id: string;
      started_at: Date;
      finished_at: Date | null;
    })[]
  >`select step_id, seq, state, attempt, started_at, finished_at, output_digest, error
    from workflow_run_steps where run_id = ${run.id} and seq <= ${seq} order by seq`;
  const steps = done.map(({ step_id, started_at, finished_at, ...step }) => {
    const { kind = '', name = '' } = definition.find(({ id }) => id === step_id) ?? {};
    return {
      id: step_id,
      kind,
      name,
      ...step,
      started_at: started_at.toISOString(),
      finished_at: at(finished_at),
    };
  });
  return { ...run, steps };
}

/** One step of it, with what it gave where this caller may see that; null where it never came to that step. */
export async function stepOfRun(
  db: Db,
  caller: Caller,
  { id: run_id, definition, runs_as, started_by, ...run }: LoadedRun,
  seq: number,
): Promise<StepDetail | null> {
  if (seq > run.seq) return null;
  const [row] = await db<{ id: string; step_id: string; output: unknown }[]>`
    select id, step_id, output from workflow_run_steps where run_id = ${run_id} and seq = ${seq}`;
  if (!row) return null;
  const { kind = '', name = '', input = {} } = definition.find(({ id }) => id === row.step_id) ?? {};
  // A step may have read what its reader may not: it was done with someone else's rights.
  const own = [runs_as, started_by].some(
    (who) => caller.user_id !== null && personOf(who) === caller.user_id,
  );
  const withheld = caller.rights.admin || own ? null : WITHHELD;
  const output = withheld === null ? (row.output ?? null) : null;
  return {
    id: row.step_id,
    kind,
    name,
    seq,
    input: maskedInput({ kind, input }),
    output,
    withheld,
    asks: kind === 'ask_person' ? row.id : null,
  };
}

const WITHHELD =
  'a step’s output is visible to the person its run acts for and to administrators: ask one of them';

const personOf = (who: Principal | null): string | undefined =>
  who?.kind === 'person' ? who.id : who?.on_behalf_of?.id;

/** As it is now, for the answer of whoever loaded it and changed it. */
export async function savedRun(db: Db, caller: Caller, id: string): Promise<Run> {
  return wholeRun(db, await loadRun(db, caller, 'run.read', id));
}

/** For `where`, of `workflow_runs r`: those for which the caller's policies allow the action. */
export const readableRuns = (db: Db, { rights }: Caller, action: string) =>
  allowedBy(db, rights, action, { 'run:': db`r.id`, 'workflow:': db`r.workflow_id` }) ?? db`true`;

/** Newest first, as if those that policies deny were not there; `before` is the last id of the page before. */
export async function runRows(
  db: Db,
  caller: Caller,
  asked: { workflow: string | undefined; state: RunState | undefined; before: string | null; count: number },
): Promise<RunSummary[]> {
  const { workflow, state, before, count } = asked;
  const found = await db<Row[]>`
    ${rows(db)} where ${readableRuns(db, caller, 'run.read')} ${state === undefined ? db`` : db`and r.state = ${state}`}
    ${workflow === undefined ? db`` : db`and r.workflow_id = ${workflow}`}
    ${before === null ? db`` : db`and r.id < ${before}`} order by r.id desc limit ${count}`;
  return found.map(summary);
}

export type NewRun = {
  workflow_id: string;
  version: number;
  first: string;
  trigger: Record<string, unknown>;
  depth: number;
  /** The first of the runs that set each other off down to this one; null: it is the first. */
  root_id?: string | null;
  starter: RunStanding | null;
  /** It does not begin: why. */
  error?: string;
};

export async function insertRun(tx: Transaction, run: NewRun, now: Date): Promise<string> {
  const { workflow_id, version, first, trigger, depth, root_id = null, starter, error } = run;
  const id = newId();
  await tx`insert into workflow_runs ${tx({
    id,
    workflow_id,
    version,
    state: error === undefined ? 'queued' : 'failed',
    trigger: json(tx, trigger),
    depth,
    root_id,
    ...principalColumns(tx, 'starter', starter?.by ?? null),
    starter_token_id: starter?.token_id ?? null,
    starter_narrow: starter?.narrow ?? false,
    at_step: error === undefined ? first : null,
    due_at: error === undefined ? now : null,
    error: error ?? null,
    created_at: now,
    finished_at: error === undefined ? null : now,
  })}`;
  return id;
}

/** The step it is at: when it was first tried, and how often. */
export async function stepTried(
  db: Db,
  { id, seq }: LoadedRun,
): Promise<{ id: string; first_at: Date; attempt: number } | null> {
  const [row] = await db<{ id: string; first_at: Date; attempt: number }[]>`
    select id, first_at, attempt from workflow_run_steps where run_id = ${id} and seq = ${seq}`;
  return row ?? null;
}

/** What set off the newest run of a workflow, as its steps read it; null where it never ran. */
export async function newestTrigger(
  db: Reader,
  workflow_id: string,
): Promise<Record<string, unknown> | null> {
  const [row] = await db<{ trigger: { at: string; data: unknown } }[]>`
    select trigger from workflow_runs where workflow_id = ${workflow_id} order by id desc limit 1`;
  if (!row) return null;
  const { at, data } = row.trigger;
  return { at, ...(typeof data === 'object' ? data : {}) };
}
