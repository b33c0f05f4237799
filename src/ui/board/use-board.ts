// What one does to the cards of a board, whatever they represent: walk, drag, carry, move by menu, peek.
import { useCallback, useMemo, useState } from 'react';
import { type BoardKeys, focusCard, useBoardKeys } from './board-keys.ts';
import type { CardActs } from './card-frame.tsx';
import { laidOver, type Moves, type Placed, type PlacedBoard, positionAt, type Spot } from './place.ts';
import { useDrops } from './use-drag.ts';

/** The board with moves laid over it that the product has not answered yet. */
export function useMoves<S extends string, C extends Placed<S>, B extends PlacedBoard<S, C>>(
  data: (B & PlacedBoard<S, C>) | undefined,
  onTop: (column: S) => boolean,
): { board: B | undefined; lay: (id: string, to: Spot<S>) => void; lift: (id: string) => void } {
  const [moves, setMoves] = useState<Moves<S>>({});
  const board = useMemo(() => data && laidOver<S, C, B>(data, moves, onTop), [data, moves, onTop]);
  return {
    board,
    lay: (id, to) => setMoves((before) => ({ ...before, [id]: to })),
    lift: (id) =>
      setMoves(
        (before) => Object.fromEntries(Object.entries(before).filter(([one]) => one !== id)) as Moves<S>,
      ),
  };
}

type Column<S extends string, C> = { status: S; more: number; cards: C[] };

type BoardActs<S extends string, C extends Placed<S>> = {
  columns: Column<S, C>[];
  /** Those that are not folded, where some are. */
  open?: Column<S, C>[];
  statuses: S[];
  move: (card: C, to: Spot<S>) => void;
  /** By a key, where that is more than `move`. */
  carry?: (card: C, to: Spot<S>) => void;
  peek: (card: C) => void;
  /** A card that the keys lead to. */
  reached?: (card: C) => void;
  also: BoardKeys<S, C>['also'];
};

export function useBoardActs<S extends string, C extends Placed<S>>(props: BoardActs<S, C>) {
  const { columns, open = columns, statuses, move, carry = move, peek, reached, also } = props;
  const [active, setActive] = useState<string | null>(null);
  const [menu, setMenu] = useState<string | null>(null);
  const [reveals] = useState(() => new Map<S, (index: number) => void>());
  const cards = open.flatMap((column) => column.cards);
  const closed = useCallback((id: string) => {
    setMenu(null);
    focusCard(id);
  }, []);
  const acts = useMemo<CardActs<C>>(() => ({ focused: setActive, peek, menu: setMenu }), [peek]);

  useBoardKeys<S, C>({
    columns: open,
    statuses,
    active,
    setActive(id) {
      setActive(id);
      const card = cards.find((one) => one.id === id);
      if (card) reached?.(card);
    },
    reveals,
    move: carry,
    // Its menu is beside it: the card is brought into sight first.
    menu(id) {
      focusCard(id);
      setMenu(id);
    },
    also,
  });

  useDrops(({ id, status, over }) => {
    const card = columns.flatMap((column) => column.cards).find((one) => one.id === id);
    const column = columns.find((one) => one.status === status);
    if (!card || !column) return;
    const others = column.cards.filter((other) => other.id !== id);
    const at = over ? others.findIndex((other) => other.id === over.id) : -1;
    if (at < 0 && card.status === status) return;
    const position =
      at < 0 ? undefined : positionAt(others, over?.edge === 'bottom' ? at + 1 : at, column.more);
    move(card, { status: column.status, ...(position === undefined ? {} : { position }) });
  });

  const stands = cards.some((card) => card.id === active);
  return { active: stands ? active : (cards[0]?.id ?? null), menu, closed, acts, reveals };
}
