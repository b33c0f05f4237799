// List of conversations: person, subject, last message, reading and waiting time.
import { Button } from '@mantine/core';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { Inbox } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState, type UIEvent } from 'react';
import type { Pages } from '../../../../../ui/client/hooks.ts';
import { Bones, Empty, Trouble } from '../../../../../ui/kit/states.tsx';
import type { ListState } from '../../../../../ui/shell/list-state.ts';
import type { Thread } from '../../contract.ts';
import { narrowed, type InboxFilters } from './filters.ts';
import { InboxRow } from './inbox-row.tsx';
import { threadOf } from './row-link.tsx';
import type { SettledRows } from './settled.ts';
import classes from './list.module.css';

type InboxListProps = {
  settled: SettledRows;
  pages: Pages<Thread>;
  filters: InboxFilters;
  open: string | undefined;
  select: (id: string) => void;
  selected: ReadonlySet<string>;
  toggle: (row: Thread) => void;
  narrow: (next: Partial<ListState>) => void;
};

/** Pixels before the end at which the next page is read. */
const NEAR_PX = 600;
/** From this many on, only those in sight are in the page. */
const VIRTUAL_FROM = 80;
/** As tall as the style sheet makes them. */
const ROW_PX = 104;

export function InboxList({
  settled,
  pages,
  filters,
  open,
  select,
  selected,
  toggle,
  narrow,
}: InboxListProps) {
  const { rows, fresh } = settled;
  const scroller = useRef<HTMLDivElement>(null);
  const latest = useRef({ select, toggle });
  useLayoutEffect(() => {
    latest.current = { select, toggle };
  });
  // The same from drawing to drawing: a row is drawn again where it changed alone.
  const acts = useMemo(
    () => ({
      select: (id: string) => latest.current.select(id),
      toggle: (row: Thread) => latest.current.toggle(row),
    }),
    [],
  );
  const many = rows.length >= VIRTUAL_FROM;
  const at = rows.findIndex(({ id }) => id === open);
  /** The row in which the focus is. */
  const [focused, setFocused] = useState<string | undefined>();
  const held = rows.findIndex(({ id }) => id === focused);
  // oxlint-disable-next-line react/incompatible-library -- it is read here only, never handed to a memoised child
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
    enabled: many,
    // It becomes long as one scrolls: whoever is at its end then stays there, and no row goes meanwhile.
    initialOffset: () => scroller.current?.scrollTop ?? 0,
    initialRect: { width: 0, height: innerHeight },
    // What is open, where the next key leads, and what has the focus are in the page wherever it is scrolled.
    rangeExtractor: (range) => {
      const beside = at < 0 ? [] : [at - 1, at, at + 1];
      const near = [...beside, held].filter((one) => one >= 0 && one < rows.length);
      return [...new Set([...defaultRangeExtractor(range), ...near])].sort((a, b) => a - b);
    },
  });
  /** What is open when the list comes, from its address or by Back, is in sight once. */
  const met = useRef(false);
  useLayoutEffect(() => {
    if (met.current || at < 0) return;
    met.current = true;
    if (many) virtual.scrollToIndex(at, { align: 'auto' });
    else
      scroller.current
        ?.querySelector(`[data-id="${open}"]`)
        ?.closest('li')
        ?.scrollIntoView({ block: 'nearest' });
  }, [at, many, open, virtual]);
  if (pages.pending)
    return (
      <div className={classes.bones}>
        <Bones lines={8} height={34} />
      </div>
    );
  if (pages.error && rows.length === 0) return <Trouble error={pages.error} again={pages.again} />;
  // Tab leads to what is open; where nothing is, to what is first in sight.
  const first = (many ? virtual.range?.startIndex : undefined) ?? 0;
  const reached = rows[[held, at].find((one) => one >= 0) ?? first]?.id;
  const nearEnd = ({ currentTarget: box }: UIEvent<HTMLElement>): void => {
    if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX) pages.more?.();
  };
  return (
    <div ref={scroller} className={classes.rowsBox} onScroll={nearEnd}>
      <div role="status">
        {fresh > 0 && (
          <button type="button" className={classes.fresh} onClick={settled.show}>
            {fresh} new
          </button>
        )}
      </div>
      {rows.length === 0 ? (
        <Nothing filters={filters} narrow={narrow} />
      ) : (
        <ul
          className={classes.rows}
          aria-label="Conversations"
          aria-busy={pages.fetching}
          onFocus={({ target }) => setFocused(threadOf(target))}
          // Whoever goes to another window comes back to where they were.
          onBlur={({ target }) => target !== document.activeElement && setFocused(undefined)}
          style={many ? { position: 'relative', height: virtual.getTotalSize() } : undefined}
        >
          {(many ? virtual.getVirtualItems() : rows.map((_, index) => ({ index, start: 0 }))).map(
            ({ index, start }) => {
              const row = rows[index];
              return (
                row && (
                  <InboxRow
                    key={row.id}
                    row={row}
                    here={row.id === open}
                    reached={row.id === reached}
                    picked={selected.has(row.id)}
                    at={index + 1}
                    of={pages.more ? -1 : rows.length}
                    top={many ? start : null}
                    acts={acts}
                  />
                )
              );
            },
          )}
        </ul>
      )}
      {pages.more && (
        <Button variant="subtle" color="gray" fullWidth onClick={pages.more} loading={pages.fetching}>
          Load more
        </Button>
      )}
    </div>
  );
}

function Nothing({ filters, narrow }: Pick<InboxListProps, 'filters' | 'narrow'>) {
  if (narrowed(filters) > 0)
    return (
      <Empty
        icon={Inbox}
        title="No conversations match these filters"
        action={
          <Button
            variant="default"
            onClick={() =>
              narrow({
                channel: undefined,
                reading: undefined,
                campaign: undefined,
                assignee: undefined,
                label: undefined,
              })
            }
          >
            Clear filters
          </Button>
        }
      />
    );
  const says = {
    unanswered: {
      title: 'You’re all caught up',
      text: 'Replies from email, web forms and calls appear here until you answer them.',
    },
    open: { title: 'No open conversations', text: 'Conversations with incoming messages appear here.' },
    snoozed: {
      title: 'No snoozed conversations',
      text: 'Snoozed conversations return here automatically.',
    },
    closed: {
      title: 'No closed conversations',
      text: 'Closed conversations reopen when someone replies.',
    },
    all: {
      title: 'No conversations yet',
      text: 'Connect a mailbox to see replies to your letters here.',
    },
  }[filters.state];
  return (
    <Empty icon={Inbox} title={says.title}>
      {says.text}
    </Empty>
  );
}
