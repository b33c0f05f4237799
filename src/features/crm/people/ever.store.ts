// Every address that is or was someone's: those they have, and those that their history says were taken from them and no one
// else has now.
import type { Reader } from '../../../kernel/database.ts';
import { parseAddress } from '../../../mail/address.ts';

/** Normalised, those they have first. */
export async function addressesEverOf(db: Reader, person: string): Promise<string[]> {
  const gone = await db<{ address: string | null }[]>`
    select f.details ->> 'address' as address from person_facts f
    where f.person_id = ${person} and f.kind = 'address_removed'`;
  const were = gone.flatMap(({ address }) => {
    const parsed = parseAddress(address ?? '');
    return parsed.ok ? [parsed.address.normalised] : [];
  });
  const held = await db<{ normalised: string; mine: boolean }[]>`
    select normalised, person_id = ${person} as mine from person_addresses
    where person_id = ${person} or normalised = any(${were}::text[]) order by position`;
  const others = new Set(held.filter(({ mine }) => !mine).map(({ normalised }) => normalised));
  const has = held.filter(({ mine }) => mine).map(({ normalised }) => normalised);
  return [...new Set([...has, ...were])].filter((address) => !others.has(address));
}
