// All SQL of the pass that checks domains: which are due, under a lease, and by whose keys their letters are signed.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import type { Lease } from '../../../kernel/pass.ts';
import type { CheckedDomain, DomainWays } from './check.ts';

export type DueDomain = CheckedDomain & { id: string };

export const claimDomains = (tx: Transaction, lease: Lease, count: number): Promise<DueDomain[]> =>
  tx<DueDomain[]>`
    update domains d set lease = ${lease.id}, lease_until = ${lease.until}
    where d.id = any (array(
      select id from domains
      where state <> 'retired' and next_check_at <= ${lease.from}
        and (lease_until is null or lease_until <= ${lease.from})
      order by next_check_at, id limit ${count} for update skip locked))
    returning d.id, d.name, d.dkim_selector, d.dkim_public, d.sending_hosts`;

export async function giveBackDomains(
  tx: Transaction,
  lease: Lease,
  claimed: readonly { id: string }[],
): Promise<void> {
  await tx`
    update domains set lease = null, lease_until = null
    where id = any(${claimed.map(({ id }) => id)}::uuid[]) and lease = ${lease.id}`;
}

/** Takes the lease off; false where another process claimed the domain since. */
export async function endLease(tx: Transaction, lease: Lease, id: string): Promise<boolean> {
  const mine = await tx`
    update domains set lease = null, lease_until = null
    where id = ${id} and lease = ${lease.id} returning 1`;
  return mine.length > 0;
}

export async function waysOf(db: Reader, ids: readonly string[]): Promise<Map<string, DomainWays>> {
  const rows = await db<{ domain_id: string; vendor: string | null }[]>`
    select distinct domain_id, case when transport_kind = 'vendor' then transport ->> 'dkim_selector' end as vendor
    from identities
    where domain_id = any(${[...ids]}::uuid[]) and gone_at is null and transport_kind <> 'sandbox'`;
  const ways = new Map<string, DomainWays>();
  for (const { domain_id, vendor } of rows) {
    const known = ways.get(domain_id) ?? { ours: false, vendors: [] };
    if (vendor === null) known.ours = true;
    else known.vendors.push(vendor);
    ways.set(domain_id, known);
  }
  return ways;
}
