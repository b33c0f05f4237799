// Arguments and answers of operations as people read them: names and values, one under the other, what is nested set in. It is
// anyone's text: shown as text, never as a part of the screen.
import { unordered } from '../../../../ui/kit/title-text.tsx';
import classes from './act.module.css';

/** Deeper than this it is shown as it is written. */
const DEEPEST = 3;
const MOST = 30;

export const wordsOf = (name: string): string => {
  const words = name.replace(/_/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export function Readable({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (value === null || value === undefined || value === '')
    return <span className={classes.none}>none</span>;
  if (typeof value === 'boolean') return <span>{value ? 'Yes' : 'No'}</span>;
  if (typeof value !== 'object')
    return <span className={classes.text}>{unordered(String(value as string))}</span>;
  if (depth >= DEEPEST) return <code className={classes.text}>{unordered(JSON.stringify(value))}</code>;
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className={classes.none}>none</span>;
    if (value.every((each) => typeof each !== 'object'))
      return (
        <span className={classes.text}>
          {unordered(value.slice(0, MOST).join(', ')) + rest(value.length)}
        </span>
      );
    return (
      <ul className={classes.many}>
        {value.slice(0, MOST).map((each, at) => (
          <li key={at}>
            <Readable value={each} depth={depth + 1} />
          </li>
        ))}
        {value.length > MOST && <li className={classes.none}>{rest(value.length)}</li>}
      </ul>
    );
  }
  return (
    <dl className={classes.given}>
      {Object.entries(value).map(([name, each]) => (
        <div key={name}>
          <dt>{unordered(wordsOf(name))}</dt>
          <dd>
            <Readable value={each} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const rest = (length: number): string => (length > MOST ? ` … and ${length - MOST} more` : '');
