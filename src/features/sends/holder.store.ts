// What letters keep of a person, for the acts on people that reach every row of one: merging, deleting, erasing.
import { ERASED, HOUSE, type PersonHolder } from '../people/holders.ts';
import { cancelLetters } from './flow.store.ts';

export const lettersOfPerson: PersonHolder = {
  name: 'letters',
  async move(tx, from, into) {
    await tx`update sends set person_id = ${into} where person_id = ${from}`;
  },
  // A letter that went stays on record; what has not started is over.
  async release(tx, person, now) {
    await cancelLetters(tx, { person_id: person }, 'person_deleted', HOUSE, now);
    await tx`update sends set person_id = null where person_id = ${person}`;
  },
  // The hash stays: by it a report that comes later, and a suppression, still find each other.
  async erase(tx, person, now) {
    await cancelLetters(tx, { person_id: person }, 'person_erased', HOUSE, now);
    await tx`
      update send_facts f set details = '{}' from sends s where s.id = f.send_id and s.person_id = ${person}`;
    await tx`delete from send_bytes b using sends s where s.id = b.send_id and s.person_id = ${person}`;
    await tx`
      update sends set person_id = null, subject = ${ERASED}, text = ${ERASED}, html = null, to_address = ${ERASED}, cc = '{}', cc_hashes = '{}',
        unresolved = '{}', note = null, hold_evidence = null, rewritten_reason = null, revision = revision + 1, updated_at = ${now}
      where person_id = ${person}`;
  },
};
