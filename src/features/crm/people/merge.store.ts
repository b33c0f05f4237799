// What becomes of a record's rows when it is merged into another or erased. The people are loaded and locked; what other
// features keep of them is theirs to move (holders.ts).
import type { Transaction } from '../../../kernel/database.ts';
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

/** The row of someone whose rows were moved. */
export async function dropMerged(tx: Transaction, from: LoadedPerson): Promise<void> {
  await tx`delete from people where id = ${from.id}`;
}

/** Theirs, of whoever was merged into them, and of their notes. */
export async function idsOf(tx: Transaction, person: LoadedPerson): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select from_id as id from person_merges where into_id = ${person.id}
    union all select f.id from person_facts f where f.person_id = ${person.id} and f.kind = 'note'`;
  return [person.id, ...rows.map(({ id }) => id)];
}
