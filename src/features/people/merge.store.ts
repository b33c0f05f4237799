// What becomes of a record's rows when it is merged into another or erased. The people are loaded and locked; what other
// features keep of them is theirs to move (holders.ts).
import type { Transaction } from '../../kernel/ground.ts';
import type { LoadedPerson } from './store.ts';

/** The facts and addresses of `from` become those of `into`; its id leads there, and so does every id that led to it. */
export async function moveRows(
  tx: Transaction,
  from: LoadedPerson,
  into: LoadedPerson,
  now: Date,
): Promise<void> {
  await tx`
    update person_addresses a set person_id = ${into.id},
      is_primary = a.is_primary and not exists (select from person_addresses o where o.person_id = ${into.id} and o.is_primary),
      position = a.position + coalesce((select max(o.position) + 1 from person_addresses o where o.person_id = ${into.id}), 0)
    where a.person_id = ${from.id}`;
  await tx`update person_facts set person_id = ${into.id} where person_id = ${from.id}`;
  await tx`update person_merges set into_id = ${into.id} where into_id = ${from.id}`;
  await tx`insert into person_merges (from_id, into_id, at) values (${from.id}, ${into.id}, ${now})`;
}

/** The row of somebody whose rows were moved. */
export async function dropMerged(tx: Transaction, from: LoadedPerson): Promise<void> {
  await tx`delete from people where id = ${from.id}`;
}

/** Answers that are kept for a repeated call hold the person as they were, those that were merged into them, and notes. */
export async function dropReplays(tx: Transaction, person: LoadedPerson): Promise<void> {
  await tx`
    delete from idempotency_keys where answer -> 'person' ->> 'id' in (
        select ${person.id}::text union all select from_id::text from person_merges where into_id = ${person.id})
      or answer -> 'note' ->> 'id' in (
        select f.id::text from person_facts f where f.person_id = ${person.id} and f.kind = 'note')`;
}
