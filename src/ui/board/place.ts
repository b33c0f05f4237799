// Where a card exists: the number between its new neighbours', and a board as it will be while moves are under way. Pure, and
// of any board: items are in columns by their status, deals by their stage.

/** A card, and the column it is in. */
export type Placed<S extends string> = { id: string; status: S; position: number };
type PlacedColumn<S extends string, C> = { status: S; count: number; cards: C[] };
export type PlacedBoard<S extends string, C> = { columns: PlacedColumn<S, C>[] };

/** Where a card goes; without a position the product chooses (finished work on top, a queue at its end). */
export type Spot<S extends string> = { status: S; position?: number };
export type Moves<S extends string> = Readonly<Record<string, Spot<S>>>;

const GAP = 1024;

/**
 * The position of a card put before the `index`-th of these cards, which are the column's without itself; undefined in an empty
 * column. `more` cards below the last are not known, and the next of them is close.
 */
export function positionAt(cards: { position: number }[], index: number, more: number): number | undefined {
  const above = cards[index - 1];
  const below = cards[index];
  if (above && below) return (above.position + below.position) / 2;
  if (below) return below.position - GAP;
  return above && above.position + (more > 0 ? 1 : GAP);
}

/** The board with moves laid over it that the product has not answered yet. `onTop` says of a column that cards arrive so. */
export function laidOver<S extends string, C extends Placed<S>, B extends PlacedBoard<S, C>>(
  board: B & PlacedBoard<S, C>,
  moves: Moves<S>,
  onTop: (column: S) => boolean,
): B {
  const moving = board.columns.flatMap((column) => column.cards.filter((card) => moves[card.id]));
  if (moving.length === 0) return board;
  const columns = board.columns.map((column) => {
    const stays = column.cards.filter((card) => !moves[card.id]);
    const arrive = moving
      .filter((card) => moves[card.id]?.status === column.status)
      .map((card) => ({
        ...card,
        status: column.status,
        position: moves[card.id]?.position ?? whereUnsaid(card, column.status, onTop),
      }));
    const cards =
      arrive.length > 0 ? [...stays, ...arrive].toSorted((a, b) => a.position - b.position) : stays;
    return { ...column, cards, count: column.count + cards.length - column.cards.length };
  });
  return { ...board, columns };
}

function whereUnsaid<S extends string>(card: Placed<S>, to: S, onTop: (column: S) => boolean): number {
  if (card.status === to) return card.position;
  return onTop(to) ? -Infinity : Infinity;
}

/** The board with this card as the product gave it, in the column it is in now. */
export function withCard<S extends string, C extends Placed<S>, B extends PlacedBoard<S, C>>(
  board: B & PlacedBoard<S, C>,
  card: C,
): B {
  const columns = board.columns.map((column) => {
    const had = column.cards.length;
    const others = column.cards.filter((other) => other.id !== card.id);
    const cards =
      column.status === card.status ? [...others, card].toSorted((a, b) => a.position - b.position) : others;
    return { ...column, cards, count: column.count + cards.length - had };
  });
  return { ...board, columns };
}
