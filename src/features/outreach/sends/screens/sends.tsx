// Every letter in a list: by state, by what holds it, by campaign, identity or person; its address holds all of that. Held
// letters are by their reason, since one cause often holds many.
import { Button, NativeSelect } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Mails, X } from 'lucide-react';
import { usePages, useRead } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { csvAddress, ListTools, useColumns } from '../../../../ui/kit/list-tools.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { useChosen } from '../../../../ui/shell/runs-chosen.tsx';
import type { Send } from '../contract.ts';
import { HOLD_REASONS } from '../letter/reasons.rules.ts';
import { SendsBulk } from './sends-bulk.tsx';
import { addressee, DELIVERY, inWords, KIND, STATE, STATES_LISTED, stopped } from './words.ts';
import classes from './sends.module.css';

const COLUMNS: Column<Send>[] = [
  {
    key: 'letter',
    title: 'Letter',
    cell: (row) => (
      <div className={classes.letter}>
        <strong>{addressee(row)}</strong>
        <span dir="auto">{row.subject || 'No subject'}</span>
      </div>
    ),
  },
  {
    key: 'state',
    title: 'State',
    width: '112px',
    cell: (row) => <State send={row} />,
  },
  { key: 'why', title: 'Why', width: '20%', hide: 'narrow', cell: (row) => <Why send={row} /> },
  {
    key: 'campaign',
    title: 'Campaign',
    width: '17%',
    hide: 'medium',
    cell: (row) => row.campaign_name ?? KIND[row.kind],
  },
  { key: 'from', title: 'From', width: '19%', hide: 'medium', cell: (row) => <From of={row.from} /> },
  {
    key: 'at',
    title: 'When',
    width: '112px',
    hide: 'narrow',
    cell: (row) => <Time at={row.sent_at ?? row.not_before ?? row.scheduled_for ?? row.created_at} />,
  },
];

export const State = ({ send }: { send: Send }) =>
  send.state === 'sent' && send.delivery && send.delivery !== 'accepted' ? (
    <Pill tone={DELIVERY[send.delivery].tone}>{DELIVERY[send.delivery].title}</Pill>
  ) : (
    <Pill tone={STATE[send.state].tone}>{STATE[send.state].title}</Pill>
  );

function Why({ send }: { send: Send }) {
  const why = stopped(send);
  return why ? (
    <span className={classes.why} title={why.says}>
      {why.word}
    </span>
  ) : (
    <span className={classes.none}>–</span>
  );
}

const From = ({ of }: { of: string | null }) =>
  of === null ? (
    <span className={classes.none}>–</span>
  ) : (
    <span className={classes.from} title={of}>
      {of}
    </span>
  );

const oneOf = <T extends string>(all: readonly T[], text: string | undefined): T | undefined =>
  all.find((one) => one === text);

type Filter = 'state' | 'reason' | 'campaign' | 'identity' | 'person';

export function SendsScreen() {
  const search = useSearch({ from: '/desk/sends' });
  const navigate = useNavigate({ from: '/sends' });
  const reason = oneOf(HOLD_REASONS, search.reason);
  const state = reason ? 'held' : oneOf(STATES_LISTED, search.state);
  const { campaign, identity, person } = search;
  const filters = {
    ...(state ? { state } : {}),
    ...(reason ? { reason } : {}),
    ...(campaign ? { campaign } : {}),
    ...(identity ? { identity } : {}),
    ...(person ? { person } : {}),
  };
  const pages = usePages('send_list', { limit: 100, ...filters });
  const { shown, tools } = useColumns({
    list: 'sends',
    columns: COLUMNS,
    search,
    go: (to) => void navigate({ search: to, replace: true }),
  });
  const campaigns = useRead('campaign_list', { limit: 200 }, { stale_ms: 60_000 }).data?.items ?? [];
  const identities = useRead('identity_list', { limit: 200 }, { stale_ms: 60_000 }).data?.items ?? [];
  const show = (change: Partial<Record<Filter, string | undefined>>): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const narrowed = Boolean(state || campaign || identity || person);
  const chosen = useChosen('send_list', filters, pages);
  return (
    <Page
      crumbs={[{ title: 'Sends' }]}
      actions={<ListTools tools={tools} file={csvAddress('send_list', filters)} />}
      bar={
        <>
          <NativeSelect
            aria-label="State"
            value={state ?? ''}
            onChange={(event) => show({ state: event.currentTarget.value || undefined, reason: undefined })}
            data={[
              { value: '', label: 'Any state' },
              ...STATES_LISTED.map((value) => ({ value, label: STATE[value].title })),
            ]}
          />
          <NativeSelect
            aria-label="Hold reason"
            value={reason ?? ''}
            onChange={(event) =>
              show({
                reason: event.currentTarget.value || undefined,
                state: event.currentTarget.value && 'held',
              })
            }
            data={[
              { value: '', label: 'Any reason' },
              ...HOLD_REASONS.map((value) => ({ value, label: inWords(value) })),
            ]}
          />
          <NativeSelect
            aria-label="Campaign"
            value={campaign ?? ''}
            onChange={(event) => show({ campaign: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: 'All campaigns' },
              ...campaigns.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          <NativeSelect
            aria-label="Identity"
            value={identity ?? ''}
            onChange={(event) => show({ identity: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: 'All identities' },
              ...identities.map(({ id, address }) => ({ value: id, label: address })),
            ]}
          />
          {person && (
            <Button
              size="compact-sm"
              variant="light"
              rightSection={<X size={13} aria-hidden />}
              onClick={() => show({ person: undefined })}
            >
              {pages.rows[0]?.person_name ?? 'One person'}
            </Button>
          )}
        </>
      }
    >
      <DataList
        label="Letters"
        columns={shown}
        pages={pages}
        rowKey={(row) => row.id}
        open={(row) => void navigate({ to: '/sends/$send', params: { send: row.id } })}
        selection={chosen.selection}
        tone={(row) =>
          row.state === 'failed'
            ? 'bad'
            : row.state === 'held' || row.state === 'uncertain'
              ? 'warn'
              : undefined
        }
        above={
          <SendsBulk
            chosen={chosen}
            held={state === 'held' && !reason ? pages.rows : []}
            uncertain={state === 'uncertain' && pages.rows.length > 0}
            show={(to) => show({ reason: to, state: 'held' })}
          />
        }
        empty={
          narrowed ? (
            <Empty
              icon={Mails}
              title="No matching letters"
              action={
                <Button
                  variant="default"
                  onClick={() =>
                    show({
                      state: undefined,
                      reason: undefined,
                      campaign: undefined,
                      identity: undefined,
                      person: undefined,
                    })
                  }
                >
                  Show every letter
                </Button>
              }
            >
              Try another state, campaign or identity.
            </Empty>
          ) : (
            <Empty
              icon={Mails}
              title="No letters yet"
              action={
                <Button variant="default" onClick={() => void navigate({ to: '/campaigns', search: {} })}>
                  Show campaigns
                </Button>
              }
            >
              The emails your campaigns send appear here, with their due time or the reason they’re held.
            </Empty>
          )
        }
      />
    </Page>
  );
}
