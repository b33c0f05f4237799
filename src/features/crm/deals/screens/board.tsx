// The columns of the pipeline in their order, and everything one does to deals on it: walk, drag, carry, move by menu, peek.
import { useMemo } from 'react';
import columns from '../../../../ui/board/columns.module.css';
import { useBoardActs } from '../../../../ui/board/use-board.ts';
import { StageColumn } from './column.tsx';
import { type DealFilters, filtering } from './filters.ts';
import { MovingContext, type SettleCard } from './move-menu.tsx';
import type { DealBoard, DealCard, useDealBoard } from './use-board.ts';

type BoardProps = {
  board: DealBoard;
  move: ReturnType<typeof useDealBoard>['move'];
  filters: DealFilters;
  peeked: string | null;
  peek: (card: DealCard) => void;
  settle: SettleCard;
};

export function Board({ board, move, filters, peeked, peek, settle }: BoardProps) {
  const shown = board.columns;
  const { active, menu, closed, acts, reveals } = useBoardActs<string, DealCard>({
    columns: shown,
    statuses: shown.map((column) => column.status),
    move: (card, to) => void move(card, to),
    peek,
    also: [
      { keys: 'w', does: 'Won', run: (card) => settle(card, 'won') },
      { keys: 'd', does: 'Lost…', run: (card) => settle(card, 'lost') },
    ],
  });
  const moving = useMemo(
    () => ({
      stages: shown.map((column) => column.stage),
      move: (card: DealCard, to: string) => void move(card, { status: to }),
      settle,
      closed,
    }),
    [shown, move, settle, closed],
  );

  return (
    <MovingContext value={moving}>
      <div className={columns.board} data-board>
        {shown.map((column) => (
          <StageColumn
            key={column.status}
            column={column}
            filters={filters}
            filtering={filtering(filters)}
            active={active}
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
