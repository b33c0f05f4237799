// One stage: its name and count, what it comes to by currency and weighted, its deals, and how many are left out.
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { BoardCards } from '../../../../ui/board/cards.tsx';
import type { CardActs } from '../../../../ui/board/card-frame.tsx';
import { Count } from '../../../../ui/kit/pills.tsx';
import column from '../../../../ui/board/column.module.css';
import { useColumnDrop } from '../../../../ui/board/use-drag.ts';
import type { Sum } from '../pipeline.contract.ts';
import { DealCardView } from './card.tsx';
import type { DealFilters } from './filters.ts';
import { moneyText, wholeMoneyText } from './money.rules.ts';
import type { DealCard, DealColumn } from './use-board.ts';
import classes from './deals.module.css';

type StageColumnProps = {
  column: DealColumn;
  filters: DealFilters;
  filtering: boolean;
  active: string | null;
  peeked: string | null;
  menu: string | null;
  acts: CardActs<DealCard>;
  /** Registers how a card of this column is brought into the page. */
  reveals: Map<string, (index: number) => void>;
};

export function StageColumn(props: StageColumnProps) {
  const { filters, filtering, active, peeked, menu, acts, reveals } = props;
  const { stage, status, count, sums, cards, more } = props.column;
  const element = useRef<HTMLElement>(null);
  useColumnDrop(element, status);
  return (
    <section ref={element} className={`${column.column} ${classes.stage}`} aria-label={stage.title}>
      <header className={column.head}>
        <h2>{stage.title}</h2>
        <Count>{count}</Count>
        {stage.probability !== null && (
          <span className={classes.chance} title="Expected value of a deal in this stage">
            {stage.probability}%
          </span>
        )}
      </header>
      <Sums of={sums} />
      <BoardCards
        status={status}
        cards={cards}
        reveals={reveals}
        card={(card) => (
          <DealCardView
            card={card}
            active={active === card.id}
            peeked={peeked === card.id}
            menuOpen={menu === card.id}
            acts={acts}
          />
        )}
        none={filtering ? 'No matching deals' : 'No deals'}
        more={
          more > 0 && (
            <Link
              className={column.more}
              to="/deals"
              search={{ ...filters, view: 'list', state: 'open', stage: status }}
            >
              {more} more in the list
            </Link>
          )
        }
      />
    </section>
  );
}

/** A line is where there is nothing to sum, so that an empty stage is no narrower at the top than the others. */
function Sums({ of }: { of: Sum[] }) {
  return (
    <ul className={classes.sums} aria-label="Total value">
      {of.map(({ currency, amount, weighted }) => (
        <li key={currency}>
          <strong>{moneyText(amount, currency)}</strong>
          <span>
            <span className="unseen">weighted by probability </span>
            <span aria-hidden>≈ </span>
            {wholeMoneyText(weighted, currency)}
          </span>
        </li>
      ))}
      {of.length === 0 && <li className={classes.nothing}>No amounts</li>}
    </ul>
  );
}
