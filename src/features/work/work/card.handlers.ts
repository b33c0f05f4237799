// What happens to a card: it is moved, claimed and given back. The rules are in rules.ts, the review in review.ts.
import { stop } from '../../../kernel/refusal.ts';
import { bind, type Bound, type WriteContext } from '../../../kernel/context.ts';
import { claimNext, itemClaim, itemMove, itemRelease } from './card.contract.ts';
import { countParked, homeOf, itemName, type LoadedItem, lockItem, lockNext } from './item/items.store.ts';
import { loadProject } from './projects.store.ts';
import { park, withdraw } from './moves/review.ts';
import { liveClaim, refusedAsHeld, refusedByReviewLimit, ruleClaim, ruleMove, workerOf } from './rules.ts';
import { type ItemChange, saveItem } from './item/save.store.ts';
import { insertComment } from './moves/talk.store.ts';
import { shownCard, takeItem, tellBoard } from './moves/taken.ts';

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

const claim = bind(itemClaim, async (context, args) => {
  const item = await lockItem(context.db, context.caller, 'work.item.claim', args.item_id);
  context.about(itemName(item.id));
  const by = workerOf(context.caller);
  const ruling = ruleClaim(item, by, context.now, args.break === true);
  if (ruling.kind === 'refused') throw ruling.refusal;
  if (ruling.kind === 'takes')
    stop(refusedByReviewLimit(homeOf(item), await countParked(context.db, item.project_id), by));
  const claimed = await save(context, item, { holder: context.caller.principal });
  tellBoard(context, claimed);
  return { item: shownCard(claimed, context) };
});

const next = bind(claimNext, async (context, args) => {
  const { db, caller, now } = context;
  const project = await loadProject(db, caller, 'work.item.claim', args.project);
  stop(refusedByReviewLimit(project, await countParked(db, project.id), workerOf(caller)));
  const item = await lockNext(db, caller, 'work.item.claim', project, caller.principal, now);
  if (!item) return { item: null };
  context.about(itemName(item.id));
  const claimed = await save(context, item, { holder: caller.principal });
  tellBoard(context, claimed);
  return { item: shownCard(claimed, context) };
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
