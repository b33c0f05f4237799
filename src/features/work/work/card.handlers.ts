// Handlers of moves and claims. The rules are in rules.ts, the review in review.ts.
import { stop } from '../../../kernel/refusal.ts';
import { bind, type Bound, type WriteContext } from '../../../kernel/context.ts';
import { claimNext, itemClaim, itemMove, itemRelease } from './card.contract.ts';
import {
  countParked,
  homeOf,
  itemName,
  type LoadedItem,
  lockHeld,
  lockItem,
  lockNext,
} from './item/items.store.ts';
import { loadProject } from './projects.store.ts';
import { park, withdraw } from './moves/review.ts';
import {
  liveClaim,
  refusedAsHeld,
  refusedByReviewLimit,
  claimSays,
  ruleClaim,
  ruleMove,
  workerOf,
} from './rules.ts';
import { type ItemChange, saveItem } from './item/save.store.ts';
import { insertComment } from './moves/talk.store.ts';
import { shownCard, spokenOf, takeItem, tellBoard } from './moves/taken.ts';

async function save(context: WriteContext, item: LoadedItem, change: ItemChange): Promise<LoadedItem> {
  return (await saveItem(context.db, item, change, { by: context.caller.principal, now: context.now })).item;
}

async function keepNote(context: WriteContext, item: LoadedItem, note: string | undefined): Promise<void> {
  if (note !== undefined) await insertComment(context.db, item, context.caller.principal, note, context.now);
}

const move = bind(itemMove, async (context, { item_id, status, revision, note, position }) => {
  const item = await takeItem(context, 'work.item.move', item_id, revision);
  const ruling = ruleMove(item, status, workerOf(context.caller));
  const place = position === undefined ? {} : { position };
  await keepNote(context, item, note);
  let moved: LoadedItem;
  if (ruling.kind === 'parks') moved = await park(context, item, ruling, position);
  else if (ruling.kind === 'stays') moved = await save(context, item, place);
  else {
    if (ruling.withdraws) await withdraw(context, item);
    moved = await save(context, item, { status, approval_id: null, ...place });
  }
  tellBoard(context, moved);
  return { item: shownCard(moved, context), approval_id: moved.approval_id };
});

/** Claimed, or renewed: what was said of it last, and what the claim comes to. */
async function claimedBy(context: WriteContext, item: LoadedItem) {
  const claimed = await save(context, item, { holder: context.caller.principal });
  tellBoard(context, claimed);
  const shown = shownCard(claimed, context);
  return { item: shown, ...(await spokenOf(context, claimed)), says: claimSays(shown) };
}

const claim = bind(itemClaim, async (context, args) => {
  const item = await lockItem(context.db, context.caller, 'work.item.claim', args.item_id);
  context.about(itemName(item.id));
  const by = workerOf(context.caller);
  const ruling = ruleClaim(item, by, context.now, args.break === true);
  if (ruling.kind === 'refused') throw ruling.refusal;
  if (ruling.kind === 'takes')
    stop(refusedByReviewLimit(homeOf(item), await countParked(context.db, item.project_id), by));
  return claimedBy(context, item);
});

const next = bind(claimNext, async (context, args) => {
  const { db, caller, now } = context;
  const project = await loadProject(db, caller, 'work.item.claim', args.project);
  const held =
    args.another === true
      ? null
      : await lockHeld(db, caller, 'work.item.claim', project, caller.principal, now);
  if (held) {
    context.about(itemName(held.id));
    return claimedBy(context, held);
  }
  stop(refusedByReviewLimit(project, await countParked(db, project.id), workerOf(caller)));
  const item = await lockNext(db, caller, 'work.item.claim', project, caller.principal, now);
  if (!item) return { item: null, comments: null, comment_count: null, says: null };
  context.about(itemName(item.id));
  return claimedBy(context, item);
});

const release = bind(itemRelease, async (context, { item_id, note }) => {
  const item = await lockItem(context.db, context.caller, 'work.item.claim', item_id);
  context.about(itemName(item.id));
  stop(refusedAsHeld(item, workerOf(context.caller), context.now));
  await keepNote(context, item, note);
  const released = liveClaim(item, context.now) ? await save(context, item, { holder: null }) : item;
  tellBoard(context, released);
  return { item: shownCard(released, context) };
});

export const cardHandlers: Bound[] = [move, claim, next, release];
