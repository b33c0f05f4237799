// What imports keep of a person, as people know it: batches follow a merge, and forget how somebody was whom nobody may know.
import type { PersonHolder } from '../people/holders.ts';
import { forgetChanges, moveRows } from './rollback.store.ts';

export const importsHolder: PersonHolder = {
  name: 'imports',
  move: (tx, from, into) => moveRows(tx, from, into),
  release: (tx, person) => forgetChanges(tx, person),
  erase: (tx, person) => forgetChanges(tx, person),
};
