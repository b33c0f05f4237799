// Campaigns: every one with its state, how far its people came, and what asks to be looked at.
import { counted } from '../../../../ui/kit/numbers.ts';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Ellipsis, Megaphone, Plus } from 'lucide-react';
import type { Answer } from '../../../../ui/client/call.ts';
import { usePages, useRead } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { csvAddress, ListTools, useColumns } from '../../../../ui/kit/list-tools.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import { StateTabs } from '../../../../ui/kit/tab-strip.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { ListState } from '../../../../ui/shell/list-state.ts';
import type { CampaignState } from '../contract.ts';
import { type Acts, useCampaignActs } from './acts.ts';
import { Sparkline, type SparklineProps } from './pictures/sparkline.tsx';
import { attentionOf, PAUSED, replyRate, share, STATE } from './words.ts';
import classes from './campaigns.module.css';
import named from '../../../../ui/kit/named.module.css';

type Row = Answer<'campaign_list'>['items'][number];

const NewCampaign = later(
  () => import('./new-campaign.tsx').then((m) => m.NewCampaign),
  ({ opened }) => opened,
);

type Days = ReadonlyMap<string, SparklineProps>;

const columnsOf = (acts: Acts, days: Days): Column<Row>[] => [
  {
    key: 'name',
    title: 'Name',
    cell: (campaign) => (
      <span className={named.named}>
        <Link to="/campaigns/$campaign" params={{ campaign: campaign.id }} search={{}} tabIndex={-1}>
          {campaign.name}
        </Link>
        {campaign.goal && <span className={named.goal}>{campaign.goal}</span>}
      </span>
    ),
  },
  {
    key: 'state',
    title: 'State',
    width: '92px',
    cell: ({ state, paused_reason }) => (
      <Pill tone={STATE[state].tone} {...(paused_reason && { title: PAUSED[paused_reason] })}>
        {STATE[state].title}
      </Pill>
    ),
  },
  figure('people', 'People', ({ counts }) => counted(counts.people)),
  figure('sent', 'Sent', ({ counts }) => counted(counts.sent)),
  figure('replied', 'Replied', ({ counts }) => counted(counts.replied)),
  figure('rate', 'Reply rate', ({ counts }) => share(replyRate(counts))),
  {
    key: 'lately',
    title: 'Last 14 days',
    width: '116px',
    hide: 'medium',
    cell: ({ id }) => {
      const of = days.get(id);
      return of && <Sparkline letters={of.letters} replied={of.replied} />;
    },
  },
  {
    key: 'attention',
    title: 'Needs attention',
    width: '190px',
    hide: 'medium',
    cell: ({ counts }) => (
      <span className={classes.asks}>
        {attentionOf(counts).map(({ says, tone }) => (
          <Pill key={says} tone={tone}>
            {says}
          </Pill>
        ))}
      </span>
    ),
  },
  {
    key: 'changed',
    title: 'Changed',
    width: '96px',
    hide: 'medium',
    cell: (campaign) => <Time at={campaign.updated_at} />,
  },
  {
    key: 'acts',
    title: 'Actions',
    bare: true,
    width: '64px',
    align: 'end',
    cell: (campaign) => <RowMenu campaign={campaign} acts={acts} />,
  },
];

function figure(key: string, title: string, of: (row: Row) => string): Column<Row> {
  return {
    key,
    title,
    width: '92px',
    align: 'end',
    hide: 'narrow',
    cell: (row) => <span className={named.number}>{of(row)}</span>,
  };
}

const RowMenu = ({ campaign, acts }: { campaign: Row; acts: Acts }) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <ActionIcon aria-label={`Act on ${campaign.name}`}>
        <Ellipsis size={16} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item onClick={() => acts.clone(campaign)}>Clone</Menu.Item>
      {campaign.state === 'active' && <Menu.Item onClick={() => acts.pause(campaign)}>Pause</Menu.Item>}
      {['draft', 'paused', 'finished'].includes(campaign.state) && (
        <Menu.Item onClick={() => void acts.archive(campaign)}>Archive…</Menu.Item>
      )}
      {campaign.state === 'draft' && campaign.counts.people === 0 && (
        <Menu.Item color="red" onClick={() => void acts.remove(campaign)}>
          Delete…
        </Menu.Item>
      )}
    </Menu.Dropdown>
  </Menu>
);

export function CampaignsScreen() {
  const search = useSearch({ from: '/desk/campaigns' });
  const navigate = useNavigate({ from: '/campaigns' });
  const state = Object.keys(STATE).find((one) => one === search.state) as CampaignState | undefined;
  const pages = usePages('campaign_list', state ? { state } : {});
  const change = (next: Partial<Record<keyof ListState, string | undefined>>): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  const open = ({ id }: { id: string }): Promise<void> =>
    navigate({ to: '/campaigns/$campaign', params: { campaign: id }, search: {} });
  const acts = useCampaignActs({ made: (campaign) => void open(campaign) });
  const lately = useRead('campaign_days', {}, { stale_ms: 60_000 }).data;
  const days: Days = new Map(lately?.campaigns.map((each) => [each.campaign_id, each]));
  const { shown, tools } = useColumns({
    list: 'campaigns',
    columns: columnsOf(acts, days),
    search,
    go: (to) => void navigate({ search: to, replace: true }),
  });
  useKeys([{ keys: 'n', does: 'New campaign', group: 'Campaigns', run: () => change({ new: 'campaign' }) }]);

  return (
    <Page
      crumbs={[{ title: 'Campaigns' }]}
      actions={
        <>
          <ListTools tools={tools} file={csvAddress('campaign_list', state ? { state } : {})} />
          <Button leftSection={<Plus size={15} />} onClick={() => change({ new: 'campaign' })}>
            New
          </Button>
        </>
      }
    >
      <DataList
        label="Campaigns"
        columns={shown}
        pages={pages}
        rowKey={(campaign) => campaign.id}
        open={open}
        tone={({ counts, paused_reason }) =>
          counts.uncertain > 0 || paused_reason?.startsWith('guardrail') ? 'bad' : undefined
        }
        above={<StateTabs titles={STATE} chosen={state} choose={(next) => change({ state: next })} />}
        empty={
          state ? (
            <Empty icon={Megaphone} title={`No ${STATE[state].title.toLowerCase()} campaigns`}>
              Choose another state.
            </Empty>
          ) : (
            <Empty
              icon={Megaphone}
              title="No campaigns yet"
              action={<Button onClick={() => change({ new: 'campaign' })}>Create campaign</Button>}
            >
              A campaign sends a sequence of letters and stops when a person replies. Start with a draft. No
              letters go out until you activate it.
            </Empty>
          )
        }
      />
      <NewCampaign opened={search.new === 'campaign'} close={() => change({ new: undefined })} made={open} />
    </Page>
  );
}
