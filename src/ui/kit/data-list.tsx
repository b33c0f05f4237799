// A list of rows as a table: keyboard (j/k, Enter, x), selection, skeleton, empty, refused and error states, more rows as one
// scrolls, and only the rows in sight in the page once there are many. It is the scrolling element of its screen.
import { Checkbox } from '@mantine/core';
import {
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import type { Pages } from '../client/hooks.ts';
import { DataRow, type RowActs } from './data-list-row.tsx';
import { useRowKeys } from './row-keys.ts';
import { Bone, Trouble } from './states.tsx';
import type { Sight } from './virtual-rows.tsx';
import classes from './data-list.module.css';

export type Column<Row> = {
  key: string;
  title: string;
  /** One line on what the column means, as a tooltip of its heading. */
  gloss?: string;
  cell: (row: Row) => ReactNode;
  /** A CSS width; the column without one takes what is left. */
  width?: string;
  align?: 'end';
  /** `narrow` goes below 640 px, `medium` below 1024 px. */
  hide?: 'narrow' | 'medium';
  /** The heading is for readers only (a column of buttons). */
  bare?: boolean;
};

export type Selection = { selected: ReadonlySet<string>; onSelect: (next: Set<string>) => void };

type DataListProps<Row> = {
  /** What the list is of, for readers. */
  label: string;
  columns: Column<Row>[];
  pages: Pages<Row>;
  rowKey: (row: Row) => string;
  /** Opens a row: Enter, or a click anywhere on it. */
  open?: (row: Row) => void;
  selection?: Selection;
  /** A tint for rows that ask to be seen. */
  tone?: (row: Row) => 'bad' | 'warn' | undefined;
  empty: ReactNode;
  /** Above the table, and scrolls with it. */
  above?: ReactNode;
};

const InSight = lazy(() => import('./virtual-rows.tsx').then((m) => ({ default: m.InSight })));

/** From this many rows on, only those in sight are in the page. */
const VIRTUAL_FROM = 80;
/** They are a row of the table too. */
const HEADINGS = 1;

export function DataList<Row>({
  label,
  columns,
  pages,
  rowKey,
  open,
  selection,
  tone,
  empty,
  above,
}: DataListProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const { rows } = pages;
  const many = rows.length >= VIRTUAL_FROM;
  const reveal = useRef<((index: number) => void) | null>(null);
  const toggle = (row: Row): void => {
    if (!selection) return;
    const next = new Set(selection.selected);
    if (!next.delete(rowKey(row))) next.add(rowKey(row));
    selection.onSelect(next);
  };
  const { active, setActive } = useRowKeys({
    scroller,
    rows,
    label,
    ...(open ? { open } : {}),
    ...(selection ? { toggle } : {}),
    reveal: (index) => reveal.current?.(index),
  });
  const sentinel = useMore(pages);

  const none = rows.length === 0 && (pages.error !== null || !pages.pending);
  const every = rows.length > 0 && rows.every((row) => selection?.selected.has(rowKey(row)));

  const acts = useRef<RowActs<Row>>({ setActive });
  // Before anything else can be clicked.
  useLayoutEffect(() => {
    acts.current = { setActive, ...(open && { open }), ...(selection && { toggle }) };
  });
  const rowAt = (index: number, stop: boolean): ReactNode => {
    const row = rows[index] as Row;
    const key = rowKey(row);
    return (
      <DataRow
        key={key}
        row={row}
        index={index}
        nth={many ? index + 1 + HEADINGS : undefined}
        columns={columns}
        tone={tone?.(row)}
        picked={selection ? selection.selected.has(key) : null}
        stop={stop}
        opens={open !== undefined}
        acts={acts}
      />
    );
  };

  return (
    <div ref={scroller} className={classes.scroller}>
      {!(none && pages.error?.status === 403) && above}
      {none && (pages.error ? <Trouble subject error={pages.error} again={pages.again} /> : empty)}
      {!none && (
        <table
          className={classes.table}
          aria-label={label}
          aria-busy={pages.fetching}
          // As long as there is more to read no one knows.
          aria-rowcount={many ? (pages.more ? -1 : rows.length + HEADINGS) : undefined}
        >
          <thead>
            <tr aria-rowindex={many ? HEADINGS : undefined}>
              {selection && (
                <th className={classes.check}>
                  <Checkbox
                    aria-label="Select all rows shown"
                    checked={every}
                    indeterminate={!every && selection.selected.size > 0}
                    onChange={() => selection.onSelect(every ? new Set() : new Set(rows.map(rowKey)))}
                  />
                </th>
              )}
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  style={{ width: column.width, textAlign: column.align }}
                  data-hide={column.hide}
                  title={column.gloss}
                >
                  {column.bare ? <span className="unseen">{column.title}</span> : column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {pages.pending && <Skeleton columns={columns} check={selection !== undefined} />}
            <Rows
              scroller={scroller}
              count={rows.length}
              active={Math.max(active, 0)}
              rowAt={rowAt}
              reveal={reveal}
            />
          </tbody>
        </table>
      )}
      {!none && pages.more && (
        <button
          ref={sentinel}
          type="button"
          className={classes.more}
          onClick={pages.more}
          aria-busy={pages.fetching}
        >
          {pages.fetching ? 'Loading more…' : 'Load more'}
        </button>
      )}
    </div>
  );
}

type RowsProps = {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  /** The row that was walked to. */
  active: number;
  rowAt: (index: number, stop: boolean) => ReactNode;
  reveal: RefObject<((index: number) => void) | null>;
};

/** All of them; of many, those in sight, with the height of the others kept free above and below. */
function Rows({ scroller, count, active, rowAt, reveal }: RowsProps) {
  const many = count >= VIRTUAL_FROM;
  const [sight, see] = useState<Sight | null>(null);
  const all: Sight = { from: 0, to: Math.min(count, VIRTUAL_FROM), first: 0, before: 0, after: 0 };
  // What was in sight of a longer list says nothing of a shorter one.
  const { from, to, first, before, after } = many && sight && sight.from < count ? sight : all;
  const last = Math.min(to, count);
  // Tab stops at one that is there: where the one that was walked to does not, at the first in sight.
  const stop = active >= from && active < last ? active : Math.min(first, last - 1);
  return (
    <>
      {many && (
        <Suspense>
          <InSight scroller={scroller} count={count} see={see} reveal={reveal} />
        </Suspense>
      )}
      {before > 0 && <Gap key="before" height={before} />}
      {Array.from({ length: Math.max(0, last - from) }, (_, n) => rowAt(from + n, from + n === stop))}
      {after > 0 && <Gap key="after" height={after} />}
    </>
  );
}

/** One cell: where columns are hidden, a cell across all of them would bring theirs back, empty. */
const Gap = ({ height }: { height: number }) => (
  <tr aria-hidden className={classes.gap}>
    <td style={{ height }} />
  </tr>
);

function Skeleton<Row>({ columns, check }: { columns: Column<Row>[]; check: boolean }) {
  return Array.from({ length: 8 }, (_, line) => (
    <tr key={line} aria-hidden={line > 0}>
      {check && <td className={classes.check} />}
      {columns.map((column, i) => (
        <td key={column.key} data-hide={column.hide}>
          {line === 0 && i === 0 && <span className="unseen">Loading</span>}
          <Bone width={`${[64, 48, 72, 40][(line + i) % 4]}%`} />
        </td>
      ))}
    </tr>
  ));
}

/** Reads on when the end comes into sight. */
function useMore<Row>(pages: Pages<Row>) {
  const sentinel = useRef<HTMLButtonElement>(null);
  const more = useRef(pages.more);
  useEffect(() => {
    more.current = pages.more;
  });
  const { fetching, rows } = pages;
  const failed = pages.error !== null;
  // Looked at again once a page came, or did not: the end stays in sight where a list was read again meanwhile.
  useEffect(() => {
    const button = sentinel.current;
    if (!button || fetching || failed) return;
    // The last of them counts: on a busy page "out of sight" and "in sight" come together.
    const seen = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && more.current?.(), {
      rootMargin: '400px',
    });
    seen.observe(button);
    return () => seen.disconnect();
  }, [rows.length, fetching, failed]);
  return sentinel;
}
