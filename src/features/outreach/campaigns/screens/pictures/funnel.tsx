// How far the people of a campaign came: each stage with its share of the stage before.
import { counted } from '../../../../../ui/kit/numbers.ts';
import type { Counts } from '../../contract.ts';
import { share } from '../words.ts';
import classes from '../overview.module.css';

export function Funnel({ counts }: { counts: Counts }) {
  const stages = [
    ['Enrolled', counts.people],
    ['Contacted', counts.contacted],
    ['Replied', counts.replied],
    ['Positive', counts.positive],
    ['Meeting', counts.meetings],
    ['Won', counts.won],
  ] as const;
  return (
    <figure className={classes.drawing}>
      <figcaption>Funnel</figcaption>
      <ol className={classes.funnel}>
        {stages.map(([name, people], at) => {
          const [before, all] = [stages[at - 1], counts.people];
          return (
            <li key={name}>
              <span>{name}</span>
              <span className={classes.bar} aria-hidden>
                <span style={{ width: `${all > 0 ? (people / all) * 100 : 0}%` }} />
              </span>
              <strong>{counted(people)}</strong>
              <span>
                {before && before[1] > 0 && `${share(people / before[1])} of ${before[0].toLowerCase()}`}
              </span>
            </li>
          );
        })}
      </ol>
    </figure>
  );
}
