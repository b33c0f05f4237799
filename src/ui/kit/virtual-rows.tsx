// Which rows of a long list are in sight, and how high all others are above and below them. It draws nothing itself, so that rows
// stay as they are when a list becomes long. Loaded with the first list that is long enough.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useState, type RefObject } from 'react';

/** From one row up to, and without, another; the first that can be seen; pixels that are free before and after them. */
export type Sight = { from: number; to: number; first: number; before: number; after: number };

type InSightProps = {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  see: (sight: Sight) => void;
  /** Is given the act that brings a row into the page. */
  reveal: RefObject<((index: number) => void) | null>;
};

/** Beyond what is in sight, either way. */
const SPARE = 8;
const USUAL_PX = 41;

/** Rows of a list are equally high: one that is there says how high all are. */
const heightIn = (scroller: HTMLElement | null): number | undefined =>
  scroller?.querySelector('[data-row]')?.getBoundingClientRect().height;

export function InSight({ scroller, count, see, reveal }: InSightProps) {
  const [height, setHeight] = useState(USUAL_PX);
  // oxlint-disable-next-line react/incompatible-library -- it is read here only, never handed to a memoised child
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: SPARE,
    // It becomes long as one scrolls: whoever is at its end then stays there.
    initialOffset: () => scroller.current?.scrollTop ?? 0,
  });
  useLayoutEffect(() => {
    const measure = (): void => setHeight((before) => heightIn(scroller.current) ?? before);
    measure();
    // Whoever wants their rows closer together changes them all at once.
    const density = new MutationObserver(measure);
    density.observe(document.documentElement, { attributeFilter: ['data-density'] });
    return () => density.disconnect();
  }, [scroller, count]);
  useLayoutEffect(() => virtual.measure(), [virtual, height]);
  useEffect(() => {
    reveal.current = (index) => virtual.scrollToIndex(index);
    return () => {
      reveal.current = null;
    };
  }, [virtual, reveal]);
  const items = virtual.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const first = virtual.range?.startIndex ?? from;
  const to = (items.at(-1)?.index ?? -1) + 1;
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  useLayoutEffect(() => {
    if (to > from) see({ from, to, first, before, after });
  }, [see, from, to, first, before, after]);
  return null;
}
