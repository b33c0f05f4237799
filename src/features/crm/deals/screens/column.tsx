// One stage: its name and count, what it comes to by currency and weighted, its deals, and how many are left out.
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { Count } from '../../../../ui/kit/pills.tsx';
import column from '../../../../ui/board/column.module.css';
import { useColumnDrop } from '../../../../ui/board/use-drag.ts';
import type { Sum } from '../pipeline.contract.ts';
import { type CardActs, DealCardView } from './card.tsx';
import type { Filters } from './filters.ts';
import { moneyText, wholeMoneyText } from './money.rules.ts';
import type { DealColumn } from './use-board.ts';
import classes from './deals.module.css';

type StageColumnProps = {
  column: DealColumn;
  filters: Filters;
  filtering: boolean;
  active: string | null;
  peeked: string | null;
  menu: string | null;
  acts: CardActs;
  /** Registers how a card of this column is brought into the page. */
  reveals: Map<string, (index: number) => void>;
};

/** From this many cards on, only those in sight stand in the page. */
const VIRTUAL_FROM = 40;
const CARD_PX = 96;

export function StageColumn(props: StageColumnProps) {
  const { stage, status, count, sums } = props.column;
  const element = useRef<HTMLElement>(null);
  useColumnDrop(element, status);
  return (
    <section ref={element} className={`${column.column} ${classes.stage}`} aria-label={stage.title}>
      <header className={column.head}>
        <h2>{stage.title}</h2>
        <Count>{count}</Count>
        {stage.probability !== null && (
          <span className={classes.chance} title="What a deal of this stage is expected to come to">
            {stage.probability}%
          </span>
        )}
      </header>
      <Sums of={sums} />
      <Cards {...props} />
    </section>
  );
}

/** A line stands where there is nothing to sum, so that an empty stage is no narrower at the top than the others. */
function Sums({ of }: { of: Sum[] }) {
  return (
    <ul className={classes.sums} aria-label="What it comes to">
      {of.map(({ currency, amount, weighted }) => (
        <li key={currency}>
          <strong>{moneyText(amount, currency)}</strong>
          <span>
            <span className="unseen">weighted by chance </span>
            <span aria-hidden>≈ </span>
            {wholeMoneyText(weighted, currency)}
          </span>
        </li>
      ))}
      {of.length === 0 && <li className={classes.nothing}>No amounts</li>}
    </ul>
  );
}

function Cards(props: StageColumnProps) {
  const { filters, filtering, active, peeked, menu, acts, reveals } = props;
  const { cards, status, more } = props.column;
  const scroller = useRef<HTMLDivElement>(null);
  const many = cards.length >= VIRTUAL_FROM;
  // oxlint-disable-next-line react/incompatible-library -- it is read here only, never handed to a memoised child
  const virtual = useVirtualizer({
    count: cards.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_PX,
    getItemKey: (index) => cards[index]?.id ?? index,
    overscan: 8,
    enabled: many,
  });
  useEffect(() => {
    reveals.set(status, (index) => many && virtual.scrollToIndex(index));
    return () => void reveals.delete(status);
  });
  const items = virtual.getVirtualItems();
  const rows = many ? items : cards.map((_, index) => ({ index, start: 0, end: 0 }));
  const before = many ? (items[0]?.start ?? 0) : 0;
  const after = many ? virtual.getTotalSize() - (items.at(-1)?.end ?? 0) : 0;
  return (
    <div ref={scroller} className={column.scroller}>
      <ul className={column.cards} style={{ paddingTop: before, paddingBottom: after }}>
        {rows.map(({ index }) => {
          const card = cards[index];
          if (!card) return null;
          return (
            <li key={card.id} data-index={index} ref={many ? virtual.measureElement : undefined}>
              <DealCardView
                card={card}
                active={active === card.id}
                peeked={peeked === card.id}
                menuOpen={menu === card.id}
                acts={acts}
              />
            </li>
          );
        })}
      </ul>
      {cards.length === 0 && (
        <p className={column.none}>{filtering ? 'Nothing matches' : 'No deal stands here'}</p>
      )}
      {more > 0 && (
        <Link
          className={column.more}
          to="/deals"
          search={{ ...filters, view: 'list', state: 'open', stage: status }}
        >
          {more} more in the list
        </Link>
      )}
    </div>
  );
}
