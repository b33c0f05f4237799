// Where a card stands: the number between its new neighbours', and the board as it will be while moves are under way. Pure.
import type { Board, Card, Status } from '../contract.ts';
import { arrivesOnTop } from '../rules.ts';

/** Where a card goes; without a position the product chooses (finished work on top, a queue at its end). */
export type Spot = { status: Status; position?: number };
export type Moves = Readonly<Record<string, Spot>>;

const GAP = 1024;

/**
 * The position of a card put before the `index`-th of these cards, which are the column's without itself; undefined in an empty
 * column. `more` cards below the last are not known, and the next of them stands close.
 */
export function positionAt(cards: Pick<Card, 'position'>[], index: number, more: number): number | undefined {
  const above = cards[index - 1];
  const below = cards[index];
  if (above && below) return (above.position + below.position) / 2;
  if (below) return below.position - GAP;
  return above && above.position + (more > 0 ? 1 : GAP);
}

/** The board with moves laid over it that the product has not answered yet. */
export function laidOver(board: Board, moves: Moves): Board {
  const moving = board.columns.flatMap((column) => column.cards.filter((card) => moves[card.id]));
  if (moving.length === 0) return board;
  const columns = board.columns.map((column) => {
    const stays = column.cards.filter((card) => !moves[card.id]);
    const arrive = moving
      .filter((card) => moves[card.id]?.status === column.status)
      .map((card) => ({
        ...card,
        status: column.status,
        position: moves[card.id]?.position ?? whereUnsaid(card, column.status),
      }));
    const cards =
      arrive.length > 0 ? [...stays, ...arrive].toSorted((a, b) => a.position - b.position) : stays;
    return { ...column, cards, count: column.count + cards.length - column.cards.length };
  });
  return { ...board, columns };
}

function whereUnsaid(card: Card, to: Status): number {
  if (card.status === to) return card.position;
  return arrivesOnTop(to) ? -Infinity : Infinity;
}

/** The board with this card as the product gave it, in the column it is in now. */
export function withCard(board: Board, card: Card): Board {
  const columns = board.columns.map((column) => {
    const had = column.cards.length;
    const others = column.cards.filter((other) => other.id !== card.id);
    const cards =
      column.status === card.status ? [...others, card].toSorted((a, b) => a.position - b.position) : others;
    return { ...column, cards, count: column.count + cards.length - had };
  });
  return { ...board, columns };
}
