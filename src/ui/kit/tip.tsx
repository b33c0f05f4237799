// A tip over any one element, on hover, focus or touch; small on purpose, so that a screen need not load the machinery of
// menus for it. The element itself carries the words for readers
// (`aria-label` or `aria-description`).
import { useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import classes from './tip.module.css';

const AFTER_MS = 250;
const EDGE = 8;

type Place = { left: number; top: number; below: boolean };

export function Tip({ label, children }: { label: string; children: ReactNode }) {
  const [place, setPlace] = useState<Place | null>(null);
  const host = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const show = (wait: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const box = host.current?.firstElementChild?.getBoundingClientRect();
      if (!box) return;
      const below = box.top < 80;
      setPlace({
        left: Math.min(Math.max(box.left + box.width / 2, 170), innerWidth - 170),
        top: below ? box.bottom + EDGE : box.top - EDGE,
        below,
      });
    }, wait);
  };
  const hide = (): void => {
    clearTimeout(timer.current);
    setPlace(null);
  };
  return (
    <span
      ref={host}
      className={classes.host}
      onPointerEnter={() => show(AFTER_MS)}
      onPointerLeave={hide}
      onFocus={() => show(0)}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {children}
      {place &&
        createPortal(
          <span
            role="tooltip"
            className={classes.tip}
            data-below={place.below || undefined}
            style={{ left: place.left, top: place.top }}
          >
            {label}
          </span>,
          document.getElementById('screen') ?? document.body,
        )}
    </span>
  );
}
