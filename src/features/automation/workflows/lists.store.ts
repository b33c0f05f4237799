// SQL of the lists of workflows: all of them with their last run, and the activated versions of one.
import type { Caller } from '../../../kernel/caller.ts';
import type { Reader } from '../../../kernel/database.ts';
import { knownPrincipalIn, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { allowedBy } from '../../access/policies/named.store.ts';
import {
  type ListedWorkflow,
  type WorkflowStep,
  type Trigger,
  type Workflow,
  type WorkflowVersion,
} from './contract.ts';
import { readableRuns } from './run/runs.store.ts';
import { masked } from './secrets/secrets.rules.ts';
import { type LoadedWorkflow, shown, type WorkflowRow, workflowsAsRows } from './store.ts';

/** More is counted as so many. */
const MOST_COUNTED = 1_000;

type Ran = {
  workflow_id: string;
  id: string | null;
  state: NonNullable<ListedWorkflow['last_run']>['state'];
  created_at: Date;
  finished_at: Date | null;
  lately: number;
};

/** Newest first, as if those that policies deny were not there; `before` is the last id of the page before. */
export async function workflowRows(
  db: Reader,
  caller: Caller,
  asked: { state: Workflow['state'] | undefined; before: string | null; count: number },
  lately: Date,
): Promise<ListedWorkflow[]> {
  const { state, before, count } = asked;
  const may = allowedBy(db, caller.rights, 'workflow.read', { 'workflow:': db`w.id` }) ?? db`true`;
  const found = await db<WorkflowRow[]>`
    ${workflowsAsRows(db)} where ${may} ${state === undefined ? db`` : db`and w.state = ${state}`}
    ${before === null ? db`` : db`and w.id < ${before}`} order by w.id desc limit ${count}`;
  const ran = await runsOf(
    db,
    caller,
    found.map(({ id }) => id),
    lately,
  );
  return found.map((row) => ({ ...shown(row), ...ranFor(ran.get(row.id)) }));
}

/** The last run of each that the caller may read, and how many began since. Two looks into an index for each of them. */
async function runsOf(db: Reader, caller: Caller, ids: string[], since: Date): Promise<Map<string, Ran>> {
  const may = readableRuns(db, caller, 'run.read');
  const found = await db<Ran[]>`
    select asked.id as workflow_id, last.id, last.state, last.created_at, last.finished_at, counted.lately
    from unnest(${ids}::uuid[]) as asked (id)
    left join lateral (
      select r.id, r.state, r.created_at, r.finished_at from workflow_runs r
      where r.workflow_id = asked.id and ${may} order by r.id desc limit 1) last on true
    cross join lateral (
      select count(*)::int as lately from (
        select from workflow_runs r where r.workflow_id = asked.id and r.created_at > ${since} and ${may} limit ${MOST_COUNTED}) as begun) counted`;
  return new Map(found.map((row) => [row.workflow_id, row]));
}

function ranFor(ran: Ran | undefined): Pick<ListedWorkflow, 'last_run' | 'runs_last_day'> {
  if (!ran || ran.id === null) return { last_run: null, runs_last_day: 0 };
  const { id, state, created_at, finished_at, lately } = ran;
  const last_run = {
    id,
    state,
    created_at: created_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  };
  return { last_run, runs_last_day: lately };
}

/** Newest first; `before` is the last version of the page before. */
export async function versionRows(
  db: Reader,
  { id, active_version }: LoadedWorkflow,
  before: number | null,
  count: number,
): Promise<WorkflowVersion[]> {
  const found = await db<
    (PrincipalColumns<'by'> & {
      version: number;
      name: string;
      trigger: Trigger;
      steps: WorkflowStep[];
      wire_granted: boolean;
      activated_at: Date;
    })[]
  >`select version, name, trigger, steps, by_kind, by_id, by_name, by_on_behalf_of, wire_granted, activated_at
    from workflow_versions where workflow_id = ${id} ${before === null ? db`` : db`and version < ${before}`}
    order by version desc limit ${count}`;
  return found.map((row) => ({
    version: row.version,
    name: row.name,
    trigger: row.trigger,
    steps: masked(row.steps),
    runs_as: knownPrincipalIn(row, 'by'),
    wire_granted: row.wire_granted,
    activated_at: row.activated_at.toISOString(),
    active: row.version === active_version,
  }));
}
