// Work items: what one is, and the operations that create, find, read, change and delete it.
import { z } from 'zod';
import { csvOf } from '../../../kernel/csv.ts';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { date, done, id, listOf, page, principal, revision, text, time } from '../../../kernel/shapes.ts';
import { WORK_ITEM_UUID } from '../../../kernel/sentences.ts';
import { customValues } from '../../crm/fields/contract.ts';
import { card, label, priority, projectRef, status } from './contract.ts';

/** A work item's id; anything else, a project's id or key included, is refused with the specification's sentence (§7). */
export const itemId = named('WorkItemId', z.guid(WORK_ITEM_UUID));

/** Nothing else may be behind a link that people click. */
const WEB = /^https?:\/\/[^\s]+$/i;

export const link = z
  .strictObject({
    kind: z.enum(['person', 'campaign', 'thread', 'send', 'deal', 'run', 'url']),
    /** An address on the web where the kind is `url`, the thing's id otherwise. */
    ref: text(2000),
  })
  .refine(
    (it) => (it.kind === 'url' ? WEB.test(it.ref) : id.safeParse(it.ref).success),
    'ref must be an https:// address where kind is url, an id otherwise',
  );
named('WorkItemLink', link);

export const item = card.extend({
  project_id: id,
  description: z.string(),
  author: principal,
  parent_id: id.nullable(),
  blocked_by: z.array(id),
  links: z.array(link),
  custom: z.record(z.string(), z.unknown()),
  created_at: time,
  updated_at: time,
  completed_at: time.nullable(),
});
export type Item = z.infer<typeof item>;
named('WorkItem', item);

/** An assignee as arguments name one: the id of a person or of a token; `me` is the caller, `none` (or null) no one. */
export const assigneeRef = named('Assignee', z.union([z.enum(['me', 'none']), id]));

const fields = {
  description: z.string().max(20_000),
  priority,
  labels: z.array(label).max(30),
  assignee: assigneeRef.nullable(),
  due_on: date.nullable(),
  parent_id: id.nullable(),
  blocked_by: z.array(id).max(50),
  links: z.array(link).max(50),
  custom: customValues,
  needs_review: z.boolean(),
};

export const comment = z.object({
  id,
  item_id: id,
  author: principal,
  text: z.string(),
  at: time,
  edited_at: time.nullable(),
});
export type Comment = z.infer<typeof comment>;
named('WorkItemComment', comment);

/** The last five comments, the oldest of them first and long ones cut; null where the caller may not read comments. */
export const spoken = {
  comments: z.array(comment).nullable(),
  comment_count: z.int().nullable(),
};

const itemKey = z.string().regex(/^[a-z][a-z0-9]{1,9}-[1-9][0-9]{0,8}$/i, 'a key is written as OUT-12');

export const itemList = operation({
  name: 'item_list',
  says: 'Finds work items by project, status, priority, assignee, label, words or key, newest change first.',
  method: 'GET',
  path: '/api/work/items',
  takes: z.strictObject({
    project: projectRef.optional(),
    status: status.optional(),
    priority: priority.optional(),
    /** `me`, `none`, or the id of a person or token. */
    assignee: z.union([z.enum(['me', 'none']), id]).optional(),
    label: label.optional(),
    /** Open, and due on a day (UTC) that has passed. */
    overdue: z.boolean().optional(),
    /** Words of the title, or an item's key. */
    query: text(200).optional(),
    /** One item by its key, `OUT-12`, in any letter case. */
    key: itemKey.optional(),
    ...page,
  }),
  gives: listOf(card.extend({ project_id: id, updated_at: time })),
  example: { status: 'todo' },
  effect: 'read',
  needs: { action: 'work.item.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
  cost: ({ query }) => query !== undefined,
});

export const itemExport = csvOf(itemList, 'item_export', 'work items');

export const itemCreate = operation({
  name: 'item_create',
  says: 'Creates a work item in backlog or todo. Created on an agent turn, the agent is its author.',
  method: 'POST',
  path: '/api/work/items',
  takes: z.strictObject({
    project: projectRef,
    title: text(300),
    status: z
      .enum(['backlog', 'todo'], 'an item is created in backlog or todo, and moved from there')
      .default('backlog'),
    /** Where in the column, a number between its neighbours'; at its end where nothing is said. */
    position: z.number().optional(),
    ...z.object(fields).partial().shape,
  }),
  gives: z.object({ item }),
  example: { project: 'OUT', title: 'Write to the ten oldest customers' },
  effect: 'write',
  needs: { action: 'work.item.create', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: CREATED,
});

export const itemGet = operation({
  name: 'item_get',
  says: 'Reads one work item whole, with its last five comments and how many there are.',
  method: 'GET',
  path: '/api/work/items/:item_id',
  takes: z.strictObject({ item_id: itemId }),
  gives: z.object({ item, ...spoken }),
  example: { item_id: '0198c0de-0000-7000-8000-000000000001' },
  effect: 'read',
  needs: { action: 'work.item.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const itemUpdate = operation({
  name: 'item_update',
  says: 'Changes a work item; it needs the revision that was read, and refuses when the item changed since, naming the current one.',
  method: 'PATCH',
  path: '/api/work/items/:item_id',
  takes: z.strictObject({
    item_id: itemId,
    revision,
    title: text(300).optional(),
    /** Where the card is in its column; a number between its neighbours'. */
    position: z.number().optional(),
    ...z.object(fields).partial().shape,
  }),
  gives: z.object({ item }),
  example: { item_id: '0198c0de-0000-7000-8000-000000000001', revision: 1, title: 'Write to twenty' },
  effect: 'write',
  needs: { action: 'work.item.write', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const itemDelete = operation({
  name: 'item_delete',
  says: 'Deletes a work item with its comments and history; an item that waits in review cannot be deleted by an agent.',
  method: 'DELETE',
  path: '/api/work/items/:item_id',
  takes: z.strictObject({ item_id: itemId }),
  gives: done,
  example: { item_id: '0198c0de-0000-7000-8000-000000000001' },
  effect: 'destroy',
  needs: { action: 'work.item.delete', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
