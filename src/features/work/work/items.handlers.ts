// Handlers of work items: find, create, read, change, delete, and list possible assignees.
import { z } from 'zod';
import { type Principal } from '../../../kernel/caller.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { invalid, stop } from '../../../kernel/refusal.ts';
import { bind, type Bound, type ReadContext, type WriteContext } from '../../../kernel/context.ts';
import { asRefusal, fieldsTogether, mergedCustom, refusedCustom } from '../../crm/fields/rules.ts';
import { holdFields } from '../../crm/fields/store.ts';
import { type ItemSearch, searchItems } from './board/board.store.ts';
import { assigneeList } from './contract.ts';
import { checkLinks } from './item/linked.ts';
import { changesOf, reviewedAgain } from './item/changes.rules.ts';
import { itemCreate, itemDelete, itemGet, itemList, itemUpdate } from './items.contract.ts';
import { type Home, homeOf, itemName, type LoadedItem, loadItem } from './item/items.store.ts';
import { loadProject, visibleIds } from './projects.store.ts';
import { closesCircle, findWorker, listWorkers, strangers } from './item/relations.store.ts';
import { changeInReview, withdraw } from './moves/review.ts';
import { refusedAsTooLarge, refusedToDelete, refusedToWaiveReview, workerOf } from './rules.ts';
import { deleteItem, insertItem, saveItem } from './item/save.store.ts';
import { shownCard, spokenOf, takeItem, tellBoard } from './moves/taken.ts';
import { plain, searchQuery } from '../../../kernel/words.ts';

const list = bind(itemList, async (context, args) => {
  const { project, status, priority, assignee, label, overdue, query, key, limit, cursor } = args;
  const { db, caller, now } = context;
  const after = keyIn(cursor, () => z.tuple([z.iso.datetime(), z.guid()]));
  const words = query === undefined ? undefined : searchQuery(query);
  if (words === null) return { items: [], next_cursor: null };
  const action = 'work.item.read';
  const found = await searchItems(db, caller, action, {
    projects: project === undefined ? await visibleIds(db, caller, action) : { ref: project },
    ...(status && { status }),
    ...(priority && { priority }),
    ...(key && { key: partsOf(key) }),
    ...(assignee && { assignee: assignee === 'me' ? caller.principal.id : assignee }),
    ...(label && { label }),
    ...(overdue !== undefined && { overdue: { is: overdue, today: now.toISOString().slice(0, 10) } }),
    ...(words && { words }),
    after,
    count: limit + 1,
  });
  const shown = found.map((row) => shownCard(row, context));
  return pageOf(shown, limit, (row) => [row.updated_at, row.id]);
});

/** `OUT-12` as the project's key and the item's number. */
function partsOf(key: string): ItemSearch['key'] {
  const [project = '', number = ''] = key.toUpperCase().split('-');
  return { project, number: Number(number) };
}

const get = bind(itemGet, async (context, { item_id }) => {
  const item = await loadItem(context.db, context.caller, 'work.item.read', item_id);
  return { item: shownCard(item, context), ...(await spokenOf(context, item)) };
});

/** Who an argument means: undefined where it says nothing. */
async function assigneeNamed(
  context: ReadContext | WriteContext,
  ref: string | null | undefined,
): Promise<Principal | null | undefined> {
  if (ref === undefined || ref === null || ref === 'none') return ref === undefined ? undefined : null;
  const found =
    ref === 'me' ? context.caller.principal : await findWorker(context.db, context.caller, ref, context.now);
  if (found) return found;
  const says = 'assignee: no active person or token you can see has that id';
  throw invalid(says, { assignee: says });
}

type Relations = { parent_id?: string | null | undefined; blocked_by?: string[] | undefined };

/** Refuses a parent or a blocker that is no other item of the project, and parents in a circle. */
async function checkRelations(
  context: WriteContext,
  item: { id: string | null; project_id: string },
  given: Relations,
): Promise<void> {
  const { parent_id, blocked_by = [] } = given;
  const ids = [...(parent_id ? [parent_id] : []), ...blocked_by];
  const bad = new Set([
    ...(await strangers(context.db, item.project_id, ids)),
    ...ids.filter((id) => id === item.id),
  ]);
  const faults: Record<string, string> = {};
  if (parent_id && bad.has(parent_id))
    faults['parent_id'] = 'parent_id: it must be another item of the same project';
  if (blocked_by.some((id) => bad.has(id)))
    faults['blocked_by'] = 'blocked_by: each must be another item of the same project';
  if (
    parent_id &&
    !bad.has(parent_id) &&
    item.id &&
    (await closesCircle(context.db, { ...item, id: item.id }, parent_id))
  )
    faults['parent_id'] = 'parent_id: that item is already below this one';
  stop(asRefusal(faults));
}

/** Values of the project's own fields and of those that hold for every project. */
async function checkCustom(
  context: WriteContext,
  { custom_fields }: Pick<Home, 'custom_fields'>,
  given: Record<string, unknown>,
): Promise<void> {
  if (Object.keys(given).length === 0) return;
  const fields = fieldsTogether(custom_fields, await holdFields(context.db, 'work_item'));
  stop(refusedCustom(fields, given, 'this project'));
}

const create = bind(itemCreate, async (context, { project: ref, assignee, ...given }) => {
  const { db, caller, now } = context;
  const project = await loadProject(db, caller, 'work.item.create', ref);
  const { description = '', links = [], blocked_by = [], parent_id = null, needs_review } = given;
  const custom = mergedCustom({}, given.custom ?? {});
  await checkCustom(context, project, custom);
  stop(refusedAsTooLarge({ description, links, custom }));
  stop(refusedToWaiveReview(project.default_needs_review, needs_review, workerOf(caller)));
  await checkRelations(context, { id: null, project_id: project.id }, given);
  await checkLinks(context, links, []);
  const item = await insertItem(
    db,
    project,
    {
      title: given.title,
      status: given.status,
      priority: given.priority ?? 'none',
      labels: [...new Set(given.labels)],
      due_on: given.due_on ?? null,
      assignee: (await assigneeNamed(context, assignee)) ?? null,
      needs_review: needs_review ?? project.default_needs_review,
      blocked_by: [...new Set(blocked_by)],
      description,
      links,
      custom,
      parent_id,
      position: given.position,
    },
    { by: caller.principal, now },
  );
  context.about(itemName(item.id));
  tellBoard(context, item);
  return { item: shownCard(item, context) };
});

const update = bind(itemUpdate, async (context, { item_id, revision, assignee: ref, custom, ...given }) => {
  const item = await takeItem(context, 'work.item.write', item_id, revision);
  stop(refusedToWaiveReview(item.needs_review, given.needs_review, workerOf(context.caller)));
  await checkCustom(context, homeOf(item), custom ?? {});
  await checkRelations(context, item, given);
  if (given.links) await checkLinks(context, given.links, item.links);
  const assignee = await assigneeNamed(context, ref);
  const change = withoutUndefined({
    ...given,
    assignee,
    custom: custom && mergedCustom(item.custom, custom),
  });
  stop(refusedAsTooLarge({ ...item, ...change }));
  const saved = await saveUpdate(context, item, change);
  tellBoard(context, saved);
  return { item: shownCard(saved, context) };
});

async function saveUpdate(
  context: WriteContext,
  item: LoadedItem,
  change: Parameters<typeof saveItem>[2],
): Promise<LoadedItem> {
  if (item.status === 'in_review' && reviewedAgain(changesOf(item, change)))
    return await changeInReview(context, item, change);
  return (await saveItem(context.db, item, change, { by: context.caller.principal, now: context.now })).item;
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(given: T): Given<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given<T>;
}

const remove = bind(itemDelete, async (context, { item_id }) => {
  const item = await takeItem(context, 'work.item.delete', item_id);
  stop(refusedToDelete(item, workerOf(context.caller)));
  await withdraw(context, item);
  await deleteItem(context.db, item);
  tellBoard(context, item);
  return { ok: true as const };
});

const assignees = bind(assigneeList, async (context, { query, limit, cursor }) => {
  const after = keyIn(cursor, () => z.tuple([z.string(), z.guid()]));
  const found = await listWorkers(context.db, context.caller, context.now, {
    query: query === undefined ? null : plain(query),
    after,
    count: limit + 1,
  });
  const page = pageOf(found, limit, (it) => [it.sort, it.worker.id]);
  return { ...page, items: page.items.map((it) => it.worker) };
});

export const itemHandlers: Bound[] = [list, create, get, update, remove, assignees];
