// What the timeline says in each of its columns.
import { Link } from '@tanstack/react-router';
import { BookOpen } from 'lucide-react';
import type { Column } from '../../../../ui/kit/data-list.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { ActivityRow } from '../contract.ts';
import type { Line } from './lines.rules.ts';
import { aboutOf, OUTCOME, outcomeOf, SURFACE, words } from './words.ts';
import classes from './activity.module.css';

export const COLUMNS: Column<Line>[] = [
  {
    key: 'at',
    title: 'When',
    width: '94px',
    cell: ({ entries: [entry] }) => (
      <span className={classes.at}>
        <Time at={entry.until} />
      </span>
    ),
  },
  {
    key: 'who',
    title: 'Who',
    width: 'clamp(124px, 20vw, 300px)',
    cell: ({ entries: [entry], begins }) => (
      <span className={begins ? classes.who : classes.same}>
        <Principal of={entry.principal} behalf={entry.on_behalf_of} size={20} />
      </span>
    ),
  },
  { key: 'act', title: 'What', cell: (line) => <What line={line} /> },
  {
    key: 'road',
    title: 'Source',
    width: '218px',
    hide: 'medium',
    cell: ({ entries: [entry], begins }) => (
      <span className={begins ? classes.source : classes.same}>
        <CallSource entry={entry} />
      </span>
    ),
  },
  {
    key: 'outcome',
    title: 'Outcome',
    width: '112px',
    hide: 'narrow',
    cell: ({ entries: [entry], reads }) =>
      reads > 0 ? (
        <Pill>Read</Pill>
      ) : (
        <Pill tone={OUTCOME[outcomeOf(entry)].tone}>{OUTCOME[outcomeOf(entry)].title}</Pill>
      ),
  },
];

/** `read 14 records`, `read 1 record 3 times`: a record that is read again counts once. */
export function readWords(entries: readonly ActivityRow[]): string {
  const count = entries.reduce((sum, entry) => sum + entry.count, 0);
  const different = new Set(entries.map(({ act, resource }) => `${act} ${resource}`)).size;
  if (different > 1) return `read ${different} records`;
  return count === 1 ? 'read 1 record' : `read 1 record ${count} times`;
}

function What({ line: { entries, reads } }: { line: Line }) {
  const [entry] = entries;
  if (reads > 0)
    return (
      <span className={classes.what}>
        <span className={classes.read}>
          <BookOpen size={13} aria-hidden /> {readWords(entries)}
        </span>
        <span className={classes.which}>{[...new Set(entries.map(({ act }) => words(act)))].join(', ')}</span>
      </span>
    );
  return (
    <span className={classes.what}>
      <span>{words(entry.act)}</span>
      {entry.sentence && entry.outcome !== 'done' ? (
        <span className={classes.sentence}>{entry.sentence}</span>
      ) : (
        <About of={entry} />
      )}
    </span>
  );
}

/** The thing by its name, where it has one and its reader may know it; otherwise as policies name it. */
export function About({ of }: { of: ActivityRow }) {
  const about = aboutOf(of);
  if (about === null) return of.resource && <code>{of.resource}</code>;
  if (about.place === null) return <span className={classes.which}>{about.words}</span>;
  return (
    <Link to={about.place} className={classes.about}>
      <bdi>{about.words}</bdi>
    </Link>
  );
}

const CallSource = ({ entry }: { entry: ActivityRow }) => (
  <>
    <span>{entry.token ? entry.token.name : (SURFACE[entry.surface] ?? entry.surface)}</span>
    {entry.turn === 'agent' && <Pill tone="agent">Agent turn</Pill>}
  </>
);
