// A principal in a row: four columns with one prefix. The last one is the person an agent acted for.
import type { Principal, PrincipalKind } from './caller.ts';
import type { Transaction } from './database.ts';

export type PrincipalColumns<Name extends string> = Record<`${Name}_kind`, PrincipalKind | null> &
  Record<`${Name}_id` | `${Name}_name`, string | null> &
  Record<`${Name}_on_behalf_of`, NonNullable<Principal['on_behalf_of']> | null>;

/** For `insert` and `update … set`; null empties the columns. */
export const principalColumns = (tx: Transaction, name: string, who: Principal | null) => ({
  [`${name}_kind`]: who?.kind ?? null,
  [`${name}_id`]: who?.id ?? null,
  [`${name}_name`]: who?.name ?? null,
  [`${name}_on_behalf_of`]: who?.on_behalf_of ? tx.json(who.on_behalf_of) : null,
});

export function principalIn<Name extends string>(row: PrincipalColumns<Name>, name: Name): Principal | null {
  // The compiler knows a column's type by its whole name, not by a name that is put together.
  const columns = row as PrincipalColumns<string>;
  const kind = columns[`${name}_kind`];
  const id = columns[`${name}_id`];
  const called = columns[`${name}_name`];
  const on_behalf_of = columns[`${name}_on_behalf_of`];
  if (!kind || typeof id !== 'string' || typeof called !== 'string') return null;
  return { kind, id, name: called, ...(on_behalf_of && { on_behalf_of }) };
}

/** Of columns that the schema keeps filled. */
export function knownPrincipalIn<Name extends string>(row: PrincipalColumns<Name>, name: Name): Principal {
  const found = principalIn(row, name);
  if (!found) throw new Error(`a row has no ${name}`);
  return found;
}
