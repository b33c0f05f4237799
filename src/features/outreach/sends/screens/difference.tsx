// Two versions of a letter in one text: what went is struck through, what came is marked.
import { useMemo } from 'react';
import { difference } from './difference.rules.ts';
import classes from './letter.module.css';

type Words = { subject: string; text: string };

export function Difference({ before, after }: { before: Words; after: Words }) {
  return (
    <div className={classes.difference}>
      <div>
        <h2>Subject</h2>
        <Pieces before={before.subject} after={after.subject} />
      </div>
      <div>
        <h2>Text</h2>
        <Pieces before={before.text} after={after.text} />
      </div>
    </div>
  );
}

function Pieces({ before, after }: { before: string; after: string }) {
  const pieces = useMemo(() => difference(before, after), [before, after]);
  return (
    <p className={classes.pieces} dir="auto">
      {pieces.map(({ kind, text }, at) => {
        if (kind === 'same') return <span key={at}>{text}</span>;
        return kind === 'out' ? <del key={at}>{text}</del> : <ins key={at}>{text}</ins>;
      })}
    </p>
  );
}
