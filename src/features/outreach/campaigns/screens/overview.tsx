// A campaign at a glance: what it needs first while it is a draft, what asks for someone now, its numbers, and where they are
// heading. The drawings are loaded after the words.
import { counted, many } from '../../../../ui/kit/numbers.ts';
import { useRouter } from '@tanstack/react-router';
import { Button } from '@mantine/core';
import { useRead } from '../../../../ui/client/hooks.ts';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import type { AttentionCode, Overview as Metrics } from '../metrics.contract.ts';
import type { TabName, TabProps } from './tab.ts';
import { ByStep } from './pictures/by-step.tsx';
import { FirstRun } from './first-run.tsx';
import { Forecast } from './pictures/forecast.tsx';
import { share, WHO } from './words.ts';
import classes from './overview.module.css';

/** Where someone goes to see to it; others are seen to where sending is set up. */
const LEADS: Partial<Record<AttentionCode, { to: TabName | 'inbox'; says: string }>> = {
  uncertain_letters: { to: 'held', says: 'View letters' },
  held_letters: { to: 'held', says: 'See why' },
  review_waiting: { to: 'review', says: 'Review' },
  review_confirmation_stale: { to: 'settings', says: 'Open settings' },
  identity_inactive: { to: 'settings', says: 'Open pool' },
  pool_empty: { to: 'settings', says: 'Open pool' },
  window_never_opens: { to: 'settings', says: 'Change hours' },
  no_capacity_today: { to: 'settings', says: 'Change limits' },
  ends_before_finish: { to: 'settings', says: 'Change dates' },
  missing_variables: { to: 'steps', says: 'Open steps' },
  unverified_people: { to: 'people', says: 'View people' },
  people_running_out: { to: 'people', says: 'Enrol more' },
  unanswered_positive: { to: 'inbox', says: 'Open inbox' },
};

const BAD: ReadonlySet<AttentionCode> = new Set([
  'complaint_seen',
  'domain_paused',
  'uncertain_letters',
  'bounce_rate_high',
  'pool_empty',
  'auth_failing',
]);

export function Overview({ campaign, go }: TabProps) {
  const { data, error, refetch } = useRead(
    'campaign_overview',
    { campaign: campaign.id },
    { every_ms: 60_000 },
  );
  if (error && !data) return <Trouble error={error} again={() => void refetch()} />;
  const overview = data?.overview;
  return (
    <div className={classes.overview}>
      {campaign.state === 'draft' && <FirstRun campaign={campaign} go={go} />}
      {overview ? (
        <>
          <Attention overview={overview} go={go} campaign={campaign} />
          <Numbers overview={overview} />
          <ByStep campaign={campaign} />
          <Forecast campaign={campaign} />
        </>
      ) : (
        <Bones lines={6} height={24} />
      )}
    </div>
  );
}

function Attention({ overview, go, campaign }: TabProps & { overview: Metrics }) {
  const router = useRouter();
  const draft = campaign.state === 'draft';
  const lead = (to: TabName | 'inbox'): void => {
    if (to !== 'inbox') go(to);
    else router.history.push(`/inbox?state=unanswered&reading=positive&campaign=${campaign.id}`);
  };
  const { attention } = overview;
  if (draft && (overview.counts.people === 0 || attention.length === 0)) return null;
  return (
    <section aria-labelledby="attention" className={classes.card}>
      <h2 id="attention">Needs attention</h2>
      {attention.length === 0 ? (
        <p className={classes.quiet}>Nothing needs attention.</p>
      ) : (
        <ul className={classes.attention}>
          {attention.map(({ code, count, sentence, fix, who }) => {
            const leads = LEADS[code];
            return (
              <li key={code}>
                <Pill tone={BAD.has(code) ? 'bad' : 'warn'}>{count > 0 ? counted(count) : '!'}</Pill>
                <div>
                  <p>{sentence}</p>
                  <p className={classes.fix}>
                    {fix} <span className={classes.who}>{WHO[who]}</span>
                  </p>
                </div>
                {leads && (
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={`${leads.says}: ${sentence}`}
                    onClick={() => lead(leads.to)}
                  >
                    {leads.says}
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

function Numbers({ overview }: { overview: Metrics }) {
  const { counts, rates, today } = overview;
  const below = rates.reply === null;
  const tiles: [name: string, value: string, beside: string][] = [
    ['People', counted(counts.people), `${counted(counts.contacted)} contacted`],
    ['Sent', counted(counts.sent), `${counted(today.started)} today, up to ${counted(today.left)} more`],
    ['Replied', counted(counts.replied), `${share(rates.reply)} of people contacted`],
    ['Positive', counted(counts.positive), share(rates.positive)],
    ['Meetings', counted(counts.meetings), `${counted(counts.won)} won`],
    ['Bounced', counted(counts.bounced), share(rates.bounce)],
    ['Unsubscribed', counted(counts.unsubscribed), share(rates.unsubscribe)],
    [
      'Waiting',
      counted(counts.scheduled),
      `${counted(counts.review)} to review, ${counted(counts.held)} held`,
    ],
  ];
  return (
    <section aria-labelledby="figures" className={classes.card}>
      <h2 id="figures">Metrics</h2>
      <dl className={classes.tiles}>
        {tiles.map(([name, value, beside]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{value}</strong>
              <span>{beside === '–' ? '' : beside.replace(/^– of .*/, 'no rate yet')}</span>
            </dd>
          </div>
        ))}
      </dl>
      {below && (
        <p className={classes.quiet}>
          Rates appear after {many(rates.floor, 'letter')}. With fewer, they aren’t meaningful.
        </p>
      )}
    </section>
  );
}
