// Loads the next page of a queue before the person reaches the end of this one.
import { useEffect, useRef } from 'react';

const AHEAD = 10;

/** `at`: where someone is in the rows that are there; `more` reads the next page, null where there is none. */
export function useReadAhead(more: (() => void) | null, at: number, rows: number): void {
  const latest = useRef(more);
  useEffect(() => {
    latest.current = more;
  });
  const due = more !== null && at + AHEAD >= rows;
  // Once for as many rows as there are: a page that does not come is not asked for again and again.
  useEffect(() => {
    if (due) latest.current?.();
  }, [due, rows]);
}
