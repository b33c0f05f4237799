// Whom and what the settings of a campaign may name: each must be there, and stays until the act that names it is over.
import type { Transaction } from '../../../kernel/database.ts';
import { seenOfIdentity } from '../identities/seen.ts';

type Named = { owner?: string | null | undefined; postal_address_id?: string | null | undefined };

/** Every name that leads nowhere, by argument. */
export async function strangers(
  tx: Transaction,
  { owner, postal_address_id }: Named,
): Promise<Record<string, string>> {
  const faults: Record<string, string> = {};
  if (owner) {
    const found = await tx`select 1 from users where id = ${owner} and state = 'active' for key share`;
    if (found.length === 0) faults['owner'] = 'owner: no active user has that id';
  }
  if (postal_address_id) {
    const found = await tx`select 1 from postal_addresses where id = ${postal_address_id} for key share`;
    if (found.length === 0) faults['postal_address_id'] = 'postal_address_id: no postal address has that id';
  }
  return faults;
}

/** Of these identities, those that are there and were not deleted, with the seen of each. */
export async function knownIdentities(tx: Transaction, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx<{ id: string; revision: number; domain: string; domain_state: string }[]>`
    select i.id, i.revision, d.name as domain, d.state as domain_state
    from identities i join domains d on d.id = i.domain_id
    where i.id = any(${[...ids]}::uuid[]) and i.gone_at is null order by i.id for key share of i`;
  return new Map(rows.map((row) => [row.id, seenOfIdentity(row)]));
}
