// The review of a work item: parking it with an approval, taking it out of review, changing it while it waits, and the decision.
// The approvals feature writes the approval rows, in the item’s transaction and after the item is locked.
import {
  openApproval,
  reopenApproval,
  supersedeApproval,
  takeAnnouncement,
  withdrawApproval,
} from '../../approvals/open.store.ts';
import type { Subject } from '../../approvals/subject.ts';
import { newId } from '../../../../kernel/ids.ts';
import type { WriteContext } from '../../../../kernel/context.ts';
import { conflict } from '../../../../kernel/refusal.ts';
import { lockItem, holdStill, type LoadedItem } from '../item/items.store.ts';
import { type ItemChange, saveItem } from '../item/save.store.ts';
import { insertComment } from './talk.store.ts';
import { tellBoard } from './taken.ts';

/** A card as an approval names it. */
const openingOf = (item: LoadedItem, id: string) => ({
  id,
  kind: 'work_review' as const,
  subject: { kind: 'item', id: item.id, key: item.key, title: item.title, revision: item.revision },
  project_id: item.project_id,
  author: item.author,
});

/** Parks a card; where one approval waits already it stays the one. `announces`: a move to done did it (specification §6). */
export async function park(
  context: WriteContext,
  item: LoadedItem,
  ruling: { opens: boolean; announces: boolean },
  position: number | undefined,
): Promise<LoadedItem> {
  const { db, now, caller } = context;
  const author = { by: caller.principal, now };
  const id = ruling.opens ? newId() : item.approval_id;
  const { item: parked } = await saveItem(
    db,
    item,
    // It waits for a person now: no worker has it.
    { status: 'in_review', approval_id: id, holder: null, ...(position !== undefined && { position }) },
    author,
  );
  if (id === null) throw new Error('a card in review has no approval');
  if (ruling.opens) await openApproval(db, openingOf(parked, id), caller.principal, now);
  if (ruling.announces && (await takeAnnouncement(db, parked, now))) await announce(context, parked, id);
  context.tell('approvals', id);
  return parked;
}

async function announce(context: WriteContext, item: LoadedItem, approval_id: string): Promise<void> {
  const { kind, id, name } = context.caller.principal;
  const { project_id, title } = item;
  await context.emit('work.review_parked', {
    item_id: item.id,
    project_id,
    title,
    approval_id,
    moved_by: { kind, id, name },
  });
}

/** What waited for a card waits no more: it was moved out of review, or is about to go. */
export async function withdraw(context: WriteContext, item: LoadedItem): Promise<void> {
  const closed = await withdrawApproval(context.db, item, context.caller.principal, context.now);
  if (closed !== null) context.tell('approvals', closed);
}

/** What a reviewer has read of a waiting card changes: the approval of the old revision ends, one of the new is opened. */
export async function changeInReview(
  context: WriteContext,
  item: LoadedItem,
  change: ItemChange,
): Promise<LoadedItem> {
  const { db, now, caller } = context;
  const id = newId();
  const { item: saved } = await saveItem(
    db,
    item,
    { ...change, approval_id: id },
    { by: caller.principal, now },
  );
  await supersedeApproval(db, openingOf(saved, id), caller.principal, now);
  for (const told of [item.approval_id, id]) if (told !== null) context.tell('approvals', told);
  return saved;
}

/** Deciding on a card (domain.md §1.11). */
export const workReview: Subject = {
  kind: 'work_review',
  holdStill,
  async settle(context, approval, decision, note) {
    const { db, now, caller } = context;
    const item = await lockItem(db, caller, 'approval.decide', approval.subject.id);
    const outcomes = {
      approve: { status: 'done' },
      return: { status: 'in_progress', assignee: approval.requested_by },
      reject: { status: 'cancelled' },
    } as const;
    await saveItem(
      db,
      item,
      { ...outcomes[decision], approval_id: null, holder: null },
      { by: caller.principal, now },
    );
    if (note !== undefined) await insertComment(db, item, caller.principal, note, now);
    tellBoard(context, item);
  },
  async reverse(context, approval) {
    const { db, now, caller } = context;
    const item = await lockItem(db, caller, 'approval.decide', approval.subject.id);
    // Its landing is the one revision after the one that was decided.
    if (item.status !== 'done' || item.revision !== approval.subject.revision + 1)
      throw conflict(`${item.key} changed since you approved it: move it back on the board`);
    const id = newId();
    const change = { status: 'in_review', approval_id: id } as const;
    const { item: parked } = await saveItem(db, item, change, { by: caller.principal, now });
    await reopenApproval(db, openingOf(parked, id), approval);
    context.tell('approvals', id);
    tellBoard(context, parked);
    return id;
  },
};
