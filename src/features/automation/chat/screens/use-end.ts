// Scrolling that follows new content for a reader at the end and leaves others where they are.
import { useEffect, useRef, useState, type RefObject } from 'react';

const NEAR_PX = 40;

export type End = {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** Whether it is in sight. */
  at: boolean;
  go: () => void;
  /** It is to be in sight with what comes next. */
  stay: () => void;
};

/** `of`: what is read; another one begins at its end. */
export function useEnd(of: string | undefined): End {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const [at, setAt] = useState(true);
  useEffect(() => {
    const box = scroller.current;
    const inside = content.current;
    if (!box || !inside) return;
    sticks.current = true;
    const toEnd = (): void => {
      if (sticks.current) box.scrollTop = box.scrollHeight;
    };
    const near = (): boolean => box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
    const look = (): void => {
      sticks.current = near();
      setAt(sticks.current);
    };
    // What someone unfolds stays under their eyes.
    const unfolds = ({ target }: Event): void => {
      if (target instanceof Element && target.closest('summary')) sticks.current = false;
    };
    toEnd();
    const grown = new ResizeObserver(() => (sticks.current ? toEnd() : setAt(near())));
    grown.observe(inside);
    grown.observe(box);
    box.addEventListener('scroll', look, { passive: true });
    inside.addEventListener('click', unfolds);
    return () => {
      grown.disconnect();
      box.removeEventListener('scroll', look);
      inside.removeEventListener('click', unfolds);
    };
  }, [of]);
  const stay = (): void => {
    sticks.current = true;
    setAt(true);
  };
  const go = (): void => {
    stay();
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  };
  return { scroller, content, at, go, stay };
}
