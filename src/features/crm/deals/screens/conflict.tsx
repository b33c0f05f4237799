// The deal changed while it was being edited: what stands there now, and the choice.
import { Button } from '@mantine/core';
import { GitMerge } from 'lucide-react';
import type { Saving } from '../../people/screens/save.ts';
import person from '../../people/screens/person.module.css';
import type { Deal } from '../contract.ts';
import { FIELDS, valueText } from './change-words.ts';

export function ConflictPanel({ saving }: { saving: Saving<Deal> }) {
  const { conflict } = saving;
  if (!conflict) return null;
  const { change, read, now } = conflict;
  return (
    <section className={person.conflict} role="alert" aria-label="The deal changed">
      <h2>
        <GitMerge size={15} aria-hidden /> This deal changed since you read it
      </h2>
      <ul>
        {Object.keys(change).map((field) => (
          <li key={field}>
            {FIELDS[field] ?? field}: was “{valueText(field, read[field as keyof Deal], read)}”, is now “
            {valueText(field, now[field as keyof Deal], now)}”; yours is “
            {valueText(field, change[field], { ...now, ...change })}”.
          </li>
        ))}
      </ul>
      <p>Nothing of yours is saved yet.</p>
      <div className={person.row}>
        <Button onClick={() => void saving.settle('mine')}>Save mine on top</Button>
        <Button variant="default" onClick={() => void saving.settle('theirs')}>
          Leave it as it is now
        </Button>
      </div>
    </section>
  );
}
