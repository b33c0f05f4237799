// A list of rows as a table: keyboard (j/k, Enter, x), selection, skeleton, empty, refused and error states, more rows as one
// scrolls, and only the rows in sight in the page once there are many. It is the scrolling element of its screen.
import { Checkbox } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ReactNode } from 'react';
import type { Pages } from '../client/hooks.ts';
import { Bone, Trouble } from './states.tsx';
import { useRowKeys } from './row-keys.ts';
import classes from './data-list.module.css';

export type Column<Row> = {
  key: string;
  title: string;
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
  /** Stands above the table and scrolls with it. */
  above?: ReactNode;
};

/** From this many rows on, only those in sight stand in the page. */
const VIRTUAL_FROM = 80;

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
  // oxlint-disable-next-line react/incompatible-library -- it is read here only, never handed to a memoised child
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () =>
      Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--row'), 10) || 40,
    overscan: 12,
    enabled: many,
  });
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
    reveal: (index) => many && virtual.scrollToIndex(index),
  });
  const sentinel = useMore(pages);

  if (pages.error && rows.length === 0) return <Trouble error={pages.error} again={pages.again} />;
  if (!pages.pending && rows.length === 0)
    return (
      <>
        {above}
        {empty}
      </>
    );

  const slice = many ? virtual.getVirtualItems() : rows.map((_, index) => ({ index, start: 0, end: 0 }));
  const before = many ? (slice[0]?.start ?? 0) : 0;
  const after = many ? virtual.getTotalSize() - (slice.at(-1)?.end ?? 0) : 0;
  const every = rows.length > 0 && rows.every((row) => selection?.selected.has(rowKey(row)));
  const span = columns.length + (selection ? 1 : 0);

  return (
    <div ref={scroller} className={classes.scroller}>
      {above}
      <table
        className={classes.table}
        aria-label={label}
        aria-busy={pages.fetching}
        aria-rowcount={many ? rows.length : undefined}
      >
        <thead>
          <tr>
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
              >
                {column.bare ? <span className="unseen">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Gap height={before} span={span} />}
          {pages.pending && <Skeleton columns={columns} check={selection !== undefined} />}
          {slice.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const key = rowKey(row);
            const picked = selection?.selected.has(key) ?? false;
            return (
              <tr
                key={key}
                data-row={index}
                data-tone={tone?.(row)}
                data-picked={picked || undefined}
                data-opens={open !== undefined || undefined}
                tabIndex={index === Math.max(active, 0) ? 0 : -1}
                onFocus={() => setActive(index)}
                onClick={(event) => {
                  if (
                    open &&
                    !(event.target as Element).closest('a, button, input, label, [role="menu"]') &&
                    !getSelection()?.toString()
                  )
                    open(row);
                }}
              >
                {selection && (
                  <td className={classes.check}>
                    <Checkbox
                      aria-label="Select this row"
                      checked={picked}
                      onChange={() => toggle(row)}
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
          })}
          {after > 0 && <Gap height={after} span={span} />}
        </tbody>
      </table>
      {pages.more && (
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

const Gap = ({ height, span }: { height: number; span: number }) => (
  <tr aria-hidden className={classes.gap}>
    <td colSpan={span} style={{ height }} />
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
  const { length } = pages.rows;
  useEffect(() => {
    const button = sentinel.current;
    if (!button) return;
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && more.current?.(), {
      rootMargin: '400px',
    });
    seen.observe(button);
    return () => seen.disconnect();
  }, [length]);
  return sentinel;
}
