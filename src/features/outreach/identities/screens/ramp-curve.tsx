// The ramp of an identity as a curve over its sending days, and where it is on it today.
import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import { rampDays, type Ramp } from './ramp.rules.ts';

export function RampCurve({ ramp }: { ramp: Ramp }) {
  return (
    <div aria-hidden inert>
      <LineChart
        h={150}
        data={rampDays(ramp)}
        dataKey="day"
        curveType="stepAfter"
        withDots={false}
        series={[{ name: 'Letters per day', color: 'var(--accent-fill)' }]}
        referenceLines={[{ x: ramp.day, label: 'Today', color: 'var(--brand)' }]}
        xAxisProps={{ tickFormatter: (day: number) => `Day ${day}` }}
        lineProps={{ isAnimationActive: false }}
      />
    </div>
  );
}
