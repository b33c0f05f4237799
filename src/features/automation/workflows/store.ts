// All SQL of workflows and their activated versions: the loader, which knows the caller, and the writes to its rows.
import { type Caller, type Principal } from '../../../kernel/caller.ts';
import { json, type Reader, type Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { denied } from '../../../kernel/denied.ts';
import { decide } from '../../../kernel/policy.ts';
import {
  knownPrincipalIn,
  principalColumns,
  type PrincipalColumns,
  principalIn,
} from '../../../kernel/principal-row.ts';
import { notFound } from '../../../kernel/refusal.ts';
import { type WorkflowStep, type Trigger, type Workflow, workflowName } from './contract.ts';
import { PAUSED, type PausedWhy } from './budget/budget.rules.ts';
import type { GivenRecord } from './given/given.rules.ts';
import { masked, plainCredentials } from './secrets/secrets.rules.ts';
import type { RunStanding } from './run/whom.ts';

type Db = Reader | Transaction;

const loaded = Symbol('loaded');

/** A workflow that its caller may have for the action it was loaded for. */
export type LoadedWorkflow = Workflow & { readonly [loaded]: true };

export type WorkflowRow = PrincipalColumns<'created_by' | 'by'> & {
  id: string;
  name: string;
  state: Workflow['state'];
  version: number;
  active_version: number | null;
  trigger: Trigger;
  steps: WorkflowStep[];
  wire_granted: boolean | null;
  next_at: Date | null;
  paused_why: PausedWhy | null;
  paused_at: Date | null;
  revision: number;
  created_at: Date;
  updated_at: Date;
};

export const workflowsAsRows = (db: Db) => db`
  select w.*, v.by_kind, v.by_id, v.by_name, v.by_on_behalf_of, v.wire_granted
  from workflows w left join workflow_versions v on v.workflow_id = w.id and v.version = w.active_version`;

export function shown(row: WorkflowRow): LoadedWorkflow {
  const { id, name, state, version, active_version, trigger, steps, revision } = row;
  const runs_as = principalIn(row, 'by');
  return {
    id,
    name,
    state,
    version,
    active_version,
    trigger,
    steps: masked(steps),
    plain_credentials: plainCredentials(steps),
    runs_as,
    wire_granted_by: row.wire_granted ? runs_as : null,
    next_at: row.next_at?.toISOString() ?? null,
    paused: row.paused_why &&
      row.paused_at && { sentence: PAUSED[row.paused_why], at: row.paused_at.toISOString() },
    revision,
    created_by: knownPrincipalIn(row, 'created_by'),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    [loaded]: true,
  };
}

export const noWorkflow = () => notFound('workflow', 'GET /api/workflows lists workflows');

/** `for_update`: no one else changes it until the act is over. */
export async function loadWorkflow(
  db: Db,
  caller: Caller,
  action: string,
  id: string,
  how: 'as_it_is' | 'for_update' = 'as_it_is',
): Promise<LoadedWorkflow> {
  const [row] = await db<
    WorkflowRow[]
  >`${workflowsAsRows(db)} where w.id = ${id} ${how === 'for_update' ? db`for update of w` : db``}`;
  if (!row) throw noWorkflow();
  const names = [workflowName(row.id)];
  if (!decide(caller.rights, action, names).allowed)
    throw decide(caller.rights, 'workflow.read', names).allowed
      ? denied(caller, action, names[0])
      : noWorkflow();
  return shown(row);
}

/** As it is now, for the answer of whoever has loaded it and changed it. */
export async function savedWorkflow(db: Db, id: string): Promise<LoadedWorkflow> {
  const [row] = await db<WorkflowRow[]>`${workflowsAsRows(db)} where w.id = ${id}`;
  if (!row) throw noWorkflow();
  return shown(row);
}

export async function insertWorkflow(
  tx: Transaction,
  { name, trigger, steps }: { name: string; trigger: Trigger; steps: WorkflowStep[] },
  by: Principal,
  now: Date,
): Promise<string> {
  const id = newId();
  await tx`insert into workflows ${tx({
    id,
    name,
    trigger: tx.json(trigger),
    steps: json(tx, steps),
    ...principalColumns(tx, 'created_by', by),
    created_at: now,
    updated_at: now,
  })}`;
  return id;
}

export async function saveDefinition(
  tx: Transaction,
  id: string,
  {
    name,
    trigger,
    steps,
  }: { name?: string | undefined; trigger?: Trigger | undefined; steps?: WorkflowStep[] | undefined },
  now: Date,
): Promise<void> {
  const changes = {
    updated_at: now,
    ...(name !== undefined && { name }),
    ...(trigger && { trigger: tx.json(trigger) }),
    ...(steps && { steps: json(tx, steps) }),
  };
  const again = trigger !== undefined || steps !== undefined;
  await tx`
    update workflows set ${tx(changes)}, revision = revision + 1, version = version + ${again ? 1 : 0}
    where id = ${id}`;
}

export type Activation = RunStanding & {
  wire_granted: boolean;
  given: readonly GivenRecord[];
  listens: string | null;
  next_at: Date | null;
};

/** Pins this version; whoever activates it last is whom its runs act as. */
export async function saveActivation(
  tx: Transaction,
  { id, name, version, trigger, steps }: LoadedWorkflow,
  { by, token_id, narrow, wire_granted, given, listens, next_at }: Activation,
  now: Date,
): Promise<void> {
  const who = {
    ...principalColumns(tx, 'by', by),
    token_id,
    narrow,
    wire_granted,
    activated_at: now,
    withdrawn_at: null,
    given: tx.json([...given]),
  };
  await tx`
    insert into workflow_versions ${tx({
      workflow_id: id,
      version,
      name,
      trigger: tx.json(trigger),
      steps: json(tx, steps),
      ...who,
    })}
    on conflict (workflow_id, version) do update set ${tx({ name, ...who })}`;
  const listens_form = trigger.kind === 'form' ? trigger.form_id : null;
  await tx`
    update workflows set ${tx({ state: 'active', active_version: version, listens, listens_form, next_at, updated_at: now, paused_why: null, paused_at: null })},
      revision = revision + 1 where id = ${id}`;
}

/** What a run of it runs now; null where it is not active. */
export async function activeVersion(
  db: Db,
  { id, active_version }: LoadedWorkflow,
): Promise<{ version: number; first: string } | null> {
  if (active_version === null) return null;
  const [row] = await db<{ steps: WorkflowStep[] }[]>`
    select steps from workflow_versions where workflow_id = ${id} and version = ${active_version}`;
  const first = row?.steps[0]?.id;
  return first === undefined ? null : { version: active_version, first };
}

/** The version that runs are set off with, locked until the act is over; null where the workflow is not active. */
export async function holdActiveVersion(tx: Transaction, id: string): Promise<number | null> {
  const [row] = await tx<{ active_version: number | null }[]>`
    select active_version from workflows where id = ${id} for share`;
  return row?.active_version ?? null;
}

/** The wire that was given to its versions is withdrawn with it. */
export async function saveDeactivation(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx`update workflow_versions set withdrawn_at = ${now} where workflow_id = ${id} and withdrawn_at is null`;
  await tx`
    update workflows set ${tx({ state: 'inactive', active_version: null, listens: null, listens_form: null, next_at: null, updated_at: now })},
      revision = revision + 1 where id = ${id}`;
}

/** False: runs of it are open. */
export async function deleteWorkflow(tx: Transaction, id: string): Promise<boolean> {
  const gone = await tx`
    delete from workflows where id = ${id} and not exists (
      select from workflow_runs where workflow_id = ${id} and finished_at is null) returning 1`;
  return gone.length > 0;
}

export async function listedHosts(db: Db): Promise<string[]> {
  const found = await db<{ host: string }[]>`select host from workflow_hosts order by host collate "C"`;
  return found.map(({ host }) => host);
}

export async function replaceHosts(
  tx: Transaction,
  hosts: readonly string[],
  by: Principal,
  now: Date,
): Promise<void> {
  await tx`delete from workflow_hosts where host <> all(${[...hosts]}::text[])`;
  for (const host of hosts)
    await tx`insert into workflow_hosts ${tx({ host, ...principalColumns(tx, 'added_by', by), added_at: now })}
      on conflict (host) do nothing`;
}
