// Settings › Domains: every sending domain with its state, its five checks and what it sent today.
import { Button, NativeSelect } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { CircleCheck, CircleHelp, CircleX, Globe, Plus } from 'lucide-react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import type { Domain } from '../contract.ts';
import { CHECK, CHECKS, nextStep, OUTCOME, STATE, STATES } from './words.ts';
import classes from './domains.module.css';

const AddDomain = later(
  () => import('./add-domain.tsx').then((m) => m.AddDomain),
  ({ opened }) => opened,
);

const COLUMNS: Column<Domain>[] = [
  {
    key: 'name',
    title: 'Domain',
    cell: (row) => (
      <div className={classes.name}>
        <strong>{row.name}</strong>
        {nextStep(row) && <span>{nextStep(row)}</span>}
      </div>
    ),
  },
  {
    key: 'state',
    title: 'State',
    width: '116px',
    cell: (row) => <Pill tone={STATE[row.state].tone}>{STATE[row.state].title}</Pill>,
  },
  { key: 'checks', title: 'Checks', width: '304px', hide: 'medium', cell: (row) => <Lights domain={row} /> },
  {
    key: 'today',
    title: 'Sent today',
    width: '116px',
    align: 'end',
    hide: 'narrow',
    cell: (row) => `${row.sent_today} of ${row.allowance_today}`,
  },
];

const ICON = { passing: CircleCheck, failing: CircleX, unknown: CircleHelp };

/** Five lights of three values: sign and word, not colour alone. */
export function Lights({ domain }: { domain: Domain }) {
  return (
    <ul className={classes.lights} aria-label="Checks">
      {CHECKS.map((check) => {
        const outcome = domain.auth[check]?.outcome ?? 'unknown';
        const Icon = ICON[outcome];
        return (
          <li key={check} data-outcome={outcome} title={`${CHECK[check].says}: ${OUTCOME[outcome].title}`}>
            <Icon size={13} aria-hidden />
            {CHECK[check].title}
            <span className="unseen"> {OUTCOME[outcome].title}</span>
          </li>
        );
      })}
    </ul>
  );
}

export function DomainsScreen() {
  const search = useSearch({ from: '/desk/settings/domains' });
  const navigate = useNavigate({ from: '/settings/domains' });
  const state = STATES.find((one) => one === search.state);
  const pages = usePages('domain_list', { limit: 100, ...(state ? { state } : {}) });
  const narrow = (to: string): void =>
    void navigate({ search: (before) => ({ ...before, state: to || undefined }), replace: true });
  const show = (to: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, new: to }), replace: true });
  const open = (id: string): Promise<void> =>
    navigate({ to: '/settings/domains/$domain', params: { domain: id } });
  useKeys([{ keys: 'n', does: 'Add domain', group: 'Domains', run: () => show('domain') }]);
  const add = (
    <Button leftSection={<Plus size={15} />} onClick={() => show('domain')}>
      Add domain
    </Button>
  );
  return (
    <Page
      crumbs={[{ title: 'Settings' }, { title: 'Domains' }]}
      actions={add}
      bar={
        <NativeSelect
          aria-label="State"
          value={state ?? ''}
          onChange={(event) => narrow(event.currentTarget.value)}
          data={[
            { value: '', label: 'All states' },
            ...STATES.map((value) => ({ value, label: STATE[value].title })),
          ]}
        />
      }
    >
      <DataList
        label="Sending domains"
        columns={COLUMNS}
        pages={pages}
        rowKey={(row) => row.id}
        open={(row) => void open(row.id)}
        tone={(row) =>
          row.state === 'paused' ? 'bad' : row.warned || row.unauthenticated_since ? 'warn' : undefined
        }
        empty={
          state ? (
            <Empty
              icon={Globe}
              title="No matching domains"
              action={
                <Button variant="default" onClick={() => narrow('')}>
                  Show all domains
                </Button>
              }
            >
              No domain is in this state.
            </Empty>
          ) : (
            <Empty icon={Globe} title="No sending domains yet" action={add}>
              Letters come from your own domain. Add a domain, then publish its DNS records.
            </Empty>
          )
        }
      />
      <AddDomain opened={search.new === 'domain'} onClose={() => show(undefined)} added={open} />
    </Page>
  );
}
