// The drawings of a campaign: how far its people came, the days behind and the days ahead. Each says the same in a table for
// those who do not see it.
import { counted, many } from '../../../../../ui/kit/numbers.ts';
import '@mantine/charts/styles.css';
import { BarChart, CompositeChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import type { Answer } from '../../../../../ui/client/call.ts';
import type { Counts } from '../../contract.ts';
import type { Forecast } from '../../metrics.contract.ts';
import { Funnel } from './funnel.tsx';
import classes from '../overview.module.css';

type ChartsProps = { forecast: Forecast; stats: Answer<'outreach_stats'>; counts: Counts };

const SHOWN_DAYS = 30;
const short = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayWord = (day: string): string => short.format(new Date(day));

export function Charts({ forecast, stats, counts }: ChartsProps) {
  const behind = stats.days.map(({ day, letters, replied, positive }) => ({
    day: dayWord(day),
    Letters: letters,
    Replies: replied,
    Positive: positive,
  }));
  const ahead = forecast.days.slice(0, SHOWN_DAYS).map(({ day, capacity, letters }) => ({
    day: dayWord(day),
    Capacity: capacity,
    Letters: letters,
  }));
  return (
    <div className={classes.charts}>
      <Funnel counts={counts} />
      {ahead.length > 0 && (
        <Drawing
          title="Upcoming days"
          rows={ahead.map((row) => [row.day, `${counted(row.Letters)} of ${counted(row.Capacity)}`])}
        >
          <CompositeChart
            h={210}
            data={ahead}
            dataKey="day"
            withLegend
            series={[
              { name: 'Letters', color: 'var(--accent-fill)', type: 'bar' },
              { name: 'Capacity', color: 'var(--brand)', type: 'line' },
            ]}
            withDots={false}
            curveType="stepAfter"
            lineProps={{ isAnimationActive: false }}
            barProps={{ isAnimationActive: false, radius: 2 }}
          />
        </Drawing>
      )}
      <Drawing title="Letters by day" rows={behind.map((row) => [row.day, many(row.Letters, 'letter')])}>
        <BarChart
          h={210}
          data={behind}
          dataKey="day"
          series={[{ name: 'Letters', color: 'var(--accent-fill)' }]}
          barProps={{ isAnimationActive: false, radius: 2 }}
        />
      </Drawing>
      <Drawing
        title="Replies by day"
        rows={behind.map((row) => [
          row.day,
          `${many(row.Replies, 'reply', 'replies')}, ${counted(row.Positive)} positive`,
        ])}
      >
        <BarChart
          h={210}
          data={behind}
          dataKey="day"
          withLegend
          series={[
            { name: 'Replies', color: 'var(--accent-fill)' },
            { name: 'Positive', color: 'var(--brand)' },
          ]}
          yAxisProps={{ allowDecimals: false }}
          barProps={{ isAnimationActive: false, radius: 2 }}
        />
      </Drawing>
    </div>
  );
}

const Drawing = ({
  title,
  rows,
  children,
}: {
  title: string;
  rows: (readonly [string, string])[];
  children: ReactNode;
}) => (
  <figure className={classes.drawing}>
    <figcaption>{title}</figcaption>
    <div aria-hidden inert>
      {children}
    </div>
    <table className="unseen">
      <caption>{title}</caption>
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </figure>
);
