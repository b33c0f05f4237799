// Settings › Revenue › Integrations: the Events card and the list of deliveries.
import { Menu, NativeSelect } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { RotateCcw, Webhook as WebhookIcon } from 'lucide-react';
import { useAct, usePages, useRead } from '../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { later } from '../../../../ui/kit/later.tsx';
import { CsvButton, csvAddress } from '../../../../ui/kit/list-tools.tsx';
import { counted } from '../../../../ui/kit/numbers.ts';
import { Page, type Crumb } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Bones, Empty, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { EVENT_NAMES, EVENTS } from '../../../../kernel/events.rules.ts';
import type { Delivery } from '../deliveries.contract.ts';
import { KeysCard } from '../../../access/providers/screens/shared.ts';
import { VendorCards } from '../../../outreach/vendors/screens/shared.ts';
import { EventsCard } from './events-card.tsx';
import { STATE, errorInWords } from './words.ts';
import classes from './integrations.module.css';

const DeliveryDrawer = later(
  () => import('./delivery-drawer.tsx').then((m) => m.DeliveryDrawer),
  ({ delivery }) => delivery !== null,
);

const COLUMNS: Column<Delivery>[] = [
  {
    key: 'event',
    title: 'Event',
    cell: (row) => (
      <span className={classes.event}>
        <code>{row.event}</code>
        <span>{errorInWords(row) ?? EVENTS[row.event].title}</span>
      </span>
    ),
  },
  {
    key: 'state',
    title: 'State',
    width: '112px',
    cell: (row) => <Pill tone={STATE[row.state].tone}>{STATE[row.state].title}</Pill>,
  },
  { key: 'status', title: 'Status', width: '72px', hide: 'narrow', cell: (row) => row.last_status ?? '–' },
  {
    key: 'attempts',
    title: 'Attempts',
    width: '84px',
    hide: 'medium',
    cell: (row) => `${row.attempts} of 4`,
  },
  {
    key: 'next',
    title: 'Next attempt',
    width: '116px',
    hide: 'medium',
    cell: (row) => <Time at={row.next_attempt_at} none="–" />,
  },
  {
    key: 'at',
    title: 'Occurred',
    width: '96px',
    hide: 'narrow',
    cell: (row) => <Time at={row.occurred_at} />,
  },
];

export function IntegrationsScreen() {
  const search = useSearch({ from: '/desk/settings/integrations' });
  const navigate = useNavigate({ from: '/settings/integrations' });
  const show = (change: Record<string, string | undefined>): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const { data, error, refetch } = useRead('events_webhook_get', {});
  const state = known(STATE, search.state);
  const event = known(EVENTS, search.kind);
  const filters = { ...(state && { state }), ...(event && { event }) };
  const pages = usePages('events_recent', filters);
  const webhook = data?.webhook;
  const on = webhook?.on ?? false;

  const crumbs: [Crumb, Crumb] = [{ title: 'Settings' }, { title: 'Integrations' }];
  if (error)
    return (
      <Page crumbs={crumbs}>
        <Trouble error={error} again={() => void refetch()} />
      </Page>
    );
  return (
    <Page crumbs={crumbs}>
      <DataList
        label="Event deliveries"
        columns={COLUMNS}
        pages={pages}
        rowKey={(row) => row.id}
        open={(row) => show({ open: row.id })}
        tone={(row) => (row.state === 'failed' ? 'bad' : undefined)}
        above={
          <>
            <div className={classes.cards}>
              {webhook ? <EventsCard webhook={webhook} /> : <Bones lines={5} />}
              <VendorCards />
              <KeysCard />
            </div>
            <div className={classes.bar}>
              <h2>Deliveries</h2>
              <NativeSelect
                aria-label="State"
                value={state ?? ''}
                onChange={(change) => show({ state: change.currentTarget.value || undefined })}
                data={[
                  { value: '', label: 'All states' },
                  ...Object.entries(STATE).map(([value, { title }]) => ({ value, label: title })),
                ]}
              />
              <NativeSelect
                aria-label="Event"
                value={event ?? ''}
                onChange={(change) => show({ kind: change.currentTarget.value || undefined })}
                data={[{ value: '', label: 'All events' }, ...EVENT_NAMES]}
              />
              <CsvButton file={csvAddress('events_recent', filters)} />
              <SendAll state={state === 'skipped' ? 'skipped' : 'failed'} on={on} />
            </div>
          </>
        }
        empty={
          <Empty icon={WebhookIcon} title={state || event ? 'No matching deliveries' : 'No events yet'}>
            {state || event
              ? 'Try another state or event.'
              : 'Events appear here for 30 days, even if no webhook address is set.'}
          </Empty>
        }
      />
      <DeliveryDrawer
        delivery={pages.rows.find((row) => row.id === search.open) ?? null}
        on={on}
        onClose={() => show({ open: undefined })}
      />
    </Page>
  );
}

const known = <K extends string>(of: Record<K, unknown>, value: string | undefined): K | undefined =>
  value !== undefined && value in of ? (value as K) : undefined;

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();

const SPANS: [title: string, hours: number][] = [
  ['Last hour', 1],
  ['Last 24 hours', 24],
  ['Last 7 days', 168],
  ['All (30 days)', 744],
];

function SendAll({ state, on }: { state: 'failed' | 'skipped'; on: boolean }) {
  const again = useAct('events_redeliver_range', {
    says: ({ queued, more }) =>
      queued === 0
        ? `No ${state} deliveries in this time range.`
        : more
          ? `${counted(queued)} queued again. Resend to include the rest.`
          : `${counted(queued)} queued again.`,
  });
  const send = (hours: number): void => again.mutate({ since: hoursAgo(hours), state });
  const button = (
    <ActButton
      variant="default"
      leftSection={<RotateCcw size={14} />}
      loading={again.isPending}
      closed={on ? null : 'Delivery is off. Turn it on first.'}
    >
      Resend all {state}
    </ActButton>
  );
  if (!on) return <div className={classes.all}>{button}</div>;
  return (
    <div className={classes.all}>
      <Menu position="bottom-end">
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>
          {SPANS.map(([title, hours]) => (
            <Menu.Item key={title} onClick={() => send(hours)}>
              {title}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
