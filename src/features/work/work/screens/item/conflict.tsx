// The item changed while it was being edited: what changed, and the choice between one's own text and what is there now.
import { Button } from '@mantine/core';
import { GitMerge } from 'lucide-react';
import type { CustomField } from '../../../../crm/fields/contract.ts';
import type { Status } from '../../contract.ts';
import { KEPT } from '../../item/changes.rules.ts';
import { ChangeWords } from './change-words.tsx';
import type { Saving } from './save.ts';
import classes from './item.module.css';

type ConflictProps = { saving: Saving; titles: Partial<Record<Status, string>>; fields: CustomField[] };

export function ConflictPanel({ saving, titles, fields }: ConflictProps) {
  const { conflict } = saving;
  if (!conflict) return null;
  const { read, now, change } = conflict;
  const changed = KEPT.filter((field) => JSON.stringify(read[field]) !== JSON.stringify(now[field]));
  const mine = Object.keys(change)
    .map((field) => field.replaceAll('_', ' '))
    .join(', ');
  return (
    <section className={classes.conflict} role="alert" aria-label="The item changed">
      <h2>
        <GitMerge size={15} aria-hidden /> {now.key} changed since you read it
      </h2>
      <ul>
        {changed.map((field) => (
          <li key={field}>
            Someone{' '}
            <ChangeWords field={field} from={read[field]} to={now[field]} titles={titles} fields={fields} />
          </li>
        ))}
        {changed.length === 0 && <li>Revision {now.revision} is shown below.</li>}
      </ul>
      <p>Your changes ({mine}) aren’t saved yet. Nothing you typed is lost.</p>
      <div className={classes.row}>
        <Button onClick={() => void saving.settle('mine')} loading={saving.busy}>
          Save my changes
        </Button>
        <Button variant="default" onClick={() => void saving.settle('theirs')}>
          Discard my changes
        </Button>
      </div>
    </section>
  );
}
