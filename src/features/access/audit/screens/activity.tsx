// Activity: who did what, newest first, as a timeline of turns, with refusals set apart and runs of reads folded. Filters are in
// the address, so that any record can lead to its own history; a line opens with all of it.
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { DataList } from '../../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { csvAddress, ListTools, useColumns } from '../../../../ui/kit/list-tools.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import type { ListState } from '../../../../ui/shell/list-state.ts';
import { COLUMNS } from './cells.tsx';
import { askedOf, Filters, type ActivityQuery } from './filters.tsx';
import { linesOf, type Line } from './lines.rules.ts';
import { NOUN, NOUNS, outcomeOf } from './words.ts';

const EntryDrawer = later(
  () => import('./entry-drawer.tsx').then((m) => m.EntryDrawer),
  ({ line }) => line !== null,
);

const TONE = { done: undefined, refused: 'warn', invalid: undefined, fault: 'bad' } as const;
const NARROWING = ['outcome', 'view', 'surface', 'act', 'actor', 'noun', 'id', 'since', 'cursor'] as const;
const NONE = Object.fromEntries(NARROWING.map((key) => [key, undefined])) as ActivityQuery;

export function ActivityScreen() {
  const search = useSearch({ from: '/desk/activity' });
  const navigate = useNavigate({ from: '/activity' });
  const field = useRef<HTMLInputElement>(null);
  const [now] = useState(() => Date.now());
  const asked = askedOf(search, now);
  const pages = usePages('activity_list', asked, { from: search.cursor });
  const { shown, tools } = useColumns({
    list: 'activity',
    columns: COLUMNS,
    search,
    go: (to) => void navigate({ search: to, replace: true }),
  });
  const lines = useMemo(() => linesOf(pages.rows), [pages.rows]);
  const show = (change: ActivityQuery): void => {
    const keeps: ActivityQuery = 'open' in change ? {} : { cursor: undefined, open: undefined };
    void navigate({ search: (before) => ({ ...before, ...keeps, ...change }), replace: true });
  };
  const filtered = NARROWING.some((key) => search[key] !== undefined);
  const all = (): void => show(NONE);
  const open = lines.find(({ entries }) => entries.some(({ id }) => id === search.open)) ?? null;

  useKeys([
    { keys: '/', does: 'Filter by act', group: 'Activity', run: () => field.current?.focus() },
    {
      keys: 'r',
      does: 'Show all or refusals only',
      group: 'Activity',
      run: () => show({ outcome: search.outcome === 'refused' ? undefined : 'refused', view: undefined }),
    },
  ]);

  return (
    <Page
      crumbs={[{ title: 'Activity' }]}
      beside={<OfOne search={search} lines={lines} />}
      actions={<ListTools tools={tools} file={csvAddress('activity_list', asked)} />}
      bar={
        <>
          <Filters search={search} field={field} change={show} />
          {filtered && (
            <Button variant="subtle" color="gray" size="xs" onClick={all}>
              Clear filters
            </Button>
          )}
        </>
      }
    >
      <DataList
        label="Activity"
        columns={shown}
        pages={{ ...pages, rows: lines }}
        rowKey={({ key }) => key}
        open={({ key }) => show({ open: key })}
        tone={({ entries: [entry] }) => TONE[outcomeOf(entry)]}
        empty={
          filtered ? (
            <Empty
              icon={History}
              title="No matching activity"
              action={
                <Button variant="default" onClick={all}>
                  Show all activity
                </Button>
              }
            >
              Try removing a filter.
            </Empty>
          ) : (
            <Empty icon={History} title="No activity yet">
              Everything that people and agents do appears here, refusals included.
            </Empty>
          )
        }
      />
      <EntryDrawer
        line={open}
        onClose={() => show({ open: undefined })}
        onActor={(actor) => show({ actor, open: undefined })}
      />
    </Page>
  );
}

/** Whose history it is, where it is one thing's. */
function OfOne({ search, lines }: { search: ListState; lines: readonly Line[] }) {
  const noun = NOUNS.find((one) => one === search.noun);
  if (!noun || !search.id) return null;
  const called = lines.flatMap(({ entries }) => entries).find(({ record }) => record)?.record;
  return (
    <span style={{ color: 'var(--text-2)' }}>
      for {called ? (called.key ?? called.title) : `this ${NOUN[noun].toLowerCase()}`}
    </span>
  );
}
