// Moves, claims, comments and the history of work items.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { done, id, listOf, page, principal, revision, text, time } from '../../../kernel/shapes.ts';
import { projectRef, status } from './contract.ts';
import { comment, item, itemId, spoken } from './items.contract.ts';

export const change = z.object({
  id,
  at: time,
  by: principal,
  field: z.string(),
  from: z.unknown(),
  to: z.unknown(),
});
export type ItemChange = z.infer<typeof change>;
named('WorkItemChange', change);

const exampleItem = '0198c0de-0000-7000-8000-000000000001';

export const itemMove = operation({
  name: 'item_move',
  says: "Moves a work item to a column. An agent's move to done parks the item in review and answers with the approval a person decides.",
  method: 'POST',
  path: '/api/work/items/:item_id/move',
  takes: z.strictObject({
    item_id: itemId,
    status,
    /** When given, the move is refused if the item changed since it was read. */
    revision: revision.optional(),
    /** Kept as a comment. */
    note: text(5_000).optional(),
    /** Where in the column; a number between its new neighbours'. */
    position: z.number().optional(),
  }),
  gives: z.object({ item, approval_id: id.nullable() }),
  example: { item_id: exampleItem, status: 'in_progress' },
  effect: 'write',
  needs: { action: 'work.item.move', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

/** What the claim comes to: until when it lasts, and that the card stays in its column. */
const claimSays = z.string();

export const itemClaim = operation({
  name: 'item_claim',
  says: 'Claims a work item for thirty minutes, or renews the claim; refused while another worker holds it, naming the holder.',
  method: 'POST',
  path: '/api/work/items/:item_id/claim',
  takes: z.strictObject({
    item_id: itemId,
    /** A person may break another worker's claim. */
    break: z.boolean().optional(),
  }),
  gives: z.object({ item, ...spoken, says: claimSays }),
  example: { item_id: exampleItem },
  effect: 'write',
  needs: { action: 'work.item.claim', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const claimNext = operation({
  name: 'claim_next',
  says: 'Claims the best unclaimed todo item of a project, the most urgent and oldest first; item is null when none waits. A caller who holds one there gets it again.',
  method: 'POST',
  path: '/api/work/projects/:project/claim-next',
  takes: z.strictObject({
    project: projectRef,
    /** Claims one more, whatever the caller holds there already. */
    another: z.boolean().optional(),
  }),
  gives: z.object({ item: item.nullable(), ...spoken, says: claimSays.nullable() }),
  example: { project: 'OUT' },
  effect: 'write',
  needs: { action: 'work.item.claim', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const itemRelease = operation({
  name: 'item_release',
  says: "Gives a claim back; a person may release another worker's.",
  method: 'POST',
  path: '/api/work/items/:item_id/release',
  takes: z.strictObject({ item_id: itemId, note: text(5_000).optional() }),
  gives: z.object({ item }),
  example: { item_id: exampleItem },
  effect: 'write',
  needs: { action: 'work.item.claim', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const itemHistory = operation({
  name: 'item_history',
  says: 'Lists every change of a work item, newest first, with who made it.',
  method: 'GET',
  path: '/api/work/items/:item_id/history',
  takes: z.strictObject({ item_id: itemId, ...page }),
  gives: listOf(change),
  example: { item_id: exampleItem },
  effect: 'read',
  needs: { action: 'work.item.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const commentList = operation({
  name: 'comment_list',
  says: 'Lists the comments on a work item, oldest first.',
  method: 'GET',
  path: '/api/work/items/:item_id/comments',
  takes: z.strictObject({ item_id: itemId, ...page }),
  gives: listOf(comment),
  example: { item_id: exampleItem },
  effect: 'read',
  needs: { action: 'work.comment.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const commentCreate = operation({
  name: 'comment_create',
  says: 'Adds a comment to a work item, in Markdown.',
  method: 'POST',
  path: '/api/work/items/:item_id/comments',
  takes: z.strictObject({ item_id: itemId, text: text(20_000) }),
  gives: z.object({ comment }),
  example: { item_id: exampleItem, text: 'The list is ready.' },
  effect: 'write',
  needs: { action: 'work.comment.create', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: CREATED,
});

export const commentUpdate = operation({
  name: 'comment_update',
  says: 'Edits a comment; only the one who wrote it can.',
  method: 'PATCH',
  path: '/api/work/items/:item_id/comments/:comment',
  takes: z.strictObject({ item_id: itemId, comment: id, text: text(20_000) }),
  gives: z.object({ comment }),
  example: {
    item_id: exampleItem,
    comment: '0198c0de-0000-7000-8000-000000000002',
    text: 'The list is ready now.',
  },
  effect: 'write',
  needs: { action: 'work.comment.write', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const commentDelete = operation({
  name: 'comment_delete',
  says: 'Deletes a comment; the one who wrote it or an administrator can.',
  method: 'DELETE',
  path: '/api/work/items/:item_id/comments/:comment',
  takes: z.strictObject({ item_id: itemId, comment: id }),
  gives: done,
  example: { item_id: exampleItem, comment: '0198c0de-0000-7000-8000-000000000002' },
  effect: 'destroy',
  needs: { action: 'work.comment.delete', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
