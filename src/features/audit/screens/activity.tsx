// Activity: who did what, newest first, with refusals set apart. Filters stand in the address; a row opens with all of it.
import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { History, Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { usePages } from '../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../ui/kit/keys.ts';
import { later } from '../../../ui/kit/later.tsx';
import { Page } from '../../../ui/kit/page.tsx';
import { Pill } from '../../../ui/kit/pills.tsx';
import { Principal } from '../../../ui/kit/principal.tsx';
import { Empty } from '../../../ui/kit/states.tsx';
import { Time } from '../../../ui/kit/time.tsx';
import type { AuditEntry } from '../contract.ts';
import { OUTCOME, OUTCOMES, SURFACE, SURFACES, words } from './words.ts';
import classes from './activity.module.css';

const EntryDrawer = later(
  () => import('./entry-drawer.tsx').then((m) => m.EntryDrawer),
  ({ entry }) => entry !== null,
);

const COLUMNS: Column<AuditEntry>[] = [
  {
    key: 'at',
    title: 'When',
    width: '94px',
    cell: (entry) => (
      <span className={classes.at}>
        <Time at={entry.at} />
      </span>
    ),
  },
  {
    key: 'who',
    title: 'Who',
    width: '25%',
    cell: (entry) => <Principal of={entry.principal} behalf={entry.on_behalf_of} size={20} />,
  },
  {
    key: 'act',
    title: 'What',
    cell: (entry) => (
      <span className={classes.what}>
        <span>{words(entry.act)}</span>
        {entry.sentence ? (
          <span className={classes.sentence}>{entry.sentence}</span>
        ) : (
          entry.resource && <code>{entry.resource}</code>
        )}
      </span>
    ),
  },
  { key: 'road', title: 'Road', width: '218px', hide: 'medium', cell: (entry) => <Road entry={entry} /> },
  {
    key: 'outcome',
    title: 'Outcome',
    width: '112px',
    hide: 'narrow',
    cell: (entry) => <Pill tone={OUTCOME[entry.outcome].tone}>{OUTCOME[entry.outcome].title}</Pill>,
  },
];

const Road = ({ entry }: { entry: AuditEntry }) => (
  <span className={classes.road}>
    {SURFACE[entry.surface] ?? entry.surface}
    {entry.turn === 'agent' && <Pill tone="agent">agent’s turn</Pill>}
  </span>
);

const TONE = { done: undefined, refused: 'warn', fault: 'bad' } as const;

type Filter = 'outcome' | 'surface' | 'act' | 'actor' | 'cursor' | 'open';

export function ActivityScreen() {
  const search = useSearch({ from: '/desk/activity' });
  const navigate = useNavigate({ from: '/activity' });
  const field = useRef<HTMLInputElement>(null);
  const outcome = OUTCOMES.find((one) => one === search.outcome);
  const surface = SURFACES.find((one) => one === search.surface);
  const pages = usePages(
    'audit_list',
    {
      ...(outcome ? { outcome } : {}),
      ...(surface ? { surface } : {}),
      ...(search.act ? { act: search.act } : {}),
      ...(search.actor ? { actor: search.actor } : {}),
    },
    { from: search.cursor },
  );
  const show = (change: Partial<Record<Filter, string | undefined>>): void => {
    const keeps = 'open' in change ? {} : { cursor: undefined, open: undefined };
    void navigate({ search: (before) => ({ ...before, ...keeps, ...change }), replace: true });
  };
  const filtered = Boolean(outcome ?? surface ?? search.act ?? search.actor ?? search.cursor);
  const all = (): void => show({ outcome: undefined, surface: undefined, act: undefined, actor: undefined });
  const open = pages.rows.find((entry) => entry.id === search.open) ?? null;

  useKeys([
    { keys: '/', does: 'Filter by act', group: 'Activity', run: () => field.current?.focus() },
    {
      keys: 'r',
      does: 'Refusals only, or all',
      group: 'Activity',
      run: () => show({ outcome: outcome === 'refused' ? undefined : 'refused' }),
    },
  ]);

  return (
    <Page
      crumbs={[{ title: 'Activity' }]}
      bar={
        <>
          <SegmentedControl
            aria-label="Outcome"
            size="xs"
            value={outcome ?? 'all'}
            onChange={(value) => show({ outcome: value === 'all' ? undefined : value })}
            data={[
              { value: 'all', label: 'All' },
              ...OUTCOMES.map((one) => ({ value: one, label: OUTCOME[one].title })),
            ]}
          />
          <NativeSelect
            aria-label="Road"
            value={surface ?? ''}
            onChange={(event) => show({ surface: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: 'Every road' },
              ...SURFACES.map((one) => ({ value: one, label: SURFACE[one] ?? one })),
            ]}
          />
          <ActFilter
            key={search.act ?? ''}
            field={field}
            act={search.act ?? ''}
            onChange={(act) => show({ act: act || undefined })}
          />
          {search.actor && (
            <Button variant="light" color="gray" size="xs" onClick={() => show({ actor: undefined })}>
              One actor only ✕
            </Button>
          )}
          {filtered && (
            <Button variant="subtle" color="gray" size="xs" onClick={all}>
              Clear
            </Button>
          )}
        </>
      }
    >
      <DataList
        label="Activity"
        columns={COLUMNS}
        pages={pages}
        rowKey={(entry) => entry.id}
        open={(entry) => show({ open: entry.id })}
        tone={(entry) => TONE[entry.outcome]}
        empty={
          filtered ? (
            <Empty
              icon={History}
              title="Nothing fits"
              action={
                <Button variant="default" onClick={all}>
                  Show everything
                </Button>
              }
            >
              Nothing that was done or refused has all of these marks.
            </Empty>
          ) : (
            <Empty icon={History} title="Nothing yet">
              What people and agents do, and what they are refused, is written here.
            </Empty>
          )
        }
      />
      <EntryDrawer
        entry={open}
        onClose={() => show({ open: undefined })}
        onActor={(actor) => show({ actor, open: undefined })}
      />
    </Page>
  );
}

type ActFilterProps = {
  field: React.RefObject<HTMLInputElement | null>;
  act: string;
  onChange: (act: string) => void;
};

/** An act is found by its whole name, so it is sent with Enter or on leaving the field, not letter by letter. */
function ActFilter({ field, act, onChange }: ActFilterProps) {
  const [text, setText] = useState(act);
  const send = (): void => {
    if (text.trim() !== act) onChange(text.trim());
  };
  return (
    <TextInput
      ref={field}
      aria-label="Act"
      placeholder="Act, such as token_mint"
      leftSection={<Search size={14} aria-hidden />}
      w={210}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={send}
      onKeyDown={(event) => event.key === 'Enter' && send()}
    />
  );
}
