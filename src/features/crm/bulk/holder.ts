// A person’s part of bulk actions, for merging and erasing: what an undo would need is removed with them.
import type { PersonHolder } from '../people/holders.ts';
import { forgetChangesOf, forgetRowsOf } from './store.ts';

export const bulkHolder: PersonHolder = {
  name: 'bulk actions',
  // Whoever was merged is another by now: nothing of it is undone.
  move: (tx, from) => forgetChangesOf(tx, from),
  release: (tx, person) => forgetChangesOf(tx, person),
  async erase(tx, person) {
    await forgetRowsOf(tx, person);
    return [];
  },
};
