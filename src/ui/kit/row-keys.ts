// Walking a list with the keyboard: j and k (or the arrows) move, Enter opens, x selects. The focus is the cursor, so readers
// follow it. Kept apart from the table so that other lists (a queue of approvals) walk the same way.
import { useState, type RefObject } from 'react';
import { focusOn } from './focus.ts';
import { useKeys, type KeyBinding } from './keys.ts';

type RowKeys<Row> = {
  /** Holds the rows, each with `data-row={index}` and a tab index. */
  scroller: RefObject<HTMLElement | null>;
  rows: Row[];
  /** The heading in the sheet of keys. */
  label: string;
  open?: (row: Row) => void;
  toggle?: (row: Row) => void;
  /** Brings a row into the page where not all of them are in it. */
  reveal?: (index: number) => void;
};

export function useRowKeys<Row>({ scroller, rows, label, open, toggle, reveal }: RowKeys<Row>) {
  const [active, setActive] = useState(-1);

  const go = (index: number): void => {
    const next = Math.min(Math.max(index, 0), rows.length - 1);
    if (next < 0) return;
    setActive(next);
    reveal?.(next);
    focusOn(() => scroller.current?.querySelector<HTMLElement>(`[data-row="${next}"]`) ?? null);
  };
  /** The row that has the focus, wherever it is by now: rows before it may have come or gone since it was reached. */
  const here = (): number => {
    const row = document.activeElement?.closest<HTMLElement>('[data-row]');
    return row && scroller.current?.contains(row) ? Number(row.dataset['row']) : active;
  };
  const onRow = (act: (row: Row) => void): void => {
    const row = rows[here()];
    if (row !== undefined) act(row);
  };

  const bindings: KeyBinding[] = [
    { keys: 'j', does: 'Next row', group: label, run: () => go(here() + 1) },
    { keys: 'k', does: 'Previous row', group: label, run: () => go(here() - 1) },
    { keys: 'ArrowDown', does: 'Next row', group: label, silent: true, run: () => go(here() + 1) },
    { keys: 'ArrowUp', does: 'Previous row', group: label, silent: true, run: () => go(here() - 1) },
  ];
  if (open) bindings.push({ keys: 'Enter', does: 'Open the row', group: label, run: () => onRow(open) });
  if (toggle) bindings.push({ keys: 'x', does: 'Select the row', group: label, run: () => onRow(toggle) });
  useKeys(bindings, rows.length > 0);

  return { active: Math.min(active, rows.length - 1), setActive };
}
