// Cuts a board so that its answer stays whole: column by column in turn, one card each, until the room is used up. So a full
// backlog never hides what is in progress.
import { PAGE_MAX_CHARS } from '../../../../kernel/page.ts';

type Column<C> = { count: number; cards: C[] };

/** Room that a board's own words take: project, titles, counts. */
const FRAME_CHARS = 6_000;

/** `more` is how many of the column's items are not among its cards. */
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
