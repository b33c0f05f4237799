// Pages of a list: whole rows, at most as many as asked for, short enough that no entry point has to cut the answer (domain.md
// §4), and an opaque cursor made from the last row’s sorting key. Lists page by key, never by OFFSET.
import type { z } from 'zod';
import { invalid } from './refusal.ts';

/** UTF-16 units of JSON that a page's rows may take: below the cap of 48,000 by what surrounds them. */
export const PAGE_MAX_CHARS = 46_000;

/** A sorting key: what is in `order by`, in the same order. */
export type Key = readonly (string | number | boolean | null)[];

export type Page<Row> = { items: Row[]; next_cursor: string | null };

/**
 * Cuts `rows` to a page. Fetch `limit + 1` rows: the surplus one only says that there are more. At least one row is kept,
 * so that a reader always gets on.
 */
export function pageOf<Row>(rows: Row[], limit: number, keyOf: (row: Row) => Key): Page<Row> {
  const items = rows.slice(0, Math.min(limit, wholeRows(rows)));
  const last = items.at(-1);
  return { items, next_cursor: last && items.length < rows.length ? cursorOf(keyOf(last)) : null };
}

/** How many rows of the beginning fit together; never fewer than one. */
export function wholeRows(rows: readonly unknown[], maxChars: number = PAGE_MAX_CHARS): number {
  let chars = 0;
  const at = rows.findIndex((row) => (chars += JSON.stringify(row).length + 1) > maxChars);
  return at === -1 ? rows.length : Math.max(at, 1);
}

export const cursorOf = (key: Key): string => Buffer.from(JSON.stringify(key)).toString('base64url');

/**
 * The key that a cursor holds, or null where none was given. `shape` makes the tuple of the list's own sorting key; a first
 * page needs none, and making one costs more than reading the page's arguments.
 */
export function keyIn<T>(cursor: string | undefined, shape: () => z.ZodType<T>): T | null {
  if (cursor === undefined) return null;
  const key = jsonIn(cursor);
  const parsed = shape().safeParse(key);
  if (parsed.success && Array.isArray(key) && key.every(storable)) return parsed.data;
  const says = 'cursor: give next_cursor from the previous page, with the same filters';
  throw invalid(says, { cursor: says });
}

/** Cursors are anyone's text: what the database would choke on (a NUL, half a surrogate pair, the year 0) stops here. */
const storable = (part: unknown): boolean =>
  typeof part !== 'string' || (part.isWellFormed() && !part.includes('\0') && !part.startsWith('0000-'));

function jsonIn(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

type Column<C> = { count: number; cards: C[] };

/** Room that a board's own words take: project, titles, counts. */
const FRAME_CHARS = 6_000;

/**
 * Cuts a board so that its answer stays whole: column by column in turn, one card each, until the room is used up. So a full
 * backlog never hides what is in progress. `more` is how many of the column's items are not among its cards.
 */
export function fairlyCut<C, Col extends Column<C>>(
  columns: (Col & Column<C>)[],
  maxChars = PAGE_MAX_CHARS - FRAME_CHARS,
): (Col & Column<C> & { more: number })[] {
  const kept = columns.map(() => 0);
  let room = maxChars;
  for (let row = 0; room > 0 && columns.some((column) => row < column.cards.length); row += 1)
    for (const [at, column] of columns.entries()) {
      const card = column.cards[row];
      if (card === undefined || kept[at] !== row) continue;
      const chars = JSON.stringify(card).length + 1;
      if (chars > room) {
        room = 0;
        break;
      }
      room -= chars;
      kept[at] = row + 1;
    }
  return columns.map((column, at) => {
    const cards = column.cards.slice(0, kept[at]);
    return { ...column, cards, more: Math.max(column.count - cards.length, 0) };
  });
}
