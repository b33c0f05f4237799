// Inbox: list, conversation and side panel; one at a time on a phone. Nothing is opened, and so marked as read, until someone
// chooses it.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { usePages, useRead } from '../../../../../ui/client/hooks.ts';
import { useReadAhead } from '../../../../../ui/kit/ahead.ts';
import { focusOn, useOpened } from '../../../../../ui/kit/focus.ts';
import { useKeys } from '../../../../../ui/kit/keys.ts';
import { Page } from '../../../../../ui/kit/page.tsx';
import { Count } from '../../../../../ui/kit/pills.tsx';
import { onPhone } from '../../../../../ui/kit/phone.ts';
import type { ListState } from '../../../../../ui/shell/list-state.ts';
import { useChosen } from '../../../../../ui/shell/runs-chosen.tsx';
import type { Thread } from '../../contract.ts';
import { BulkBar } from './bulk.tsx';
import { Chosen } from './chosen.tsx';
import { Doings } from './doings.tsx';
import { filtersOf, knownCount, listArgs } from './filters.ts';
import { Found } from './found.tsx';
import { InboxList } from './inbox-list.tsx';
import { ListHead } from './list-head.tsx';
import { threadOf } from './row-link.tsx';
import { useSettled } from './settled.ts';
import { useThreadActs } from '../conversation/use-acts.ts';
import { tallied } from '../conversation/words.ts';
import classes from './inbox.module.css';

export function InboxScreen() {
  const search = useSearch({ from: '/desk/inbox' });
  const navigate = useNavigate({ from: '/inbox' });
  const filters = filtersOf(search);
  const args = listArgs(filters);
  const counts = useRead('inbox_counts', {}).data;
  const pages = usePages('inbox_list', args, { enabled: !search.query });
  const acts = useThreadActs(filters.state);
  const list = useRef<HTMLDivElement>(null);

  // The router puts a list back to where it was before each change of the address: the row that a key led to would be out of sight.
  const show = (next: Partial<ListState>): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false });
  const settled = useSettled(JSON.stringify(args), pages, acts);
  const { rows } = settled;
  const known = knownCount(filters, counts);
  const chosen = useChosen('inbox_list', args, { rows, more: pages.more });
  const { selected, onSelect } = chosen.selection;
  const [open, opening] = useOpened(search.open);
  const at = rows.findIndex(({ id }) => id === open);
  useReadAhead(search.query ? null : pages.more, at, rows.length);

  const select = (id: string | undefined): void => {
    opening(id);
    show({ open: id, view: undefined });
    if (id) focusOn(() => list.current?.querySelector<HTMLElement>(`[data-id="${id}"]`) ?? null);
  };
  const narrow = (next: Partial<ListState>): void => {
    chosen.clear();
    show({ open: undefined, view: undefined, query: undefined, ...next });
  };
  /** Where nothing is open one goes on from the row that has the focus. */
  const here = (): number => {
    const focused = document.activeElement ?? null;
    const id = list.current?.contains(focused) ? threadOf(focused) : undefined;
    return at >= 0 ? at : rows.findIndex((row) => row.id === id);
  };
  const step = (by: number): void => {
    const from = here();
    select((from < 0 ? rows[by > 0 ? 0 : rows.length - 1] : (rows[from + by] ?? rows[from]))?.id);
  };
  const pick = (): void => {
    const row = rows[here()];
    if (row) toggle(row);
  };
  const toggle = (row: Thread): void => {
    const next = new Set(selected);
    if (!next.delete(row.id)) next.add(row.id);
    onSelect(next);
  };
  /** After what was open left the list: the next one, on a desk; on a phone the list. */
  const leave = (): void => select(onPhone() ? undefined : (rows[at + 1] ?? rows[at - 1])?.id);

  /** After what is open was answered: the next one that waits, on a desk. */
  const onward = (): void => {
    const next = rows[at + 1] ?? rows[at - 1];
    if (filters.state === 'unanswered' && next && !onPhone()) select(next.id);
  };

  const group = 'Inbox';
  useKeys([
    { keys: 'j', does: 'Next conversation', group, run: () => step(1) },
    { keys: 'k', does: 'Previous conversation', group, run: () => step(-1) },
    { keys: 'ArrowDown', does: 'Next conversation', group, silent: true, run: () => step(1) },
    { keys: 'ArrowUp', does: 'Previous conversation', group, silent: true, run: () => step(-1) },
    { keys: 'x', does: 'Select conversation', group, run: pick },
    { keys: 'Escape', does: 'Back to list', group, run: () => select(undefined) },
    {
      keys: '/',
      does: 'Search messages',
      group,
      run: () => document.getElementById('mail-search')?.focus(),
    },
  ]);

  const unanswered = counts?.unanswered ?? 0;
  return (
    <Page
      crumbs={[{ title: 'Inbox' }]}
      beside={unanswered > 0 && <Count tone="warn">{tallied(unanswered)}</Count>}
    >
      <div
        className={classes.panes}
        data-open={open !== undefined || undefined}
        data-about={search.view === 'about' || undefined}
      >
        <section className={classes.list} aria-label="Conversations">
          <ListHead filters={filters} query={search.query} counts={counts} narrow={narrow} search={show} />
          {chosen.picked.length > 0 && (
            <BulkBar
              chosen={chosen}
              known={known}
              acts={acts}
              pickShown={() => onSelect(new Set(rows.map(({ id }) => id)))}
            />
          )}
          <div className={classes.scroller} ref={list}>
            {search.query ? (
              <Found query={search.query} open={open} select={select} />
            ) : (
              <InboxList
                settled={settled}
                pages={pages}
                filters={filters}
                open={open}
                select={select}
                selected={selected}
                toggle={toggle}
                narrow={narrow}
              />
            )}
          </div>
        </section>
        <Chosen
          open={open}
          acts={acts}
          counts={counts}
          selecting={chosen.picked.length > 0}
          leave={leave}
          onward={onward}
          select={select}
          about={(on) => show({ view: on ? 'about' : undefined })}
        />
      </div>
      <Doings acts={acts} />
    </Page>
  );
}
