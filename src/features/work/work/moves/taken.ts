// What every act on a work item shares: load and lock it, check other workers’ claims and the caller’s revision, name it in the
// audit row, notify screens, and show it without expired claims.
import { Refusal, stop } from '../../../../kernel/refusal.ts';
import type { ReadContext, WriteContext } from '../../../../kernel/context.ts';
import type { Card } from '../contract.ts';
import type { Comment } from '../items.contract.ts';
import { itemName, loadItem, type LoadedItem, lockItem } from '../item/items.store.ts';
import { lastComments } from './talk.store.ts';
import { liveClaim, refusedAsHeld, refusedAsStale, workerOf } from '../rules.ts';

/** A card for a change of it: refused to an agent while another worker holds it, and where it changed since it was read. */
export async function takeItem(
  context: WriteContext,
  action: string,
  item_id: string,
  read?: number,
): Promise<LoadedItem> {
  const item = await lockItem(context.db, context.caller, action, item_id);
  context.about(itemName(item.id));
  stop(refusedAsHeld(item, workerOf(context.caller), context.now) ?? refusedAsStale(item, read));
  return item;
}

/** Screens that show the card's board look again once this act is committed. */
export function tellBoard(context: WriteContext, item: { project_id: string }): void {
  context.tell('work', item.project_id);
}

const SPOKEN = 5;

/** What was said of an item last, as far as this caller may read comments. */
export async function spokenOf(
  { db, caller }: ReadContext | WriteContext,
  { id }: LoadedItem,
): Promise<{ comments: Comment[] | null; comment_count: number | null }> {
  try {
    return await lastComments(db, await loadItem(db, caller, 'work.comment.read', id), SPOKEN);
  } catch (error) {
    if (error instanceof Refusal) return { comments: null, comment_count: null };
    throw error;
  }
}

/** A card or an item as an answer shows it. */
export function shownCard<C extends Card>(card: C, context: ReadContext | WriteContext): C {
  return { ...card, claim: liveClaim(card, context.now) };
}
