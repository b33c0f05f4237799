// A campaign’s forecast: letters due per day against capacity, when it is done, and how far its people came. The charts load
// after the sentence.
import { many } from '../../../../../ui/kit/numbers.ts';
import { lazy, Suspense } from 'react';
import { useRead } from '../../../../../ui/client/hooks.ts';
import { Bones } from '../../../../../ui/kit/states.tsx';
import type { Campaign } from '../../contract.ts';
import type { Forecast as Metrics } from '../../metrics.contract.ts';
import classes from '../overview.module.css';

const Charts = lazy(() => import('./charts.tsx').then((m) => ({ default: m.Charts })));

const day = new Intl.DateTimeFormat('en', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});

function sentenceOf({ letters_left, people_left, finishes_on, why_not }: Metrics): string {
  if (letters_left === 0) return 'No letters left to send.';
  const left = `${many(letters_left, 'letter')} left to send to ${many(people_left, 'person', 'people')}.`;
  if (!finishes_on) return `${left} ${why_not ?? ''}`;
  return `${left} At the current pace, the last letter goes out on ${day.format(new Date(finishes_on))}.`;
}

export function Forecast({ campaign }: { campaign: Campaign }) {
  const { data } = useRead('campaign_forecast', { campaign: campaign.id }, { stale_ms: 60_000 });
  const stats = useRead('outreach_stats', { campaign: campaign.id }, { stale_ms: 60_000 });
  const forecast = data?.forecast;
  if (campaign.counts.people === 0) return null;
  return (
    <section aria-labelledby="forecast" className={classes.card}>
      <h2 id="forecast">Forecast</h2>
      {forecast ? <p className={classes.quiet}>{sentenceOf(forecast)}</p> : <Bones lines={1} />}
      {forecast && stats.data && (
        <Suspense fallback={<Bones lines={6} height={24} />}>
          <Charts forecast={forecast} stats={stats.data} counts={campaign.counts} />
        </Suspense>
      )}
    </section>
  );
}
