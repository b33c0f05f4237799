// Settings › Identities: everyone in whose name letters leave, by which way, and what each sent today.
import { Button, NativeSelect } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { AtSign, Plus } from 'lucide-react';
import { usePages, useRead } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import type { Identity } from '../contract.ts';
import { standing, outgoingMail, whyNot } from './words.ts';
import classes from './identities.module.css';

const COLUMNS: Column<Identity>[] = [
  {
    key: 'who',
    title: 'Identity',
    cell: (row) => (
      <div className={classes.who}>
        <strong>{row.name}</strong>
        <span>{row.address}</span>
      </div>
    ),
  },
  {
    key: 'state',
    title: 'State',
    width: '104px',
    cell: (row) => <Pill tone={standing(row).tone}>{standing(row).title}</Pill>,
  },
  {
    key: 'why',
    title: 'Problem',
    width: '30%',
    hide: 'medium',
    cell: (row) => <span className={classes.quiet}>{whyNot(row) ?? '–'}</span>,
  },
  { key: 'way', title: 'Outgoing mail', width: '20%', hide: 'medium', cell: outgoingMail },
  {
    key: 'today',
    title: 'Sent today',
    width: '112px',
    align: 'end',
    hide: 'narrow',
    cell: (row) => `${row.sent_today} of ${row.allowance_today}`,
  },
];

export function IdentitiesScreen() {
  const navigate = useNavigate({ from: '/settings/identities' });
  const search = useSearch({ from: '/desk/settings/identities' });
  const state = search.state === 'active' || search.state === 'inactive' ? search.state : undefined;
  const { domain } = search;
  const pages = usePages('identity_list', {
    limit: 100,
    ...(state ? { active: state === 'active' } : {}),
    ...(domain ? { domain } : {}),
  });
  const domains = useRead('domain_list', { limit: 200 }, { stale_ms: 60_000 }).data?.items ?? [];
  const narrow = (change: { state?: string | undefined; domain?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const begin = (): void => void navigate({ to: '/settings/identities/new' });
  useKeys([{ keys: 'n', does: 'Set up identity', group: 'Identities', run: begin }]);
  const add = (
    <Button leftSection={<Plus size={15} />} onClick={begin}>
      Set up identity
    </Button>
  );
  return (
    <Page
      crumbs={[{ title: 'Settings' }, { title: 'Identities' }]}
      actions={add}
      bar={
        <>
          <NativeSelect
            aria-label="State"
            value={state ?? ''}
            onChange={(event) => narrow({ state: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: 'All states' },
              { value: 'active', label: 'Active' },
              { value: 'inactive', label: 'Inactive' },
            ]}
          />
          <NativeSelect
            aria-label="Domain"
            value={domain ?? ''}
            onChange={(event) => narrow({ domain: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: 'All domains' },
              ...domains.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </>
      }
    >
      <DataList
        label="Sending identities"
        columns={COLUMNS}
        pages={pages}
        rowKey={(row) => row.id}
        open={(row) => void navigate({ to: '/settings/identities/$identity', params: { identity: row.id } })}
        tone={(row) => (row.active && whyNot(row) ? 'warn' : undefined)}
        empty={
          state || domain ? (
            <Empty
              icon={AtSign}
              title="No matching identities"
              action={
                <Button variant="default" onClick={() => narrow({ state: undefined, domain: undefined })}>
                  Show all identities
                </Button>
              }
            >
              No identity matches these filters.
            </Empty>
          ) : (
            <Empty icon={AtSign} title="No identities yet" action={add}>
              An identity is a sender with a name, an email address, outgoing mail and a mailbox. Set one up
              to send letters and receive replies.
            </Empty>
          )
        }
      />
    </Page>
  );
}
