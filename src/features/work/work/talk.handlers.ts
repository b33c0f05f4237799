// Comments and the history of a card. A comment is a write, and so are its edit and its end: while a worker holds the card, no
// other agent does any of them, not even to its own, and the holder's renews the claim.
import { z } from 'zod';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { stop } from '../../../kernel/refusal.ts';
import { bind, type Bound } from '../../../kernel/context.ts';
import { commentCreate, commentDelete, commentList, commentUpdate, itemHistory } from './card.contract.ts';
import { loadItem } from './item/items.store.ts';
import { refusedOnComment } from './rules.ts';
import { saveItem } from './item/save.store.ts';
import {
  deleteComment,
  insertComment,
  listChanges,
  listComments,
  lockComment,
  saveComment,
} from './moves/talk.store.ts';
import { takeItem, tellBoard } from './moves/taken.ts';

const atAndId = z.tuple([z.iso.datetime(), z.guid()]);

const history = bind(itemHistory, async (context, { item_id, limit, cursor }) => {
  const after = keyIn(cursor, () => z.tuple([z.int()]))?.[0] ?? null;
  const item = await loadItem(context.db, context.caller, 'work.item.read', item_id);
  const page = pageOf(await listChanges(context.db, item, after, limit + 1), limit, (it) => [it.turn]);
  return { ...page, items: page.items.map((it) => it.change) };
});

const list = bind(commentList, async (context, { item_id, limit, cursor }) => {
  const after = keyIn(cursor, () => atAndId);
  const item = await loadItem(context.db, context.caller, 'work.comment.read', item_id);
  return pageOf(await listComments(context.db, item, after, limit + 1), limit, (it) => [it.at, it.id]);
});

const create = bind(commentCreate, async (context, { item_id, text }) => {
  const { db, caller, now } = context;
  const item = await takeItem(context, 'work.comment.create', item_id);
  const comment = await insertComment(db, item, caller.principal, text, now);
  await saveItem(db, item, {}, { by: caller.principal, now });
  tellBoard(context, item);
  return { comment };
});

const update = bind(commentUpdate, async (context, { item_id, comment: id, text }) => {
  const { db, caller, now } = context;
  const item = await takeItem(context, 'work.comment.write', item_id);
  const comment = await lockComment(db, item, id);
  stop(refusedOnComment(comment.author, caller, 'edit'));
  const saved = await saveComment(db, comment, text, now);
  await saveItem(db, item, {}, { by: caller.principal, now });
  tellBoard(context, item);
  return { comment: saved };
});

const remove = bind(commentDelete, async (context, { item_id, comment: id }) => {
  const { db, caller, now } = context;
  const item = await takeItem(context, 'work.comment.delete', item_id);
  const comment = await lockComment(db, item, id);
  stop(refusedOnComment(comment.author, caller, 'delete'));
  await deleteComment(db, comment);
  await saveItem(db, item, {}, { by: caller.principal, now });
  tellBoard(context, item);
  return { ok: true as const };
});

export const talkHandlers: Bound[] = [history, list, create, update, remove];
