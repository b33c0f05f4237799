// The drawings of a campaign: how far its people came, the days behind and the days ahead. Each says the same in a table for
// those who do not see it.
import { counted } from '../../../../ui/kit/numbers.ts';
import '@mantine/charts/styles.css';
import { BarChart, CompositeChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import type { Answer } from '../../../../ui/client/call.ts';
import type { Counts } from '../contract.ts';
import type { Forecast } from '../metrics.contract.ts';
import classes from './overview.module.css';

type ChartsProps = { forecast: Forecast; stats: Answer<'outreach_stats'>; counts: Counts };

const SHOWN_DAYS = 30;
const short = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayWord = (day: string): string => short.format(new Date(day));

export function Charts({ forecast, stats, counts }: ChartsProps) {
  const funnel = [
    ['Enrolled', counts.people],
    ['Contacted', counts.contacted],
    ['Replied', counts.replied],
    ['Positive', counts.positive],
    ['Meeting', counts.meetings],
    ['Won', counts.won],
  ] as const;
  const behind = stats.days.map(({ day, letters, replied }) => ({
    day: dayWord(day),
    Letters: letters,
    Replies: replied,
  }));
  const ahead = forecast.days.slice(0, SHOWN_DAYS).map(({ day, capacity, letters }) => ({
    day: dayWord(day),
    Capacity: capacity,
    Letters: letters,
  }));
  return (
    <div className={classes.charts}>
      <Drawing title="Funnel" rows={funnel.map(([name, n]) => [name, counted(n)])}>
        <BarChart
          h={210}
          data={funnel.map(([stage, People]) => ({ stage, People }))}
          dataKey="stage"
          orientation="vertical"
          yAxisProps={{ width: 78 }}
          series={[{ name: 'People', color: 'var(--accent-fill)' }]}
          barProps={{ isAnimationActive: false, radius: 3 }}
        />
      </Drawing>
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
            lineProps={{ isAnimationActive: false }}
            barProps={{ isAnimationActive: false, radius: 2 }}
          />
        </Drawing>
      )}
      <Drawing
        title="Past days"
        rows={behind.map((row) => [
          row.day,
          `${counted(row.Letters)} letters, ${counted(row.Replies)} replies`,
        ])}
      >
        <BarChart
          h={210}
          data={behind}
          dataKey="day"
          withLegend
          series={[
            { name: 'Letters', color: 'var(--accent-fill)' },
            { name: 'Replies', color: 'var(--brand)' },
          ]}
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
