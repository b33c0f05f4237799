// What writes items: one statement for the row, one for its history, both of the item as it was loaded and locked. A write of
// whoever holds the claim renews it; work that is over is held by no one.
import { type Author, type Principal, sameWorker } from '../../../../kernel/caller.ts';
import { after } from '../../../../kernel/clock.ts';
import { json, type Transaction } from '../../../../kernel/database.ts';
import { newId } from '../../../../kernel/ids.ts';
import { principalColumns } from '../../../../kernel/principal-row.ts';
import type { Card } from '../contract.ts';
import { changesOf, type Field, type FieldChange, PLAIN } from './changes.rules.ts';
import type { Item } from '../items.contract.ts';
import { asLoaded, homeOf, itemColumns, type Home, type LoadedItem } from './items.store.ts';
import type { ItemRow } from './row.ts';
import { arrivesOnTop, isOver, LEASE_MS, liveClaim } from '../rules.ts';
import { itemVector } from '../../../../kernel/words.ts';

export type ItemChange = Partial<Pick<Item, Field>> & {
  /** Goes with the status: the schema refuses one without the other. */
  approval_id?: string | null;
  position?: number;
  /** The new holder of the claim, or null to give it up; where nothing is said the claim stays, renewed by its holder. */
  holder?: Principal | null;
};

export type Saved = { item: LoadedItem; changes: FieldChange[] };

/** The gap that new cards leave, so that others can be put between. */
const GAP = 1024;

/**
 * The place of a card that arrives in a column, by where the column's first or last card exists: part of the statement that
 * writes the card, since asked for on its own it costs a move a round trip of five.
 */
const arrival = (tx: Transaction, project_id: string, status: Card['status']) =>
  arrivesOnTop(status)
    ? tx`(select coalesce(min(position) - ${GAP}, 0) from work_items where project_id = ${project_id} and status = ${status})`
    : tx`(select coalesce(max(position), 0) + ${GAP} from work_items where project_id = ${project_id} and status = ${status})`;

/** What of a card a change of its column, its claim or its place leaves alone. */
const contentOf = (tx: Transaction, item: Item) => ({
  ...Object.fromEntries(PLAIN.filter((field) => field !== 'status').map((field) => [field, item[field]])),
  links: tx.json(item.links),
  custom: json(tx, item.custom),
  ...principalColumns(tx, 'assignee', item.assignee),
  search: itemVector(item.title, item.key),
});

/** The item's claim after this write. */
function claimAfter(item: LoadedItem, change: ItemChange, { by, now }: Author): Card['claim'] {
  const live = liveClaim(item, now);
  if (change.holder === null || isOver(change.status ?? item.status)) return null;
  const renewed = {
    holder: live?.holder ?? by,
    since: live?.since ?? now.toISOString(),
    expires_at: after(now, LEASE_MS).toISOString(),
  };
  if (change.holder !== undefined && !(live && sameWorker(live.holder, change.holder)))
    return { ...renewed, holder: change.holder, since: now.toISOString() };
  return live && sameWorker(live.holder, by) ? renewed : live;
}

/** History says who took a card, gave it back or lost it; it does not say that a lease was renewed. */
function claimChange(before: Card['claim'], after: Card['claim']): FieldChange[] {
  if (before && after && sameWorker(before.holder, after.holder)) return [];
  return before || after ? [{ field: 'claim', from: before?.holder ?? null, to: after?.holder ?? null }] : [];
}

/** Saves a loaded item. Only a change that its history keeps counts as a new revision: renewing a claim does not. */
export async function saveItem(
  tx: Transaction,
  item: LoadedItem,
  change: ItemChange,
  author: Author,
): Promise<Saved> {
  const { now } = author;
  const fields = changesOf(item, change);
  const claim = claimAfter(item, change, author);
  const changes = [...fields, ...claimChange(liveClaim(item, now), claim)];
  const moved = change.status !== undefined && change.status !== item.status;
  const next = { ...item, ...change };
  const position = change.position ?? (moved ? arrival(tx, item.project_id, next.status) : item.position);
  const row = {
    status: next.status,
    approval_id: next.approval_id,
    ...principalColumns(tx, 'claim', claim?.holder ?? null),
    claim_since: claim?.since ?? null,
    claim_expires_at: claim?.expires_at ?? null,
    revision: item.revision + (fields.length > 0 ? 1 : 0),
    updated_at: fields.length > 0 ? now : item.updated_at,
    completed_at: next.status !== 'done' ? null : moved ? now : item.completed_at,
    ...(fields.some(({ field }) => field !== 'status') && contentOf(tx, next)),
  };
  if (fields.some((f) => f.field === 'blocked_by')) await setBlocks(tx, item, next.blocked_by);
  const [[saved]] = await Promise.all([
    tx<ItemRow[]>`
      update work_items i set ${tx(row)}, position = ${position} from work_projects p
      where p.id = i.project_id and i.id = ${item.id} returning ${itemColumns(tx)}`,
    insertChanges(tx, item.id, changes, author),
  ]);
  if (!saved) throw new Error('an item that was locked is gone');
  return { item: asLoaded(saved, homeOf(item)), changes };
}

async function insertChanges(
  tx: Transaction,
  item_id: string,
  changes: FieldChange[],
  { by, now }: Author,
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ field, from, to }) => ({
    id: newId(),
    item_id,
    at: now,
    ...principalColumns(tx, 'by', by),
    field,
    old: json(tx, from ?? null),
    new: json(tx, to ?? null),
  }));
  await tx`insert into work_changes ${tx(rows)}`;
}

async function setBlocks(
  tx: Transaction,
  item: { id: string; project_id: string },
  blocked_by: string[],
): Promise<void> {
  await tx`delete from work_blocks where item_id = ${item.id}`;
  if (blocked_by.length > 0)
    await tx`insert into work_blocks (project_id, item_id, blocked_by_id)
             select ${item.project_id}, ${item.id}, unnest(${blocked_by}::uuid[])`;
}

export type NewItem = Pick<Item, Exclude<Field, 'status'>> & {
  status: 'backlog' | 'todo';
  position: number | undefined;
};

/** Makes an item, with the next number of its project: concurrent makers wait for each other on the project's row. */
export async function insertItem(
  tx: Transaction,
  project: Home,
  given: NewItem,
  author: Author,
): Promise<LoadedItem> {
  const { by, now } = author;
  const id = newId();
  const [[numbered], [arrived]] = await Promise.all([
    tx<{ number: number }[]>`
      update work_projects set next_number = next_number + 1 where id = ${project.id} returning next_number - 1 as number`,
    tx<{ position: number }[]>`select ${arrival(tx, project.id, given.status)} as position`,
  ]);
  if (!numbered || !arrived) throw new Error('a project that was loaded is gone');
  const { assignee, blocked_by, position, ...plain } = given;
  const row = {
    ...plain,
    id,
    project_id: project.id,
    number: numbered.number,
    position: position ?? arrived.position,
    links: tx.json(given.links),
    custom: json(tx, given.custom),
    ...principalColumns(tx, 'assignee', assignee),
    ...principalColumns(tx, 'author', by),
    created_at: now,
    updated_at: now,
    search: itemVector(given.title, `${project.key}-${numbered.number}`),
  };
  const [made] = await tx<ItemRow[]>`
    with i as (insert into work_items ${tx(row)} returning *)
    select ${itemColumns(tx)} from i join work_projects p on p.id = i.project_id`;
  if (!made) throw new Error('an item that was just made is gone');
  if (blocked_by.length > 0) await setBlocks(tx, { id, project_id: project.id }, blocked_by);
  return asLoaded({ ...made, blocked_by }, project);
}

/** Deletes a loaded item with its comments and history; what it blocked is free, its children are alone. */
export async function deleteItem(tx: Transaction, item: LoadedItem): Promise<void> {
  await tx`delete from work_items where id = ${item.id}`;
}
