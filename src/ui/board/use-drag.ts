// Hooks around the code for dragging, which is fetched when the first board exists.
import { useEffect, useRef, type RefObject } from 'react';
import type { Drop } from './drag.ts';

type Drag = typeof import('./drag.ts');

const load = (): Promise<Drag> => import('./drag.ts');

/** Runs once the code is there, and ends with the component. */
function useDrag(begin: (drag: Drag) => (() => void) | undefined, on: unknown[]): void {
  useEffect(() => {
    let end: (() => void) | undefined;
    let gone = false;
    void load().then((drag) => {
      if (!gone) end = begin(drag);
    });
    return () => {
      gone = true;
      end?.();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `on` is what `begin` closes over
  }, on);
}

export function useCardDrag(ref: RefObject<HTMLElement | null>, id: string, status: string): void {
  useDrag((drag) => (ref.current ? drag.dragCard(ref.current, id, status) : undefined), [ref, id, status]);
}

export function useColumnDrop(ref: RefObject<HTMLElement | null>, status: string): void {
  useDrag((drag) => (ref.current ? drag.dropColumn(ref.current, status) : undefined), [ref, status]);
}

export function useDrops(dropped: (drop: Drop) => void): void {
  const latest = useRef(dropped);
  useEffect(() => {
    latest.current = dropped;
  });
  useDrag((drag) => drag.watchDrops((drop) => latest.current(drop)), []);
}
