// What somebody is called, changed where it stands: Enter or leaving it saves, Escape takes it back.
import { useState } from 'react';
import type { Person } from '../contract.ts';
import type { Saving } from './save.ts';
import { called } from './words.ts';
import classes from './person.module.css';

type PersonNameProps = { person: Person; saving: Saving<Person>; edit: boolean };

export function PersonName({ person, saving, edit }: PersonNameProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const done = async (): Promise<void> => {
    const name = draft?.trim();
    if (name === undefined || name === person.name) return setDraft(null);
    if (await saving.save({ name: name === '' ? null : name })) setDraft(null);
  };
  return (
    <h2>
      <input
        className={classes.nameEdit}
        aria-label="Name"
        dir="auto"
        autoFocus={edit}
        maxLength={200}
        placeholder={called(person)}
        value={draft ?? person.name}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={() => void done()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
          if (event.key === 'Escape') {
            event.stopPropagation();
            setDraft(null);
          }
        }}
      />
    </h2>
  );
}
