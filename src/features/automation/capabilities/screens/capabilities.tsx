// Settings › Capabilities: the list of tool servers, and the page a browser returns to after a sign-in.
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plug, Plus } from 'lucide-react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { many } from '../../../../ui/kit/numbers.ts';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Capability } from '../contract.ts';
import { CameBack } from './came-back.tsx';
import { standingOf } from './words.ts';
import classes from './capabilities.module.css';

const AddCapability = later(
  () => import('./add-capability.tsx').then((m) => m.AddCapability),
  ({ opened }) => opened,
);

const COLUMNS: Column<Capability>[] = [
  {
    key: 'name',
    title: 'Server',
    cell: (row) => (
      <span className={classes.name}>
        <strong dir="auto">{row.title}</strong>
        <bdi>{row.url}</bdi>
      </span>
    ),
  },
  {
    key: 'state',
    title: 'State',
    width: '190px',
    cell: (row) => {
      const { title, tone } = standingOf(row);
      return <Pill tone={tone}>{title}</Pill>;
    },
  },
  {
    key: 'tools',
    title: 'Active tools',
    width: '92px',
    hide: 'narrow',
    cell: (row) =>
      row.tools.length === 0
        ? '–'
        : `${row.tools.filter(({ state }) => state === 'on').length} of ${row.tools.length}`,
  },
  {
    key: 'signed',
    title: 'Signed in',
    width: '104px',
    hide: 'medium',
    cell: (row) =>
      row.auth === 'none'
        ? 'Not required'
        : row.signed_in === 0
          ? 'No one'
          : many(row.signed_in, 'person', 'people'),
  },
  {
    key: 'asked',
    title: 'Last checked',
    width: '104px',
    hide: 'medium',
    cell: (row) => <Time at={row.refreshed_at} />,
  },
];

export function CapabilitiesScreen() {
  const search = useSearch({ from: '/desk/settings/capabilities' });
  const navigate = useNavigate({ from: '/settings/capabilities' });
  const pages = usePages('capability_list', { limit: 100 });
  const open = (id: string): Promise<void> =>
    navigate({ to: '/settings/capabilities/$capability', params: { capability: id } });
  const show = (to: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, new: to }), replace: true });
  useKeys([{ keys: 'n', does: 'Add tool server', group: 'Capabilities', run: () => show('server') }]);
  const add = (
    <Button leftSection={<Plus size={15} />} onClick={() => show('server')}>
      Add tool server
    </Button>
  );
  return (
    <Page crumbs={[{ title: 'Settings' }, { title: 'Capabilities' }]} actions={add}>
      <DataList
        label="Tool servers"
        columns={COLUMNS}
        pages={pages}
        rowKey={(row) => row.id}
        open={(row) => void open(row.id)}
        tone={(row) => {
          const { tone } = standingOf(row);
          return tone === 'bad' || tone === 'warn' ? tone : undefined;
        }}
        above={<CameBack open={open} />}
        empty={
          <Empty icon={Plug} title="No tool servers yet" action={add}>
            Connect a calendar, file store or ticket system. Agents can use only the tools you approve.
          </Empty>
        }
      />
      <AddCapability opened={search.new === 'server'} onClose={() => show(undefined)} added={open} />
    </Page>
  );
}
