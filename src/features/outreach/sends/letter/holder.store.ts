// What letters keep of a person, for the acts on people that reach every row of one: merging, deleting, erasing, and
// what kept letters from them in their timeline.
import { REPORTS } from '../../deliveries/record.ts';
import { reportsOfPerson } from '../../deliveries/report.store.ts';
import { APP, type PersonHolder } from '../../../crm/people/holders.ts';
import { eraseLetters } from './erase.store.ts';
import { cancelLetters } from './flow.store.ts';
import { readable } from './send.store.ts';

export const lettersOfPerson: PersonHolder = {
  name: 'letters',
  async move(tx, from, into) {
    await tx`update sends set person_id = ${into} where person_id = ${from}`;
  },
  // A letter that went stays on record; what has not started is over.
  async release(tx, person, now) {
    await cancelLetters(tx, { person_id: person }, 'person_deleted', APP, now);
    await tx`update sends set person_id = null where person_id = ${person}`;
  },
  async erase(tx, person, now) {
    const letters = await tx<{ id: string }[]>`
      select id from sends where person_id = ${person} order by id for no key update`;
    const ids = letters.map(({ id }) => id);
    await eraseLetters(tx, ids, { to_them: true }, now);
    await tx`update sends set person_id = null where id = any(${ids}::uuid[])`;
    return ids;
  },
  async timeline(db, caller, person, after, count) {
    const rows = await reportsOfPerson(db, person, readable(db, caller, 'outreach.send.read'), after, count);
    return rows.map(({ id, kind, said, at, ...details }) => ({
      id,
      kind: `delivery_${kind}`,
      text: said,
      details,
      by: REPORTS,
      at,
    }));
  },
};
