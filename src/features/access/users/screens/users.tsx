// Settings › Users: who is here, what they may do, and who is invited.
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search, UserPlus, Users } from 'lucide-react';
import { useRef } from 'react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { CsvButton, csvAddress } from '../../../../ui/kit/list-tools.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Mark } from '../../../../ui/kit/principal.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { User } from '../contract.ts';
import { StatePill } from './user-state.tsx';
import classes from './users.module.css';

const InviteDialog = later(
  () => import('./invite-dialog.tsx').then((m) => m.InviteDialog),
  ({ opened }) => opened,
);
const UserDrawer = later(
  () => import('./user-drawer.tsx').then((m) => m.UserDrawer),
  ({ user }) => user !== null,
);

const STATES = ['active', 'invited', 'disabled'] as const;
type State = (typeof STATES)[number];

const stateOf = (text: string | undefined): State | undefined => STATES.find((one) => one === text);

const COLUMNS: Column<User>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: (user) => (
      <span className={classes.who}>
        <Mark of={{ kind: 'person', id: user.id, name: user.name }} size={26} />
        <span>
          <strong>{user.name}</strong>
          <span>{user.email}</span>
        </span>
      </span>
    ),
  },
  { key: 'state', title: 'State', width: '96px', cell: (user) => <StatePill state={user.state} /> },
  {
    key: 'rights',
    title: 'Permissions',
    width: '34%',
    hide: 'narrow',
    cell: (user) => <Rights user={user} />,
  },
  {
    key: 'totp',
    title: 'Second factor',
    width: '118px',
    hide: 'medium',
    cell: (user) => (user.totp ? 'On' : <span className={classes.none}>Off</span>),
  },
  {
    key: 'seen',
    title: 'Last seen',
    width: '104px',
    hide: 'narrow',
    cell: (user) => <Time at={user.last_seen_at} />,
  },
];

function Rights({ user }: { user: User }) {
  if (user.admin) return <Pill tone="info">Administrator</Pill>;
  const given = [...user.groups.map((group) => group.name), ...user.policies];
  if (given.length === 0) return <span className={classes.none}>Member</span>;
  return (
    <span className={classes.pills}>
      {given.map((name) => (
        <Pill key={name}>{name}</Pill>
      ))}
    </span>
  );
}

export function UsersScreen() {
  const search = useSearch({ from: '/desk/settings/users' });
  const navigate = useNavigate({ from: '/settings/users' });
  const field = useRef<HTMLInputElement>(null);
  const state = stateOf(search.state);
  const filters = { ...(state ? { state } : {}), ...(search.query ? { query: search.query } : {}) };
  const pages = usePages('user_list', filters);
  const show = (change: Partial<Record<'query' | 'state' | 'open' | 'new', string | undefined>>): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const invite = (): void => show({ new: 'invitation' });

  useKeys([
    { keys: 'n', does: 'Invite someone', group: 'Users', run: invite },
    { keys: '/', does: 'Find a user', group: 'Users', run: () => field.current?.focus() },
  ]);

  return (
    <Page
      crumbs={[{ title: 'Settings' }, { title: 'Users' }]}
      actions={
        <>
          <CsvButton file={csvAddress('user_list', filters)} />
          <Button leftSection={<UserPlus size={15} />} onClick={invite}>
            Invite
          </Button>
        </>
      }
      bar={
        <>
          <TextInput
            ref={field}
            aria-label="Find by name or email"
            placeholder="Find by name or email"
            leftSection={<Search size={14} aria-hidden />}
            value={search.query ?? ''}
            onChange={(event) => show({ query: event.currentTarget.value || undefined })}
            w={240}
          />
          <SegmentedControl
            aria-label="State"
            size="xs"
            value={state ?? 'all'}
            onChange={(value) => show({ state: value === 'all' ? undefined : value })}
            data={[
              { value: 'all', label: 'All' },
              { value: 'active', label: 'Active' },
              { value: 'invited', label: 'Invited' },
              { value: 'disabled', label: 'Disabled' },
            ]}
          />
        </>
      }
    >
      <DataList
        label="Users"
        columns={COLUMNS}
        pages={pages}
        rowKey={(user) => user.id}
        open={(user) => show({ open: user.id })}
        empty={
          search.query || state ? (
            <Empty
              icon={Users}
              title="No matching users"
              action={
                <Button variant="default" onClick={() => show({ query: undefined, state: undefined })}>
                  Show all users
                </Button>
              }
            >
              Try another name, email or state.
            </Empty>
          ) : (
            <Empty
              icon={Users}
              title="Only you so far"
              action={<Button onClick={invite}>Invite someone</Button>}
            >
              Invite a second person: you can’t approve your own work.
            </Empty>
          )
        }
      />
      <UserDrawer
        user={pages.rows.find((user) => user.id === search.open) ?? null}
        onClose={() => show({ open: undefined })}
      />
      <InviteDialog opened={search.new === 'invitation'} onClose={() => show({ new: undefined })} />
    </Page>
  );
}
