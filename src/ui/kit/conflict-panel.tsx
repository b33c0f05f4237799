// Shown when a record changed while it was being edited: the old value, the new value, and the choice.
import { Button } from '@mantine/core';
import { GitMerge } from 'lucide-react';
import type { Conflict, Saving } from './record-saving.ts';
import classes from './record.module.css';

type ConflictPanelProps<R> = {
  saving: Saving<R>;
  /** What changed, for readers: `The deal changed`. */
  label: string;
  /** What is said of it: `This deal`. */
  what: string;
  /** What a field is called, and its value as it reads in one version of the record. */
  title: (field: string) => string;
  shown: (field: string, at: Conflict<R>, which: 'read' | 'now' | 'yours') => string;
};

export function ConflictPanel<R>({ saving, label, what, title, shown }: ConflictPanelProps<R>) {
  const { conflict } = saving;
  if (!conflict) return null;
  return (
    <section className={classes.conflict} role="alert" aria-label={label}>
      <h2>
        <GitMerge size={15} aria-hidden /> {what} changed since you read it
      </h2>
      <ul>
        {Object.keys(conflict.change).map((field) => (
          <li key={field}>
            {title(field)}: was “{shown(field, conflict, 'read')}”, is now “{shown(field, conflict, 'now')}
            ”; yours is “{shown(field, conflict, 'yours')}”.
          </li>
        ))}
      </ul>
      <p>Your changes aren’t saved yet.</p>
      <div className={classes.row}>
        <Button onClick={() => void saving.settle('mine')}>Save my changes</Button>
        <Button variant="default" onClick={() => void saving.settle('theirs')}>
          Discard my changes
        </Button>
      </div>
    </section>
  );
}
