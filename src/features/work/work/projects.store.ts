// All SQL of projects, and the only way to have one: through a loader that names the action and the caller.
import type { Caller } from '../../../kernel/caller.ts';
import { nameOf } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { isUuid, newId } from '../../../kernel/ids.ts';
import { allowedProjects, demandSeen, projectName } from '../../../kernel/policy.ts';
import { type Refusal, notFound } from '../../../kernel/refusal.ts';
import { allowedBy } from '../../access/policies/named.store.ts';
import type { ListedProject, Project } from './contract.ts';

const loaded = Symbol('loaded');

/** A project that its caller may have for the action it was loaded for. */
export type LoadedProject = Project & { readonly [loaded]: true };

export const noProject = (): Refusal =>
  notFound('project on your board', 'GET /api/work/projects lists projects', 'id or key');

type ProjectRow = Omit<Project, 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date };

const columns = (db: Reader) => db`
  p.id, p.key, p.name, p.description, p.lead, p.review_limit, p.default_needs_review, p.labels, p.custom_fields,
  p.column_titles, p.revision, p.created_at, p.updated_at,
  array(select user_id from work_project_members m where m.project_id = p.id order by user_id) as members`;

/** By id or by key, in any letter case. */
export function refersTo(db: Reader, ref: string) {
  const byId: boolean = isUuid(ref);
  return byId ? db`p.id = ${ref}` : db`p.key = ${ref.toUpperCase()}`;
}

function toProject(row: ProjectRow): Project {
  return { ...row, created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() };
}

/** Throws where `action` on the project is not the caller's. */
export function guardProject(caller: Caller, action: string, key: string): void {
  const project = { project: key, names: [projectName(key)] };
  demandSeen(caller.rights, nameOf(caller), action, project, noProject);
}

export async function loadProject(
  db: Reader,
  caller: Caller,
  action: string,
  ref: string,
): Promise<LoadedProject> {
  const [row] = await db<ProjectRow[]>`select ${columns(db)} from work_projects p where ${refersTo(db, ref)}`;
  if (!row) throw noProject();
  guardProject(caller, action, row.key);
  return { ...toProject(row), [loaded]: true };
}

/** The projects whose things a list may show, or `all`: whoever may do everything everywhere needs no filter. */
export async function visibleProjects(
  db: Reader,
  caller: Caller,
  action: string,
): Promise<{ id: string; key: string }[] | 'all'> {
  if (caller.rights.admin && caller.rights.projects === null) return 'all';
  const all = await db<{ id: string; key: string }[]>`select id, key from work_projects`;
  return allowedProjects(caller.rights, action, all);
}

export async function visibleIds(db: Reader, caller: Caller, action: string): Promise<string[] | 'all'> {
  const visible = await visibleProjects(db, caller, action);
  return visible === 'all' ? visible : visible.map((project) => project.id);
}

const NONE = { backlog: 0, todo: 0, in_progress: 0, in_review: 0, done: 0, cancelled: 0 };

/** For `where`, of `work_items i` in `work_projects p`: those that the caller may read, on whichever board. */
export const readableItems = (db: Reader, { rights }: Caller) =>
  allowedBy(db, rights, 'work.item.read', { 'work:project/': { text: db`p.key` }, 'work:item/': db`i.id` }) ??
  db`true`;

/** By key, with how many items the caller may read are in each column: one query, one index scan a listed project. */
export async function listProjects(
  db: Reader,
  caller: Caller,
  action: string,
  page: { after: string | null; count: number },
): Promise<ListedProject[]> {
  const visible = await visibleProjects(db, caller, action);
  const rows = await db<(ProjectRow & { counts: Partial<ListedProject['counts']> | null })[]>`
    select ${columns(db)}, (
        select jsonb_object_agg(c.status, c.count) from (
          select i.status, count(*) from work_items i where i.project_id = p.id and ${readableItems(db, caller)} group by i.status) c
      ) as counts
    from work_projects p
    where true
      ${visible === 'all' ? db`` : db`and p.id = any(${visible.map((p) => p.id)})`}
      ${page.after === null ? db`` : db`and p.key collate "C" > ${page.after}`}
    order by p.key collate "C" limit ${page.count}`;
  return rows.map((row) => ({ ...toProject(row), counts: { ...NONE, ...row.counts } }));
}

export type ProjectFields = Partial<
  Pick<
    Project,
    | 'name'
    | 'description'
    | 'lead'
    | 'review_limit'
    | 'default_needs_review'
    | 'labels'
    | 'custom_fields'
    | 'column_titles'
  >
>;

const written = (tx: Transaction, { custom_fields, column_titles, ...plain }: ProjectFields) => ({
  ...plain,
  ...(custom_fields && { custom_fields: tx.json(custom_fields) }),
  ...(column_titles && { column_titles: tx.json(column_titles) }),
});

/** Null where the key is taken. */
export async function insertProject(
  tx: Transaction,
  given: ProjectFields & { key: string; name: string },
  members: string[] | undefined,
  now: Date,
): Promise<Project | null> {
  const id = newId();
  const row = { id, key: given.key, created_at: now, updated_at: now, ...written(tx, given) };
  const made = await tx`insert into work_projects ${tx(row)} on conflict (key) do nothing returning id`;
  if (made.length === 0) return null;
  if (members) await setMembers(tx, id, members);
  return await readAgain(tx, id);
}

/** Null where the project changed since it was read: the guard and the change are one statement. */
export async function saveProject(
  tx: Transaction,
  project: LoadedProject,
  revision: number,
  change: ProjectFields,
  members: string[] | undefined,
  now: Date,
): Promise<Project | null> {
  const row = { ...written(tx, change), updated_at: now };
  const saved = await tx`
    update work_projects set ${tx(row)}, revision = revision + 1
    where id = ${project.id} and revision = ${revision} returning id`;
  if (saved.length === 0) return null;
  if (members) await setMembers(tx, project.id, members);
  return await readAgain(tx, project.id);
}

async function setMembers(tx: Transaction, project_id: string, members: string[]): Promise<void> {
  await tx`delete from work_project_members where project_id = ${project_id}`;
  await tx`insert into work_project_members (project_id, user_id) select ${project_id}, id from users where id = any(${members})`;
}

/** Which of these are users; a project's lead and members must be. */
export async function knownUsers(db: Reader, ids: string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select id from users where id = any(${ids})`;
  return rows.map((row) => row.id);
}

/** The revision that is now, for the sentence of a refused change. */
export async function readAgain(tx: Transaction, id: string): Promise<Project> {
  const [row] = await tx<ProjectRow[]>`select ${columns(tx)} from work_projects p where p.id = ${id}`;
  if (!row) throw new Error('a project that was just written is gone');
  return toProject(row);
}
