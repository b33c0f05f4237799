// The letters of a campaign in the last 14 days as one line, with the same in words.
import { many } from '../../../../../ui/kit/numbers.ts';
import classes from '../overview.module.css';

const [WIDTH, HEIGHT] = [84, 24];

export type SparklineProps = { letters: readonly number[]; replied: readonly number[] };

export function Sparkline({ letters, replied }: SparklineProps) {
  const most = Math.max(1, ...letters);
  const step = WIDTH / Math.max(1, letters.length - 1);
  const points = letters.map(
    (n, at) => `${(at * step).toFixed(1)},${(HEIGHT - 1 - (n / most) * (HEIGHT - 2)).toFixed(1)}`,
  );
  const sum = (of: readonly number[]): number => of.reduce((all, n) => all + n, 0);
  const says = `${many(sum(letters), 'letter')}, ${many(sum(replied), 'reply', 'replies')} in ${letters.length} days`;
  return (
    <span title={says}>
      <svg className={classes.spark} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden>
        <polyline points={points.join(' ')} />
      </svg>
      <span className="unseen">{says}</span>
    </span>
  );
}
