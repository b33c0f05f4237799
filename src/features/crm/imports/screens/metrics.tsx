// A few numbers side by side, each with its word.
import type { Tone } from '../../../../ui/kit/pills.tsx';
import { count } from './words.ts';
import classes from './imports.module.css';

export type Metric = { title: string; n: number; tone?: Tone };

export const Metrics = ({ label, of }: { label: string; of: Metric[] }) => (
  <dl className={classes.figures} aria-label={label} data-count={of.length}>
    {of.map(({ title, n, tone }) => (
      <div key={title} data-tone={n > 0 ? tone : undefined}>
        <dt>{title}</dt>
        <dd>{count(n)}</dd>
      </div>
    ))}
  </dl>
);
