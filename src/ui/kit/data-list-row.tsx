// One row of a list. While one scrolls, dozens of them come into the page at once: a row is drawn again only where something of
// it changed, and its box to tick is one element, because a component for each was half of what a row cost.
import { memo, type JSX, type RefObject } from 'react';
import type { Column } from './data-list.tsx';
import classes from './data-list.module.css';

export type RowActs<Row> = {
  setActive: (index: number) => void;
  open?: (row: Row) => void;
  toggle?: (row: Row) => void;
};

type DataRowProps<Row> = {
  row: Row;
  index: number;
  /** Which row of the table it is, from 1, for readers; where all of them are in the page they count themselves. */
  nth: number | undefined;
  columns: Column<Row>[];
  tone: 'bad' | 'warn' | undefined;
  /** Null: nothing can be picked in this list. */
  picked: boolean | null;
  /** The one row at which Tab stops. */
  stop: boolean;
  opens: boolean;
  /** As the list has them by now: rows are not drawn again for a new one. */
  acts: RefObject<RowActs<Row>>;
};

const CONTROLS = 'a, button, input, label, [role="menu"]';

function Drawn<Row>({ row, index, nth, columns, tone, picked, stop, opens, acts }: DataRowProps<Row>) {
  return (
    <tr
      data-row={index}
      aria-rowindex={nth}
      data-tone={tone}
      data-picked={picked || undefined}
      data-opens={opens || undefined}
      tabIndex={stop ? 0 : -1}
      onFocus={() => acts.current.setActive(index)}
      onClick={(event) => {
        if (!(event.target as Element).closest(CONTROLS) && !getSelection()?.toString())
          acts.current.open?.(row);
      }}
    >
      {picked !== null && (
        <td className={classes.check}>
          <input
            type="checkbox"
            className={`${classes.tick} mantine-Checkbox-input mantine-focus-auto`}
            aria-label="Select this row"
            checked={picked}
            onChange={() => acts.current.toggle?.(row)}
            tabIndex={-1}
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} style={{ textAlign: column.align }} data-hide={column.hide}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** A list may make its columns again each time: what a cell is drawn from is what counts. */
const same = <Row,>(before: DataRowProps<Row>, now: DataRowProps<Row>): boolean =>
  before.row === now.row &&
  before.index === now.index &&
  before.nth === now.nth &&
  before.tone === now.tone &&
  before.picked === now.picked &&
  before.stop === now.stop &&
  before.opens === now.opens &&
  before.columns.length === now.columns.length &&
  before.columns.every((column, at) => {
    const next = now.columns[at];
    return (
      column.cell === next?.cell &&
      column.key === next.key &&
      column.align === next.align &&
      column.hide === next.hide
    );
  });

// A memo forgets what its rows are of.
export const DataRow = memo(Drawn, same) as unknown as <Row>(props: DataRowProps<Row>) => JSX.Element;
