// All SQL of approvals that are read and decided, and the only way to have one: a loader that names the action and the
// caller. What opens and closes them for other features is in open.store.ts.
import { type Caller, nameOf, type Principal } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { decide, demandSeen, projectName, type Rights } from '../../../kernel/policy.ts';
import { knownPrincipalIn, type PrincipalColumns, principalIn } from '../../../kernel/principal-row.ts';
import { type Refusal, notFound } from '../../../kernel/refusal.ts';
import { allowedBy } from '../../access/policies/named.store.ts';
import { itemName } from '../work/item/items.store.ts';
import { visibleIds } from '../work/projects.store.ts';
import { decideApproval } from './approval-states.store.ts';
import { type Approval, APPROVAL_KINDS } from './contract.ts';
import type { Decision } from './rules.ts';

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
  notFound('approval in a project you can see', 'GET /api/approvals lists pending approvals');

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
  const card = row.kind === 'work_review' ? [itemName(row.subject_id)] : null;
  if (card && !decide(asToCards(caller.rights), CARD_READ, [...approval.names, ...card]).allowed)
    throw noApproval();
  return { ...toFacts(row), [loaded]: true };
}

/** Of these kinds, those alone whose subjects have one of these keys. */
export type SeenKeys = readonly { kind: Approval['kind']; seen: readonly string[] }[];

export type Listing = {
  state: Approval['state'] | 'any';
  project: string | undefined;
  kind: Approval['kind'] | undefined;
  subject: string | undefined;
  after: readonly [created_at: string, id: string] | null;
  count: number;
};

const CARD_READ = 'work.item.read';

/** An approval of a card shows its title: where policies deny the card, they deny what waits for it. */
const asToCards = (rights: Rights): Rights => ({
  ...rights,
  policies: [
    ...rights.policies,
    { name: '', statements: [{ effect: 'allow', actions: [CARD_READ], resources: ['*'] }] },
  ],
});

/** For `where`, of `approvals a` with their `work_projects p`: those for which the caller's policies allow the action. */
function readable(db: Reader, { rights }: Caller, action: string, keys: SeenKeys) {
  const own = (kind: Approval['kind']) => db`case when a.kind = ${kind} then a.id end`;
  const kinds = APPROVAL_KINDS.map((kind) => [`approval:${kind}/`, own(kind)] as const);
  const project = { 'work:project/': { text: db`p.key` } };
  const itself = allowedBy(db, rights, action, { ...project, ...Object.fromEntries(kinds) }) ?? db`true`;
  const card = { ...project, 'work:item/': db`case when a.kind = 'work_review' then a.subject_id end` };
  const cards = allowedBy(db, asToCards(rights), CARD_READ, card);
  return keys
    .map(({ kind, seen }) => db`and (a.kind <> ${kind} or a.subject_key = any(${[...seen]}::text[]))`)
    .reduce(
      (all, one) => db`${all} ${one}`,
      db`${itself} ${cards === null ? db`` : db`and (a.kind <> 'work_review' or ${cards})`}`,
    );
}

/** Oldest first, and of one subject newest first, as if those that the caller may not have were not there. */
export async function listApprovals(
  db: Reader,
  caller: Caller,
  action: string,
  asked: Listing,
  keys: SeenKeys,
): Promise<ApprovalFacts[]> {
  const { state, project, kind, subject, after } = asked;
  const newest = subject !== undefined;
  const projects = await visibleIds(db, caller, action);
  const rows = await db<Row[]>`
    ${select(db)}
    where ${readable(db, caller, action, keys)}
      ${projects === 'all' ? db`` : db`and (a.project_id is null or a.project_id = any(${projects}))`}
      ${state === 'any' ? db`` : db`and a.state = ${state}`}
      ${project === undefined ? db`` : isUuid(project) ? db`and a.project_id = ${project}` : db`and p.key = upper(${project})`}
      ${kind === undefined ? db`` : db`and a.kind = ${kind}`}
      ${subject === undefined ? db`` : db`and a.subject_id = ${subject}`}
      ${after === null ? db`` : db`and (a.created_at, a.id) ${newest ? db`<` : db`>`} (${after[0]}, ${after[1]})`}
    order by ${newest ? db`a.created_at desc, a.id desc` : db`a.created_at, a.id`}
    limit ${asked.count}`;
  return rows.map(toFacts);
}

/** Writes a decision down; null where someone else was first. */
export async function saveDecision(
  tx: Transaction,
  approval: LoadedApproval,
  decision: Decision,
  note: string | undefined,
  by: Principal,
  now: Date,
): Promise<ApprovalFacts | null> {
  if (!(await decideApproval(tx, approval, decision, note, by, now))) return null;
  const [row] = await tx<Row[]>`${select(tx)} where a.id = ${approval.id}`;
  return row ? toFacts(row) : null;
}
