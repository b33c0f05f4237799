// The columns of a board in their order, and everything one does to cards on it: walk, drag, carry, move by menu, claim, peek.
import { useCallback, useMemo } from 'react';
import { useMe } from '../../../../../ui/client/session.ts';
import { useKept } from '../../../../../ui/shell/kept.ts';
import type { Board, Card, Status } from '../../contract.ts';
import { useBoardActs } from '../../../../../ui/board/use-board.ts';
import type { Spot } from '../../../../../ui/board/place.ts';
import { BoardColumn, type ColumnView, type ShownColumn } from './column.tsx';
import { filtering, keeps, type BoardFilters } from './board-filters.ts';
import { MovingContext } from './move-menu.tsx';
import type { BoardRead } from './use-board.ts';
import { useClaim } from '../item/use-claim.ts';
import { STATUSES } from '../../../../../ui/kit/pills.tsx';
import classes from '../../../../../ui/board/columns.module.css';

type ColumnsProps = {
  board: Board;
  moves: BoardRead;
  filters: BoardFilters;
  peeked: string | null;
  peek: (card: Card) => void;
};

export function Columns({ board, moves, filters, peeked, peek }: ColumnsProps) {
  const me = useMe();
  const project = board.project.key;
  const [kept, keep] = useKept('dunnock-folded', 'done,cancelled');
  const folded = kept.split(',');
  const claim = useClaim(moves.touch);

  const columns = useMemo<ShownColumn[]>(
    () =>
      board.columns.map((column) => ({
        ...column,
        cards: filtering(filters)
          ? column.cards.filter((card) => keeps(card, filters, me.principal.id))
          : column.cards,
      })),
    [board, filters, me.principal.id],
  );
  const open = columns.filter((column) => !folded.includes(column.status));
  const { move } = moves;
  /** By key or menu: it is followed to where it goes, so that place is open. */
  const follow = useCallback(
    (card: Card, to: Spot<Status>): void => {
      if (kept.split(',').includes(to.status))
        keep(
          kept
            .split(',')
            .filter((one) => one !== to.status)
            .join(','),
        );
      void move(card, to);
    },
    [kept, keep, move],
  );
  const { active, menu, closed, acts, reveals } = useBoardActs<Status, Card>({
    columns,
    open,
    statuses: STATUSES,
    move: (card, to) => void move(card, to),
    carry: follow,
    peek,
    reached: (card) => peeked && peek(card),
    also: [{ keys: 'c', does: 'Claim or release', run: (card) => void claim.toggle(card) }],
  });
  const moving = useMemo(
    () => ({
      titles: Object.fromEntries(board.columns.map((column) => [column.status, column.title])),
      move: (card: Card, to: Status) => follow(card, { status: to }),
      closed,
    }),
    [board, follow, closed],
  );

  const view: ColumnView = {
    project,
    filters,
    peeked,
    menu,
    acts,
    reveals,
    filtering: filtering(filters),
    active,
    fresh: moves.fresh,
  };
  const fold = (status: Status): void =>
    keep((folded.includes(status) ? folded.filter((one) => one !== status) : [...folded, status]).join(','));

  return (
    <MovingContext value={moving}>
      <div className={classes.board} data-board>
        {columns.map((column) => (
          <BoardColumn
            key={column.status}
            column={column}
            view={view}
            folded={folded.includes(column.status)}
            fold={() => fold(column.status)}
          />
        ))}
      </div>
      <p className="unseen" role="status">
        {sayFresh(columns, moves.fresh)}
      </p>
    </MovingContext>
  );
}

/** What readers hear of cards that someone else changed. */
function sayFresh(columns: ShownColumn[], fresh: ReadonlySet<string>): string {
  if (fresh.size === 0) return '';
  return columns
    .flatMap((column) =>
      column.cards
        .filter((card) => fresh.has(card.id))
        .map((card) => `${card.key} changed in ${column.title}.`),
    )
    .slice(0, 3)
    .join(' ');
}
