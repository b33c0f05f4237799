// The columns of a board in their order, and everything one does to cards on it: walk, drag, carry, move by menu, claim, peek.
import { useCallback, useMemo, useState } from 'react';
import { useMe } from '../../../../../ui/client/session.ts';
import { useKept } from '../../../../../ui/shell/kept.ts';
import type { Board, Card, Status } from '../../contract.ts';
import { focusCard, useBoardKeys } from '../../../../../ui/board/board-keys.ts';
import { BoardColumn, type ColumnView, type ShownColumn } from './column.tsx';
import { filtering, keeps, type Filters } from './filters.ts';
import { MovingContext } from './move-menu.tsx';
import { positionAt } from '../../../../../ui/board/place.ts';
import type { BoardRead } from './use-board.ts';
import { useClaim } from '../item/use-claim.ts';
import { useDrops } from '../../../../../ui/board/use-drag.ts';
import { STATUSES } from '../../../../../ui/kit/pills.tsx';
import classes from '../../../../../ui/board/columns.module.css';

type ColumnsProps = {
  board: Board;
  moves: BoardRead;
  filters: Filters;
  peeked: string | null;
  peek: (card: Card) => void;
};

export function Columns({ board, moves, filters, peeked, peek }: ColumnsProps) {
  const me = useMe();
  const project = board.project.key;
  const [active, setActive] = useState<string | null>(null);
  const [menu, setMenu] = useState<string | null>(null);
  const [kept, keep] = useKept('dunnock-folded', 'done,cancelled');
  const folded = kept.split(',');
  const claim = useClaim(moves.touch);
  const [reveals] = useState(() => new Map<Status, (index: number) => void>());

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
  const first = open.find((column) => column.cards.length > 0)?.cards[0]?.id ?? null;
  const stands = open.some((column) => column.cards.some((card) => card.id === active));

  const { move } = moves;
  const closeMenu = useCallback((id: string) => {
    setMenu(null);
    focusCard(id);
  }, []);
  const moving = useMemo(
    () => ({
      titles: Object.fromEntries(board.columns.map((column) => [column.status, column.title])),
      move: (card: Card, to: Status) => void move(card, { status: to }),
      closed: closeMenu,
    }),
    [board, move, closeMenu],
  );
  const acts = useMemo(() => ({ focused: setActive, peek, menu: setMenu }), [peek]);

  useBoardKeys({
    columns: open,
    statuses: STATUSES,
    active,
    setActive: (id) => {
      setActive(id);
      const card = peeked && open.flatMap((column) => column.cards).find((one) => one.id === id);
      if (card) peek(card);
    },
    reveals,
    move: (card, to) => void move(card, to),
    menu: setMenu,
    also: [{ keys: 'c', does: 'Claim it, or give it back', run: (card) => void claim.toggle(card) }],
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
    void move(card, { status: column.status, ...(position === undefined ? {} : { position }) });
  });

  const view: ColumnView = {
    project,
    filters,
    peeked,
    menu,
    acts,
    reveals,
    filtering: filtering(filters),
    active: stands ? active : first,
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

/** What readers hear of cards that somebody else changed. */
function sayFresh(columns: ShownColumn[], fresh: ReadonlySet<string>): string {
  if (fresh.size === 0) return '';
  return columns
    .flatMap((column) =>
      column.cards
        .filter((card) => fresh.has(card.id))
        .map((card) => `${card.key} changed, in ${column.title}.`),
    )
    .slice(0, 3)
    .join(' ');
}
