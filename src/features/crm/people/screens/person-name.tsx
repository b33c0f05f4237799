// What someone is called, changed in place: Enter or leaving it saves, Escape undoes it.
import { useDraft } from '../../../../ui/kit/draft.ts';
import type { Person } from '../contract.ts';
import type { Saving } from '../../../../ui/kit/record-saving.ts';
import { called } from './words.ts';
import classes from './person.module.css';

type PersonNameProps = { person: Person; saving: Saving<Person>; edit: boolean };

export function PersonName({ person, saving, edit }: PersonNameProps) {
  const { input } = useDraft(person.name, (text, from) =>
    saving.save({ name: text.trim() || null }, { from: from === undefined ? undefined : { name: from } }),
  );
  return (
    <h2>
      <input
        className={classes.nameEdit}
        aria-label="Name"
        dir="auto"
        autoFocus={edit}
        maxLength={200}
        placeholder={called(person)}
        {...input}
      />
    </h2>
  );
}
