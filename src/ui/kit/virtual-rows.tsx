// The rows of a long list that are in sight, with the height of all others kept free above and below them. Loaded with the
// first list that is long enough.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, type ReactNode, type RefObject } from 'react';
import classes from './data-list.module.css';

type VirtualRowsProps = {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  render: (index: number) => ReactNode;
  /** Takes the act that brings a row into the page. */
  onReveal: (reveal: ((index: number) => void) | null) => void;
};

const rowHeight = (): number =>
  Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--row'), 10) || 40;

export function VirtualRows({ scroller, count, render, onReveal }: VirtualRowsProps) {
  // oxlint-disable-next-line react/incompatible-library -- it is read here only, never handed to a memoised child
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: rowHeight,
    overscan: 12,
  });
  useEffect(() => {
    onReveal((index) => virtual.scrollToIndex(index));
    return () => onReveal(null);
  }, [virtual, onReveal]);
  // A row that is scrolled is the row that it was: none is drawn again before what it is drawn from changes.
  const rowOf = useMemo(() => {
    const drawn = new Map<number, ReactNode>();
    return (index: number): ReactNode => {
      if (!drawn.has(index)) drawn.set(index, render(index));
      return drawn.get(index);
    };
  }, [render]);
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <>
      {before > 0 && <Gap height={before} />}
      {items.map(({ index }) => rowOf(index))}
      {after > 0 && <Gap height={after} />}
    </>
  );
}

/** One cell: where columns are hidden, a cell across all of them would bring theirs back, empty. */
const Gap = ({ height }: { height: number }) => (
  <tr aria-hidden className={classes.gap}>
    <td style={{ height }} />
  </tr>
);
