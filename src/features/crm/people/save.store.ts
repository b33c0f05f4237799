// What writes people: the row, its addresses, and the facts of what happened, all of a person as they were loaded and locked.
import type { Author } from '../../../kernel/caller.ts';
import { json, type Reader, type Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { principalColumns } from '../../../kernel/principal-row.ts';
import { addressHash } from '../../../mail/address.ts';
import type { Person } from './contract.ts';
import { type Fields, KEPT, nameKey, personVector, type WishedAddress } from './rules.ts';
import type { LoadedPerson } from './store.ts';

/** An address as it is kept. */
export type KeptAddress = WishedAddress & { id: string; hash: string };

export async function addressesOf(db: Reader, person: string): Promise<KeptAddress[]> {
  return await db<KeptAddress[]>`
    select id, value, normalised, domain, hash, kind, is_primary, position from person_addresses
    where person_id = ${person} order by position, id`;
}

/** Who has one of these addresses, for the refusal of whoever wants it too. */
export async function holderOf(
  db: Reader,
  normalised: readonly string[],
  but: string,
): Promise<{ id: string; name: string; normalised: string } | null> {
  const [row] = await db<{ id: string; name: string; normalised: string }[]>`
    select p.id, p.name, a.normalised from person_addresses a join people p on p.id = a.person_id
    where a.normalised = any(${[...normalised]}::text[]) and a.person_id <> ${but} order by a.normalised limit 1`;
  return row ?? null;
}

function columnsOf(
  tx: Transaction,
  fields: Fields,
  company: string | null,
  addresses: readonly WishedAddress[],
) {
  const first = addresses.find((each) => each.is_primary) ?? addresses[0];
  return {
    ...fields,
    custom: json(tx, fields.custom),
    name_key: nameKey(fields.name, first?.normalised),
    search: personVector({
      name: fields.name,
      title: fields.title,
      company,
      addresses: addresses.flatMap((each) => [each.value, each.normalised]),
    }),
  };
}

/** Makes a person without addresses; `setAddresses` gives them theirs. */
export async function insertPerson(
  tx: Transaction,
  fields: Fields,
  company: string | null,
  addresses: readonly WishedAddress[],
  { by, now }: Author,
): Promise<string> {
  const id = newId();
  const row = {
    id,
    ...columnsOf(tx, fields, company, addresses),
    ...principalColumns(tx, 'created_by', by),
    created_at: now,
    updated_at: now,
  };
  await tx`insert into people ${tx(row)}`;
  return id;
}

export async function savePerson(
  tx: Transaction,
  person: LoadedPerson,
  fields: Fields,
  company: string | null,
  addresses: readonly WishedAddress[],
  { changed, carried, by_wire }: Edits,
  now: Date,
): Promise<void> {
  const row = {
    ...columnsOf(tx, fields, company, addresses),
    revision: person.revision + 1,
    updated_at: now,
  };
  await tx`
    update people set ${tx(row)}, edited = array(
        select f from unnest(edited) f where f <> all(${[...changed]}::text[])
        union select f from unnest(${[...carried, ...(by_wire ? [] : changed)]}::text[]) f)
    where id = ${person.id}`;
}

export type Edits = {
  /** What letters may ask for that is another now. */
  changed: readonly string[];
  /** Marks of a record that was merged into this one. */
  carried: readonly string[];
  /** Whether whoever changed it could set how a campaign's letters are reviewed. */
  by_wire: boolean;
};

/** What of someone was last changed by a caller who could not. */
export async function marksOf(db: Reader, person: LoadedPerson): Promise<string[]> {
  const [row] = await db<{ edited: string[] }[]>`select edited from people where id = ${person.id}`;
  return row?.edited ?? [];
}

/**
 * Gives a person exactly these addresses; those they have already keep what their verification said. False where one is
 * someone else's: the caller refuses, and nothing of it stays. In the order of the spellings, so that two who want the same
 * ones wait for each other in one order.
 */
export async function setAddresses(
  tx: Transaction,
  person: string,
  had: readonly KeptAddress[],
  wished: readonly WishedAddress[],
): Promise<boolean> {
  const wanted = new Set(wished.map((each) => each.normalised));
  const known = new Map(had.map((each) => [each.normalised, each]));
  const gone = had.filter((each) => !wanted.has(each.normalised)).map((each) => each.id);
  if (gone.length > 0) await tx`delete from person_addresses where id = any(${gone}::uuid[])`;
  // The old primary first steps down, whoever it is: there is never more than one.
  await tx`update person_addresses set is_primary = false where person_id = ${person} and is_primary`;
  for (const { value, normalised, kind, is_primary, position } of wished) {
    const kept = known.get(normalised);
    if (kept)
      await tx`update person_addresses set ${tx({ value, kind, is_primary, position })} where id = ${kept.id}`;
  }
  const added = wished
    .filter((each) => !known.has(each.normalised))
    .toSorted((a, b) => (a.normalised < b.normalised ? -1 : 1))
    .map((each) => ({ ...each, id: newId(), person_id: person, hash: addressHash(each.normalised) }));
  if (added.length === 0) return true;
  const made = await tx`
    insert into person_addresses ${tx(added)} on conflict (normalised) do nothing returning id`;
  return made.length === added.length;
}

/** Deletes a loaded person with their addresses and facts; ids that led to them lead nowhere. */
export async function deletePerson(tx: Transaction, person: LoadedPerson): Promise<void> {
  await tx`delete from person_merges where into_id = ${person.id}`;
  await tx`delete from people where id = ${person.id}`;
}

/** What someone works for, held for this act; null where there is no such company. */
export async function holdCompany(tx: Transaction, id: string): Promise<string | null> {
  const [row] = await tx<{ name: string }[]>`select name from companies where id = ${id} for key share`;
  return row?.name ?? null;
}

/** The columns of a loaded person that a change starts from. */
export function fieldsOfPerson(person: Person): Fields {
  const kept = Object.fromEntries(KEPT.map((field) => [field, person[field]]));
  return { ...(kept as Omit<Fields, 'owner'>), owner: person.owner?.id ?? null };
}
