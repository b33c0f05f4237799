// The record changed while it was being edited: what stood there, what stands there now, and the choice.
import { Button } from '@mantine/core';
import { GitMerge } from 'lucide-react';
import type { Conflict, Saving } from './save.ts';
import { FIELD, shownValue } from './words.ts';
import classes from './person.module.css';

export function ConflictPanel<R extends object>({ saving, name }: { saving: Saving<R>; name: string }) {
  const { conflict } = saving;
  if (!conflict) return null;
  return (
    <section className={classes.conflict} role="alert" aria-label="The record changed">
      <h2>
        <GitMerge size={15} aria-hidden /> {name} changed since you read it
      </h2>
      <ul>
        {Object.keys(conflict.change).map((field) => (
          <li key={field}>
            {FIELD[field] ?? field}: was “{valueOf(conflict, 'read', field)}”, is now “
            {valueOf(conflict, 'now', field)}”; yours is “{shownValue(conflict.change[field])}”.
          </li>
        ))}
      </ul>
      <p>Nothing of yours is saved yet.</p>
      <div className={classes.row}>
        <Button onClick={() => void saving.settle('mine')}>Save mine on top</Button>
        <Button variant="default" onClick={() => void saving.settle('theirs')}>
          Leave it as it is now
        </Button>
      </div>
    </section>
  );
}

const valueOf = <R extends object>(conflict: Conflict<R>, when: 'read' | 'now', field: string): string =>
  shownValue((conflict[when] as Record<string, unknown>)[field]);
