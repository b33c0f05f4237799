// A list of rows as a table: keyboard (j/k, Enter, x), selection, skeleton, empty, refused and error states, more rows as one
// scrolls, and only the rows in sight in the page once there are many. It is the scrolling element of its screen.
import { Checkbox } from '@mantine/core';
import { lazy, Suspense, useCallback, useEffect, useRef, type ReactNode } from 'react';
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

const VirtualRows = lazy(() => import('./virtual-rows.tsx').then((m) => ({ default: m.VirtualRows })));

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
  const reveal = useRef<((index: number) => void) | null>(null);
  const onReveal = useCallback((next: ((index: number) => void) | null) => {
    reveal.current = next;
  }, []);
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

  const renderRow = (index: number): ReactNode => {
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
            {pages.pending && <Skeleton columns={columns} check={selection !== undefined} />}
            {many ? (
              <Suspense fallback={rows.slice(0, VIRTUAL_FROM).map((_, index) => renderRow(index))}>
                <VirtualRows scroller={scroller} count={rows.length} render={renderRow} onReveal={onReveal} />
              </Suspense>
            ) : (
              rows.map((_, index) => renderRow(index))
            )}
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
  // Looked at anew once a page came, or did not: the end stays in sight where a list was read again meanwhile.
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
