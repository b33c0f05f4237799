// All SQL of comments and of the history of an item. Both are had through the loaded item they belong to.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import { newId } from '../../../../kernel/ids.ts';
import {
  knownPrincipalIn,
  type PrincipalColumns,
  principalColumns,
} from '../../../../kernel/principal-row.ts';
import { notFound } from '../../../../kernel/refusal.ts';
import type { ItemChange } from '../card.contract.ts';
import type { Comment } from '../items.contract.ts';
import type { LoadedItem } from '../item/items.store.ts';

const loaded = Symbol('loaded');

/** A comment of an item that its caller may have. */
export type LoadedComment = Comment & { readonly [loaded]: true };

export type TalkAfter = readonly [at: string, id: string] | null;

type CommentRow = PrincipalColumns<'author'> & {
  id: string;
  item_id: string;
  text: string;
  at: Date;
  edited_at: Date | null;
};

function toComment(row: CommentRow): Comment {
  const { id, item_id, text } = row;
  const author = knownPrincipalIn(row, 'author');
  return {
    id,
    item_id,
    author,
    text,
    at: row.at.toISOString(),
    edited_at: row.edited_at?.toISOString() ?? null,
  };
}

const columns = (db: Reader) =>
  db`id, item_id, author_kind, author_id, author_name, author_on_behalf_of, text, at, edited_at`;

export async function listComments(
  db: Reader,
  item: LoadedItem,
  after: TalkAfter,
  count: number,
): Promise<Comment[]> {
  const rows = await db<CommentRow[]>`
    select ${columns(db)} from work_comments
    where item_id = ${item.id} ${after === null ? db`` : db`and (at, id) > (${after[0]}, ${after[1]})`}
    order by at, id limit ${count}`;
  return rows.map(toComment);
}

/** Long ones are cut: an item and these fit into one answer of a tool. */
const SHOWN_CHARS = 1_000;

/** The last comments, the oldest of them first, and how many there are. */
export async function lastComments(
  db: Reader,
  item: LoadedItem,
  count: number,
): Promise<{ comments: Comment[]; comment_count: number }> {
  const rows = await db<(CommentRow & { total: number })[]>`
    select ${columns(db)}, (count(*) over ())::int as total from work_comments
    where item_id = ${item.id} order by at desc, id desc limit ${count}`;
  const cut = (text: string): string =>
    text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS).toWellFormed()} […]`;
  const comments = rows.map((row) => ({ ...toComment(row), text: cut(row.text) })).toReversed();
  return { comments, comment_count: rows[0]?.total ?? 0 };
}

export async function insertComment(
  tx: Transaction,
  item: LoadedItem,
  by: Principal,
  text: string,
  now: Date,
): Promise<Comment> {
  const row = {
    id: newId(),
    item_id: item.id,
    ...principalColumns(tx, 'author', by),
    text,
    at: now,
  };
  const [made] = await tx<CommentRow[]>`insert into work_comments ${tx(row)} returning ${columns(tx)}`;
  if (!made) throw new Error('a comment that was just made is gone');
  return toComment(made);
}

/** Locks the comment for this act. */
export async function lockComment(
  tx: Transaction,
  item: LoadedItem,
  comment: string,
): Promise<LoadedComment> {
  const [row] = await tx<CommentRow[]>`
    select ${columns(tx)} from work_comments where item_id = ${item.id} and id = ${comment} for update`;
  if (!row) throw notFound(`comment on ${item.key}`, 'GET /api/work/items/:item_id/comments lists them');
  return { ...toComment(row), [loaded]: true };
}

export async function saveComment(
  tx: Transaction,
  comment: LoadedComment,
  text: string,
  now: Date,
): Promise<Comment> {
  await tx`update work_comments set text = ${text}, edited_at = ${now} where id = ${comment.id}`;
  const { id, item_id, author, at } = comment;
  return { id, item_id, author, text, at, edited_at: now.toISOString() };
}

export async function deleteComment(tx: Transaction, comment: LoadedComment): Promise<void> {
  await tx`delete from work_comments where id = ${comment.id}`;
}

type ChangeRow = PrincipalColumns<'by'> & {
  id: string;
  turn: number;
  at: Date;
  field: string;
  old: unknown;
  new: unknown;
};

/** Newest first, in the order in which they took effect; `turn` is the key of that order. */
export async function listChanges(
  db: Reader,
  item: LoadedItem,
  after: number | null,
  count: number,
): Promise<{ turn: number; change: ItemChange }[]> {
  const rows = await db<ChangeRow[]>`
    select id, turn, at, by_kind, by_id, by_name, by_on_behalf_of, field, old, new from work_changes
    where item_id = ${item.id} ${after === null ? db`` : db`and turn < ${after}`}
    order by turn desc limit ${count}`;
  return rows.map((row) => {
    const { id, turn, at, field, old, new: to } = row;
    return {
      turn,
      change: { id, at: at.toISOString(), by: knownPrincipalIn(row, 'by'), field, from: old, to },
    };
  });
}
