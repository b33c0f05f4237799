// What happens to a card: it is moved, claimed and given back. The rules are in rules.ts, the review in review.ts.
import { stop } from '../../../kernel/refusal.ts';
import { bind, type Bound, type WriteScene } from '../../../kernel/scene.ts';
import { claimNext, itemClaim, itemMove, itemRelease } from './card.contract.ts';
import { countParked, homeOf, itemName, type LoadedItem, lockItem, lockNext } from './item/items.store.ts';
import { loadProject } from './projects.store.ts';
import { park, withdraw } from './moves/review.ts';
import { liveClaim, refusedAsHeld, refusedByReviewLimit, ruleClaim, ruleMove, workerOf } from './rules.ts';
import { type ItemChange, saveItem } from './item/save.store.ts';
import { insertComment } from './moves/talk.store.ts';
import { shownCard, takeItem, tellBoard } from './moves/taken.ts';

async function save(scene: WriteScene, item: LoadedItem, change: ItemChange): Promise<LoadedItem> {
  return (await saveItem(scene.db, item, change, { by: scene.caller.principal, now: scene.now })).item;
}

async function keepNote(scene: WriteScene, item: LoadedItem, note: string | undefined): Promise<void> {
  if (note !== undefined) await insertComment(scene.db, item, scene.caller.principal, note, scene.now);
}

const move = bind(itemMove, async (scene, { item_id, status, revision, note, position }) => {
  const item = await takeItem(scene, 'work.item.move', item_id, revision);
  const ruling = ruleMove(item, status, workerOf(scene.caller));
  const place = position === undefined ? {} : { position };
  await keepNote(scene, item, note);
  let moved: LoadedItem;
  if (ruling.kind === 'parks') moved = await park(scene, item, ruling, position);
  else if (ruling.kind === 'stays') moved = await save(scene, item, place);
  else {
    if (ruling.withdraws) await withdraw(scene, item);
    moved = await save(scene, item, { status, approval_id: null, ...place });
  }
  tellBoard(scene, moved);
  return { item: shownCard(moved, scene), approval_id: moved.approval_id };
});

const claim = bind(itemClaim, async (scene, args) => {
  const item = await lockItem(scene.db, scene.caller, 'work.item.claim', args.item_id);
  scene.about(itemName(item.id));
  const by = workerOf(scene.caller);
  const ruling = ruleClaim(item, by, scene.now, args.break === true);
  if (ruling.kind === 'refused') throw ruling.refusal;
  if (ruling.kind === 'takes')
    stop(refusedByReviewLimit(homeOf(item), await countParked(scene.db, item.project_id), by));
  const claimed = await save(scene, item, { holder: scene.caller.principal });
  tellBoard(scene, claimed);
  return { item: shownCard(claimed, scene) };
});

const next = bind(claimNext, async (scene, args) => {
  const { db, caller, now } = scene;
  const project = await loadProject(db, caller, 'work.item.claim', args.project);
  stop(refusedByReviewLimit(project, await countParked(db, project.id), workerOf(caller)));
  const item = await lockNext(db, caller, 'work.item.claim', project, caller.principal, now);
  if (!item) return { item: null };
  scene.about(itemName(item.id));
  const claimed = await save(scene, item, { holder: caller.principal });
  tellBoard(scene, claimed);
  return { item: shownCard(claimed, scene) };
});

const release = bind(itemRelease, async (scene, { item_id, note }) => {
  const item = await lockItem(scene.db, scene.caller, 'work.item.claim', item_id);
  scene.about(itemName(item.id));
  stop(refusedAsHeld(item, workerOf(scene.caller), scene.now));
  await keepNote(scene, item, note);
  const released = liveClaim(item, scene.now) ? await save(scene, item, { holder: null }) : item;
  tellBoard(scene, released);
  return { item: shownCard(released, scene) };
});

export const cardHandlers: Bound[] = [move, claim, next, release];
