// The loaders of work items: the only way to have one is through a loader that names the action and the caller. What writes
// them (save.store.ts) takes the loaded row, never an id.
import { type Caller, nameOf, type Principal } from '../../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import { demandSeen, projectName, sees } from '../../../../kernel/policy.ts';
import { type Refusal, invalid, notFound } from '../../../../kernel/refusal.ts';
import { WORK_ITEM_UUID } from '../../../../kernel/sentences.ts';
import type { Project } from '../contract.ts';
import type { Item } from '../items.contract.ts';
import type { LoadedProject } from '../projects.store.ts';
import { CARD_COLUMNS, ITEM_COLUMNS, toItem, type ItemRow } from './row.ts';

const home = Symbol('home');

/** What of its project an item's rules need. */
export type Home = Pick<Project, 'id' | 'key' | 'review_limit' | 'custom_fields'>;

/** An item that its caller may have for the action it was loaded for. Its project goes with it, and into no answer. */
export type LoadedItem = Item & { readonly [home]: Home };

export const homeOf = (item: LoadedItem): Home => item[home];

export const itemName = (id: string): string => `work:item/${id}`;

const noItem = (): Refusal => notFound('work item on your board', 'work_search searches items');

type LoadedRow = ItemRow & {
  project_key: string;
  review_limit: number;
  custom_fields: Project['custom_fields'];
};

export const cardColumns = (db: Reader) => db`
  i.id, p.key || '-' || i.number as key, ${db(CARD_COLUMNS)}, i.assignee_kind, i.assignee_id,
  i.assignee_name, i.assignee_on_behalf_of, i.claim_kind, i.claim_id, i.claim_name, i.claim_on_behalf_of, i.claim_since,
  i.claim_expires_at`;

/** Of `work_items i` joined to `work_projects p`. */
export const itemColumns = (db: Reader) => db`
  ${cardColumns(db)}, ${db(ITEM_COLUMNS)}, i.author_kind, i.author_id, i.author_name, i.author_on_behalf_of,
  i.created_at, i.updated_at, i.completed_at,
  array(select b.blocked_by_id from work_blocks b where b.item_id = i.id order by 1) as blocked_by,
  p.key as project_key, p.review_limit, p.custom_fields`;

export function asLoaded(row: ItemRow, project: Home): LoadedItem {
  return { ...toItem(row), [home]: project };
}

function guarded(row: LoadedRow, caller: Caller, action: string): LoadedItem {
  const item = { project: row.project_key, names: [projectName(row.project_key), itemName(row.id)] };
  demandSeen(caller.rights, nameOf(caller), action, item, noItem);
  return asLoaded(row, {
    id: row.project_id,
    key: row.project_key,
    review_limit: row.review_limit,
    custom_fields: row.custom_fields,
  });
}

/** Why an id leads to no item: it may be that of a project the caller sees (specification §7), or nothing's. */
async function absent(db: Reader, caller: Caller, item_id: string): Promise<Refusal> {
  const [project] = await db<{ key: string }[]>`select key from work_projects where id = ${item_id}`;
  return project && sees(caller.rights, { project: project.key, names: [projectName(project.key)] })
    ? invalid(WORK_ITEM_UUID, { item_id: WORK_ITEM_UUID })
    : noItem();
}

export async function loadItem(
  db: Reader,
  caller: Caller,
  action: string,
  item_id: string,
): Promise<LoadedItem> {
  const [row] = await db<LoadedRow[]>`
    select ${itemColumns(db)} from work_items i join work_projects p on p.id = i.project_id where i.id = ${item_id}`;
  if (!row) throw await absent(db, caller, item_id);
  return guarded(row, caller, action);
}

/** Loads an item and keeps everyone else from changing it until this act is over. */
export async function lockItem(
  tx: Transaction,
  caller: Caller,
  action: string,
  item_id: string,
): Promise<LoadedItem> {
  const [, item] = await Promise.all([holdStill(tx, item_id), loadItem(tx, caller, action, item_id)]);
  return item;
}

/**
 * Keeps an item as it is, and hands nothing out. Whoever needs an item and its approval takes the item first, always: two
 * acts that took them in different orders would wait for each other.
 */
export async function holdStill(tx: Transaction, item_id: string): Promise<void> {
  await tx`select 1 from work_items where id = ${item_id} for no key update`;
}

/**
 * The best todo item of a project that no one holds, locked: the most urgent, then the oldest. Left out are those another
 * worker takes in the same moment, those that wait for another item, and those assigned to someone else.
 */
export async function lockNext(
  tx: Transaction,
  caller: Caller,
  action: string,
  project: LoadedProject,
  by: Principal,
  now: Date,
): Promise<LoadedItem | null> {
  const [row] = await tx<{ id: string }[]>`
    select i.id from work_items i
    where i.project_id = ${project.id} and i.status = 'todo'
      and (i.claim_expires_at is null or i.claim_expires_at <= ${now})
      and (i.assignee_id is null or i.assignee_id = ${by.id})
      and not exists (
        select 1 from work_blocks b join work_items o on o.id = b.blocked_by_id
        where b.item_id = i.id and o.status not in ('done', 'cancelled'))
    order by i.priority desc, i.number
    limit 1 for no key update of i skip locked`;
  return row ? await loadItem(tx, caller, action, row.id) : null;
}

/** What this worker holds in a project already, locked: the claim that they have had longest. */
export async function lockHeld(
  tx: Transaction,
  caller: Caller,
  action: string,
  project: LoadedProject,
  by: Principal,
  now: Date,
): Promise<LoadedItem | null> {
  const [row] = await tx<{ id: string }[]>`
    select i.id from work_items i
    where i.project_id = ${project.id} and i.claim_kind = ${by.kind} and i.claim_id = ${by.id}
      and i.claim_expires_at > ${now} and i.status not in ('done', 'cancelled')
    order by i.claim_since, i.number
    limit 1 for no key update of i`;
  return row ? await loadItem(tx, caller, action, row.id) : null;
}

export async function countParked(db: Reader, project_id: string): Promise<number> {
  const [row] = await db<{ parked: number }[]>`
    select count(*)::int as parked from work_items where project_id = ${project_id} and status = 'in_review'`;
  return row?.parked ?? 0;
}
