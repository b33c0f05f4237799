// One campaign: its state, the actions it allows now, and its tabs. The tab is in the address.
import { StepsTab } from '../../sequences/screens/shared.ts';
import { PeopleTab } from '../../prospects/screens/shared.ts';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Ellipsis, Pause, Play } from 'lucide-react';
import { lazy, Suspense, type ComponentType } from 'react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { Page, Part } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { TabStrip } from '../../../../ui/kit/tab-strip.tsx';
import { HistoryLink } from '../../../access/audit/screens/shared.ts';
import { WhyButton } from '../../sends/screens/shared.ts';
import type { Campaign } from '../contract.ts';
import { useCampaignActs } from './acts.ts';
import { Overview } from './overview.tsx';
import type { TabName, TabProps } from './tab.ts';
import { keeps, PAUSED, STATE } from './words.ts';
import classes from './campaigns.module.css';

const Preflight = later(
  () => import('./preflight.tsx').then((m) => m.Preflight),
  ({ opened }) => opened,
);

const Review = lazy(() => import('./review-tab.tsx').then((m) => ({ default: m.ReviewTab })));
const Held = lazy(() => import('./held.tsx').then((m) => ({ default: m.HeldTab })));
const Settings = lazy(() => import('./settings.tsx').then((m) => ({ default: m.SettingsTab })));
const History = lazy(() => import('./history.tsx').then((m) => ({ default: m.HistoryTab })));

const TABS: { name: TabName; title: string; body: ComponentType<TabProps> }[] = [
  { name: 'overview', title: 'Overview', body: Overview },
  { name: 'steps', title: 'Steps', body: StepsTab },
  { name: 'people', title: 'People', body: PeopleTab },
  { name: 'review', title: 'Review', body: Review },
  { name: 'held', title: 'Held', body: Held },
  { name: 'settings', title: 'Settings', body: Settings },
  { name: 'history', title: 'History', body: History },
];

const FIRST = { name: 'overview', body: Overview } as const;

export function CampaignScreen() {
  const { campaign: id } = useParams({ from: '/desk/campaigns/$campaign' });
  const { data, error, refetch } = useRead('campaign_read', { campaign: id });
  const campaign = data?.campaign;
  if (!campaign)
    return (
      <Page crumbs={[{ title: 'Campaigns', to: '/campaigns' }, { title: 'Campaign' }]} width="reading">
        {error ? <Trouble error={error} again={() => void refetch()} /> : <Bones lines={8} height={22} />}
      </Page>
    );
  return <CampaignPage key={campaign.id} campaign={campaign} />;
}

function CampaignPage({ campaign }: { campaign: Campaign }) {
  const search = useSearch({ from: '/desk/campaigns/$campaign' });
  const navigate = useNavigate({ from: '/campaigns/$campaign' });
  const { state, paused_reason } = campaign;
  const { name: tab, body: Body } = TABS.find(({ name }) => name === search.view) ?? FIRST;
  const go = (next: TabName): void =>
    void navigate({ search: next === 'overview' ? {} : { view: next }, replace: next === tab });
  const ask = (act: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, act }), replace: true });
  const acts = useCampaignActs({
    made: ({ id }) => void navigate({ to: '/campaigns/$campaign', params: { campaign: id }, search: {} }),
    gone: () => void navigate({ to: '/campaigns', search: {} }),
  });
  const startable = state === 'draft' || state === 'paused' || state === 'finished';

  useKeys(
    TABS.map(({ name, title }, at) => ({
      keys: String(at + 1),
      does: title,
      group: 'Campaign',
      run: () => go(name),
    })),
  );

  return (
    <Page
      crumbs={[{ title: 'Campaigns', to: '/campaigns' }, { title: campaign.name }]}
      beside={
        <Pill tone={STATE[state].tone} {...(paused_reason && { title: PAUSED[paused_reason] })}>
          {STATE[state].title}
        </Pill>
      }
      actions={
        <>
          <WhyButton of={{ campaign: campaign.id }} name={campaign.name} causes={keeps(campaign)} />
          {startable && (
            <Button leftSection={<Play size={15} />} onClick={() => ask('activate')}>
              {state === 'draft' ? 'Activate' : 'Resume'}
            </Button>
          )}
          {state === 'active' && (
            <Button variant="default" leftSection={<Pause size={15} />} onClick={() => acts.pause(campaign)}>
              Pause
            </Button>
          )}
          <HistoryLink noun="campaign" id={campaign.id} />
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon size="lg" aria-label="More">
                <Ellipsis size={17} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => acts.clone(campaign)}>Clone</Menu.Item>
              {startable && <Menu.Item onClick={() => void acts.archive(campaign)}>Archive…</Menu.Item>}
              {state === 'draft' && campaign.counts.people === 0 && (
                <Menu.Item color="red" onClick={() => void acts.remove(campaign)}>
                  Delete…
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        </>
      }
    >
      <div className={classes.tabbed}>
        <TabStrip
          label="Campaign"
          tabs={TABS.map(({ name, title }) => ({ key: name, title }))}
          chosen={tab}
          choose={go}
        />
        <Suspense
          fallback={
            <div className={classes.padded}>
              <Bones lines={6} height={20} />
            </div>
          }
        >
          <Part>
            <Body campaign={campaign} go={go} />
          </Part>
        </Suspense>
      </div>
      <Preflight
        opened={search.act === 'activate'}
        campaign={campaign}
        close={() => ask(undefined)}
        go={go}
      />
    </Page>
  );
}
