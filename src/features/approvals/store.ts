// All SQL of approvals that are read and decided, and the only way to have one: a loader that names the action and the
// caller. What opens and closes them for other features is in open.store.ts.
import { type Caller, nameOf, type Principal } from '../../kernel/caller.ts';
import type { Reader, Transaction } from '../../kernel/ground.ts';
import { isUuid } from '../../kernel/ids.ts';
import { decide, demandSeen, projectName } from '../../kernel/policy.ts';
import {
  knownPrincipalIn,
  type PrincipalColumns,
  principalColumns,
  principalIn,
} from '../../kernel/principal-row.ts';
import { notFound, type Refusal } from '../../kernel/refusal.ts';
import { visibleIds } from '../work/projects.store.ts';
import type { Approval } from './contract.ts';
import { type Decision, STATE_AFTER } from './rules.ts';

const loaded = Symbol('loaded');

/** An approval without what depends on who looks at it. */
export type ApprovalFacts = Omit<Approval, 'act' | 'can_decide' | 'why_not'>;

/** An approval that its caller may have for the action it was loaded for. */
export type LoadedApproval = ApprovalFacts & { readonly [loaded]: true };

type Row = PrincipalColumns<'requested_by' | 'author' | 'decided_by'> & {
  id: string;
  kind: Approval['kind'];
  subject_kind: string;
  subject_id: string;
  subject_key: string;
  subject_title: string;
  subject_revision: number;
  project_id: string | null;
  project_key: string | null;
  state: Approval['state'];
  note: string | null;
  decided_at: Date | null;
  created_at: Date;
};

const select = (db: Reader) => db`
  select a.id, a.kind, a.subject_kind, a.subject_id, a.subject_key, a.subject_title, a.subject_revision, a.project_id,
    p.key as project_key, a.requested_by_kind, a.requested_by_id, a.requested_by_name, a.requested_by_on_behalf_of,
    a.author_kind, a.author_id, a.author_name, a.author_on_behalf_of, a.state, a.note, a.decided_by_kind, a.decided_by_id,
    a.decided_by_name, a.decided_by_on_behalf_of, a.decided_at, a.created_at
  from approvals a left join work_projects p on p.id = a.project_id`;

/** The names policy knows an approval by: its project's first. */
const namesOf = (row: Row): string[] => [
  ...(row.project_key === null ? [] : [projectName(row.project_key)]),
  `approval:${row.kind}/${row.id}`,
];

export const approvalName = (approval: Pick<ApprovalFacts, 'kind' | 'id'>): string =>
  `approval:${approval.kind}/${approval.id}`;

function toFacts(row: Row): ApprovalFacts {
  const { id, kind, project_id, state, note, decided_at } = row;
  const subject = {
    kind: row.subject_kind,
    id: row.subject_id,
    key: row.subject_key,
    title: row.subject_title,
    revision: row.subject_revision,
  };
  return {
    id,
    kind,
    subject,
    project_id,
    requested_by: knownPrincipalIn(row, 'requested_by'),
    author: knownPrincipalIn(row, 'author'),
    state,
    note,
    decided_by: principalIn(row, 'decided_by'),
    decided_at: decided_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

export const noApproval = (): Refusal =>
  notFound('no approval of a project you see has that id: GET /api/approvals lists what waits');

export async function loadApproval(
  db: Reader,
  caller: Caller,
  action: string,
  id: string,
): Promise<LoadedApproval> {
  const [row] = await db<Row[]>`${select(db)} where a.id = ${id}`;
  if (!row) throw noApproval();
  const approval = { project: row.project_key, names: namesOf(row) };
  demandSeen(caller.rights, nameOf(caller), action, approval, noApproval);
  return { ...toFacts(row), [loaded]: true };
}

export type Listing = {
  state: Approval['state'] | 'any';
  project: string | undefined;
  kind: Approval['kind'] | undefined;
  subject: string | undefined;
  after: readonly [created_at: string, id: string] | null;
  count: number;
};

/**
 * Oldest first, and of one subject newest first.
 * `hidden` says which rows the caller's policies deny one by one.
 */
export async function listApprovals(
  db: Reader,
  caller: Caller,
  action: string,
  asked: Listing,
): Promise<{ row: ApprovalFacts; hidden: boolean }[]> {
  const { state, project, kind, subject, after } = asked;
  const newest = subject !== undefined;
  const projects = await visibleIds(db, caller, action);
  const rows = await db<Row[]>`
    ${select(db)}
    where true
      ${projects === 'all' ? db`` : db`and (a.project_id is null or a.project_id = any(${projects}))`}
      ${state === 'any' ? db`` : db`and a.state = ${state}`}
      ${project === undefined ? db`` : isUuid(project) ? db`and a.project_id = ${project}` : db`and p.key = upper(${project})`}
      ${kind === undefined ? db`` : db`and a.kind = ${kind}`}
      ${subject === undefined ? db`` : db`and a.subject_id = ${subject}`}
      ${after === null ? db`` : db`and (a.created_at, a.id) ${newest ? db`<` : db`>`} (${after[0]}, ${after[1]})`}
    order by ${newest ? db`a.created_at desc, a.id desc` : db`a.created_at, a.id`}
    limit ${asked.count}`;
  return rows.map((row) => ({
    row: toFacts(row),
    hidden: !decide(caller.rights, action, namesOf(row)).allowed,
  }));
}

/** Writes a decision down; null where somebody else was first. The schema itself refuses an agent and the author. */
export async function saveDecision(
  tx: Transaction,
  approval: LoadedApproval,
  decision: Decision,
  note: string | undefined,
  by: Principal,
  now: Date,
): Promise<ApprovalFacts | null> {
  const [row] = await tx<Row[]>`
    with saved as (
      update approvals set ${tx({ state: STATE_AFTER[decision], note: note ?? null, decided_at: now, ...principalColumns(tx, 'decided_by', by) })}
      where id = ${approval.id} and state = 'pending' and subject_revision = ${approval.subject.revision}
      returning *)
    select a.*, p.key as project_key from saved a left join work_projects p on p.id = a.project_id`;
  return row ? toFacts(row) : null;
}
