// The cards of one column, of which only those in sight are in the page once there are many, and how many are left out.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ReactNode } from 'react';
import classes from './column.module.css';

type BoardCardsProps<S extends string, C extends { id: string }> = {
  status: S;
  cards: C[];
  card: (card: C) => ReactNode;
  /** Said where none is here. */
  none: string;
  /** The way to those that are left out. */
  more: ReactNode;
  /** Registers how a card of this column is brought into the page. */
  reveals: Map<S, (index: number) => void>;
};

/** From this many cards on, only those in sight are in the page. */
const VIRTUAL_FROM = 40;
const CARD_PX = 96;

export function BoardCards<S extends string, C extends { id: string }>(props: BoardCardsProps<S, C>) {
  const { status, cards, card: shown, none, more, reveals } = props;
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
    <div ref={scroller} className={classes.scroller}>
      <ul className={classes.cards} style={{ paddingTop: before, paddingBottom: after }}>
        {rows.map(({ index }) => {
          const card = cards[index];
          if (!card) return null;
          return (
            <li key={card.id} data-index={index} ref={many ? virtual.measureElement : undefined}>
              {shown(card)}
            </li>
          );
        })}
      </ul>
      {cards.length === 0 && <p className={classes.none}>{none}</p>}
      {more}
    </div>
  );
}
