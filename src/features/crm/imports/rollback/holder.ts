// What imports keep of a person, as people know it: batches follow a merge, forget how someone was whom no one may know, and
// say in their timeline that they came with one. Said from the rows of batches: a fact a person would cost every import a
// third table.
import { decide } from '../../../../kernel/policy.ts';
import type { PersonHolder } from '../../people/holders.ts';
import { batchesOf, timelineOf } from './holder.store.ts';
import { forgetChanges, moveRows } from './rollback.store.ts';

export const importsHolder: PersonHolder = {
  name: 'imports',
  move: (tx, from, into) => moveRows(tx, from, into),
  release: (tx, person) => forgetChanges(tx, person),
  async erase(tx, person) {
    await forgetChanges(tx, person);
    return [];
  },
  async timeline(db, caller, person, after, count) {
    const seen = (await batchesOf(db, person)).filter(
      (batch) => decide(caller.rights, 'crm.import.read', [`crm:import/${batch}`]).allowed,
    );
    return seen.length === 0 ? [] : await timelineOf(db, person, seen, after, count);
  },
};
