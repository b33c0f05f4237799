// The columns of the pipeline in their order, and everything one does to deals on it: walk, drag, carry, move by menu, peek.
import { useCallback, useMemo, useState } from 'react';
import { focusCard, useBoardKeys } from '../../../../ui/board/board-keys.ts';
import columns from '../../../../ui/board/columns.module.css';
import { positionAt } from '../../../../ui/board/place.ts';
import { useDrops } from '../../../../ui/board/use-drag.ts';
import { StageColumn } from './column.tsx';
import { type Filters, filtering } from './filters.ts';
import { MovingContext, type SettleCard } from './move-menu.tsx';
import type { DealBoard, DealCard, useDealBoard } from './use-board.ts';

type BoardProps = {
  board: DealBoard;
  move: ReturnType<typeof useDealBoard>['move'];
  filters: Filters;
  peeked: string | null;
  peek: (card: DealCard) => void;
  settle: SettleCard;
};

export function Board({ board, move, filters, peeked, peek, settle }: BoardProps) {
  const [active, setActive] = useState<string | null>(null);
  const [menu, setMenu] = useState<string | null>(null);
  const [reveals] = useState(() => new Map<string, (index: number) => void>());
  const shown = board.columns;
  const stands = shown.some((column) => column.cards.some((card) => card.id === active));
  const first = shown.find((column) => column.cards.length > 0)?.cards[0]?.id ?? null;

  const closed = useCallback((id: string) => {
    setMenu(null);
    focusCard(id);
  }, []);
  const moving = useMemo(
    () => ({
      stages: shown.map((column) => column.stage),
      move: (card: DealCard, to: string) => void move(card, { status: to }),
      settle,
      closed,
    }),
    [shown, move, settle, closed],
  );
  const acts = useMemo(() => ({ focused: setActive, peek, menu: setMenu }), [peek]);

  useBoardKeys<string, DealCard>({
    columns: shown,
    statuses: shown.map((column) => column.status),
    active,
    setActive,
    reveals,
    move: (card, to) => void move(card, to),
    menu: setMenu,
    also: [
      { keys: 'w', does: 'Won', run: (card) => settle(card, 'won') },
      { keys: 'x', does: 'Lost…', run: (card) => settle(card, 'lost') },
    ],
  });

  useDrops(({ id, status, over }) => {
    const card = shown.flatMap((column) => column.cards).find((one) => one.id === id);
    const column = shown.find((one) => one.status === status);
    if (!card || !column) return;
    const others = column.cards.filter((other) => other.id !== id);
    const at = over ? others.findIndex((other) => other.id === over.id) : -1;
    if (at < 0 && card.status === status) return;
    const position =
      at < 0 ? undefined : positionAt(others, over?.edge === 'bottom' ? at + 1 : at, column.more);
    void move(card, { status: column.status, ...(position === undefined ? {} : { position }) });
  });

  return (
    <MovingContext value={moving}>
      <div className={columns.board} data-board>
        {shown.map((column) => (
          <StageColumn
            key={column.status}
            column={column}
            filters={filters}
            filtering={filtering(filters)}
            active={stands ? active : first}
            peeked={peeked}
            menu={menu}
            acts={acts}
            reveals={reveals}
          />
        ))}
      </div>
    </MovingContext>
  );
}
