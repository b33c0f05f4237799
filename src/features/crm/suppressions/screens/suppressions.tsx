// Settings › Suppressions: every address and domain that must not be written to, why, and since when.
import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { AtSign, Ban, Globe, Search } from 'lucide-react';
import { useRef } from 'react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { csvAddress, ListTools, useColumns } from '../../../../ui/kit/list-tools.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Suppression } from '../contract.ts';
import { named, REASON, REASONS_LISTED, STATE } from './words.ts';
import classes from './suppressions.module.css';

const AddSuppressions = later(
  () => import('./add-dialog.tsx').then((m) => m.AddSuppressions),
  ({ opened }) => opened,
);
const SuppressionDrawer = later(
  () => import('./drawer.tsx').then((m) => m.SuppressionDrawer),
  ({ row }) => row !== null,
);

const COLUMNS: Column<Suppression>[] = [
  {
    key: 'value',
    title: 'Address or domain',
    cell: (row) => (
      <span className={classes.value}>
        {row.kind === 'domain' ? (
          <Globe size={14} role="img" aria-label="Domain" />
        ) : (
          <AtSign size={14} role="img" aria-label="Address" />
        )}
        <bdi className={row.value === null ? classes.gone : undefined}>{named(row)}</bdi>
      </span>
    ),
  },
  {
    key: 'reason',
    title: 'Reason',
    width: '124px',
    cell: (row) => (
      <Pill tone={row.state === 'standing' ? REASON[row.reason].tone : 'mute'}>
        {REASON[row.reason].title}
      </Pill>
    ),
  },
  { key: 'state', title: 'State', width: '88px', hide: 'narrow', cell: (row) => STATE[row.state].title },
  {
    key: 'by',
    title: 'Added by',
    width: '17%',
    hide: 'medium',
    cell: (row) => <Principal of={row.created_by} behalf={row.created_by.on_behalf_of ?? null} />,
  },
  {
    key: 'note',
    title: 'Note',
    width: '16%',
    hide: 'medium',
    cell: (row) => <div className={classes.note}>{row.note}</div>,
  },
  {
    key: 'since',
    title: 'Since',
    width: '104px',
    hide: 'narrow',
    cell: (row) => <Time at={row.created_at} />,
  },
];

const STATES = Object.keys(STATE) as Suppression['state'][];
const oneOf = <T extends string>(all: readonly T[], text: string | undefined): T | undefined =>
  all.find((one) => one === text);

type Change = Partial<Record<'query' | 'state' | 'reason' | 'kind' | 'open' | 'new', string | undefined>>;

export function SuppressionsScreen() {
  const search = useSearch({ from: '/desk/settings/suppressions' });
  const navigate = useNavigate({ from: '/settings/suppressions' });
  const field = useRef<HTMLInputElement>(null);
  const state = search.state === 'all' ? undefined : (oneOf(STATES, search.state) ?? 'standing');
  const reason = oneOf(REASONS_LISTED, search.reason);
  const kind = oneOf(['address', 'domain'] as const, search.kind);
  const filters = {
    ...(state ? { state } : {}),
    ...(reason ? { reason } : {}),
    ...(kind ? { kind } : {}),
    ...(search.query ? { query: search.query } : {}),
  };
  const pages = usePages('suppression_list', { limit: 100, ...filters });
  const { shown, tools } = useColumns({
    list: 'suppressions',
    columns: COLUMNS,
    search,
    go: (to) => void navigate({ search: to, replace: true }),
  });
  const show = (change: Change): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const add = (): void => show({ new: 'suppression' });
  const narrowed = Boolean(search.query || reason || kind || state !== 'standing');

  useKeys([
    { keys: 'n', does: 'Suppress addresses or domains', group: 'Suppressions', run: add },
    {
      keys: '/',
      does: 'Find an address or domain',
      group: 'Suppressions',
      run: () => field.current?.focus(),
    },
  ]);

  return (
    <Page
      crumbs={[{ title: 'Settings' }, { title: 'Suppressions' }]}
      actions={
        <>
          <ListTools tools={tools} file={csvAddress('suppression_list', filters)} />
          <Button leftSection={<Ban size={15} />} onClick={add}>
            Suppress
          </Button>
        </>
      }
      bar={
        <>
          <TextInput
            ref={field}
            aria-label="Find an address or domain"
            placeholder="Find an address or domain"
            leftSection={<Search size={14} aria-hidden />}
            value={search.query ?? ''}
            onChange={(event) => show({ query: event.currentTarget.value || undefined })}
            className={classes.find ?? ''}
          />
          <SegmentedControl
            aria-label="State"
            className={classes.find ?? ''}
            size="xs"
            value={state ?? 'all'}
            onChange={(value) => show({ state: value === 'standing' ? undefined : value })}
            data={[
              { value: 'standing', label: 'Active' },
              { value: 'lifted', label: 'Lifted' },
              { value: 'ended', label: 'Ended' },
              { value: 'all', label: 'All' },
            ]}
          />
          <NativeSelect
            aria-label="Reason"
            className={classes.half ?? ''}
            value={reason ?? ''}
            onChange={(event) => show({ reason: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: 'Any reason' },
              ...REASONS_LISTED.map((value) => ({ value, label: REASON[value].title })),
            ]}
          />
          <NativeSelect
            aria-label="Address or domain"
            className={classes.half ?? ''}
            value={kind ?? ''}
            onChange={(event) => show({ kind: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: 'Any kind' },
              { value: 'address', label: 'Addresses' },
              { value: 'domain', label: 'Domains' },
            ]}
          />
        </>
      }
    >
      <DataList
        label="Suppressions"
        columns={shown}
        pages={pages}
        rowKey={(row) => row.id}
        open={(row) => show({ open: row.id })}
        empty={
          narrowed ? (
            <Empty
              icon={Ban}
              title="No matching suppressions"
              action={
                <Button
                  variant="default"
                  onClick={() =>
                    show({ query: undefined, state: undefined, reason: undefined, kind: undefined })
                  }
                >
                  Show what stands
                </Button>
              }
            >
              No suppression matches. To find one for an erased person, enter the full address.
            </Empty>
          ) : (
            <Empty
              icon={Ban}
              title="No suppressions yet"
              action={<Button onClick={add}>Suppress somebody</Button>}
            >
              People who unsubscribe, complain or bounce are added automatically. Add anyone else who must not
              be contacted.
            </Empty>
          )
        }
      />
      <SuppressionDrawer
        row={pages.rows.find((row) => row.id === search.open) ?? null}
        onClose={() => show({ open: undefined })}
      />
      <AddSuppressions opened={search.new === 'suppression'} onClose={() => show({ new: undefined })} />
    </Page>
  );
}
