// One column: its name and count, the way to add to it, its cards, and how many are left out.
// Finished columns fold to a strip.
import { Link } from '@tanstack/react-router';
import { ChevronsLeftRight, ChevronsRightLeft, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { BoardCards } from '../../../../../ui/board/cards.tsx';
import type { CardActs } from '../../../../../ui/board/card-frame.tsx';
import { Count, StatusMark } from '../../../../../ui/kit/pills.tsx';
import type { Card, Status } from '../../contract.ts';
import { isOver } from '../../rules.ts';
import { BoardCard } from './card.tsx';
import type { BoardFilters } from './board-filters.ts';
import { QuickAdd } from './quick-add.tsx';
import { useColumnDrop } from '../../../../../ui/board/use-drag.ts';
import classes from '../../../../../ui/board/column.module.css';

export type ShownColumn = {
  status: Status;
  title: string;
  /** All of the column, before any filter. */
  count: number;
  more: number;
  cards: Card[];
};

export type ColumnView = {
  project: string;
  filters: BoardFilters;
  filtering: boolean;
  active: string | null;
  peeked: string | null;
  menu: string | null;
  fresh: ReadonlySet<string>;
  acts: CardActs<Card>;
  /** Registers how a card of this column is brought into the page. */
  reveals: Map<Status, (index: number) => void>;
};

type ColumnProps = { column: ShownColumn; view: ColumnView; folded: boolean; fold: () => void };

export function BoardColumn({ column, view, folded, fold }: ColumnProps) {
  const element = useRef<HTMLElement>(null);
  const [adding, setAdding] = useState(false);
  const { status, title, count, cards, more } = column;
  useColumnDrop(element, status);
  const shown = view.filtering ? `${cards.length} of ${count}` : count;

  if (folded)
    return (
      <section ref={element} className={classes.strip} aria-label={title}>
        <button type="button" onClick={fold} aria-expanded="false">
          <ChevronsLeftRight size={14} aria-hidden />
          <StatusMark status={status} />
          <span className={classes.down}>{title}</span>
          <Count>{shown}</Count>
          <span className="unseen">Expand</span>
        </button>
      </section>
    );
  return (
    <section ref={element} className={classes.column} aria-label={title} data-status={status}>
      <header className={classes.head}>
        <StatusMark status={status} />
        <h2>{title}</h2>
        <Count>{shown}</Count>
        <span className={classes.tools}>
          {(status === 'backlog' || status === 'todo') && (
            <button type="button" aria-label={`Add to ${title}`} onClick={() => setAdding(true)}>
              <Plus size={15} aria-hidden />
            </button>
          )}
          {isOver(status) && (
            <button type="button" aria-expanded="true" aria-label={`Collapse ${title}`} onClick={fold}>
              <ChevronsRightLeft size={14} aria-hidden />
            </button>
          )}
        </span>
      </header>
      {adding && (status === 'backlog' || status === 'todo') && (
        <QuickAdd project={view.project} status={status} top={cards[0]} close={() => setAdding(false)} />
      )}
      <BoardCards
        status={status}
        cards={cards}
        reveals={view.reveals}
        card={(card) => (
          <BoardCard
            card={card}
            project={view.project}
            active={view.active === card.id}
            peeked={view.peeked === card.key}
            menuOpen={view.menu === card.id}
            fresh={view.fresh.has(card.id)}
            acts={view.acts}
          />
        )}
        none={view.filtering && count > 0 ? 'Nothing matches' : WORDS[status]}
        more={
          more > 0 && (
            <Link
              className={classes.more}
              to="/work/$project"
              params={{ project: view.project }}
              search={{ ...view.filters, view: 'list', status }}
            >
              {more} more in the list
            </Link>
          )
        }
      />
    </section>
  );
}

const WORDS: Record<Status, string> = {
  backlog: 'No ideas yet',
  todo: 'Nothing ready to start',
  in_progress: 'Nothing in progress',
  in_review: 'Nothing to decide',
  done: 'Nothing done yet',
  cancelled: 'Nothing canceled',
};
