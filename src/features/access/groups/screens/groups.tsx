// Settings › Groups: people who share policies.
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, UsersRound } from 'lucide-react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Mark } from '../../../../ui/kit/principal.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import type { Group } from '../contract.ts';
import classes from './groups.module.css';

const GroupDrawer = later(
  () => import('./group-drawer.tsx').then((m) => m.GroupDrawer),
  ({ opened }) => opened,
);

/** How many faces are in a row before it says how many more there are. */
const FACES = 5;

const COLUMNS: Column<Group>[] = [
  { key: 'name', title: 'Name', cell: (group) => <strong className={classes.name}>{group.name}</strong> },
  { key: 'members', title: 'Members', width: '30%', cell: (group) => <Members group={group} /> },
  {
    key: 'policies',
    title: 'Policies',
    width: '40%',
    hide: 'narrow',
    cell: (group) => (
      <span className={classes.row}>
        {group.policies.length ? (
          group.policies.map((name) => <Pill key={name}>{name}</Pill>)
        ) : (
          <span className={classes.none}>None</span>
        )}
      </span>
    ),
  },
];

function Members({ group }: { group: Group }) {
  if (group.members.length === 0) return <span className={classes.none}>No members</span>;
  const more = group.members.length - FACES;
  return (
    <span className={classes.row}>
      {group.members.slice(0, FACES).map((member) => (
        <Mark key={member.id} of={{ kind: 'person', ...member }} size={22} />
      ))}
      {more > 0 && <span className={classes.none}>+{more}</span>}
      <span className="unseen">{group.members.map((member) => member.name).join(', ')}</span>
    </span>
  );
}

export function GroupsScreen() {
  const search = useSearch({ from: '/desk/settings/groups' });
  const navigate = useNavigate({ from: '/settings/groups' });
  const pages = usePages('group_list', {});
  const show = (open: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, open }), replace: true });

  useKeys([{ keys: 'n', does: 'New group', group: 'Groups', run: () => show('new') }]);

  return (
    <Page
      crumbs={[{ title: 'Settings' }, { title: 'Groups' }]}
      actions={
        <Button leftSection={<Plus size={15} />} onClick={() => show('new')}>
          New group
        </Button>
      }
    >
      <DataList
        label="Groups"
        columns={COLUMNS}
        pages={pages}
        rowKey={(group) => group.id}
        open={(group) => show(group.id)}
        empty={
          <Empty
            icon={UsersRound}
            title="No groups yet"
            action={<Button onClick={() => show('new')}>New group</Button>}
          >
            Groups give their policies to all members. Create a group for each role.
          </Empty>
        }
      />
      <GroupDrawer
        group={pages.rows.find((group) => group.id === search.open) ?? null}
        opened={search.open === 'new' || pages.rows.some((group) => group.id === search.open)}
        onClose={() => show(undefined)}
      />
    </Page>
  );
}
