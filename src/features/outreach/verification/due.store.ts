// All SQL of the pass that verifies: whose addresses someone is about to write to, under a lease. While one is held, its
// letters wait for the answer instead of being held for want of it.
import type { Transaction } from '../../../kernel/database.ts';
import { fullSlots, type Hands, type Lease } from '../../../kernel/pass.ts';

export type DueAddress = { hash: string; domain: string; address: string };

/** A mail host that thinks over so many is asked about no further one meanwhile. */
const OF_A_DOMAIN = 4;

export const claimAddresses = (
  tx: Transaction,
  lease: Lease,
  count: number,
  hands: Hands,
): Promise<DueAddress[]> =>
  tx<DueAddress[]>`
    with due as (
      select distinct on (a.hash) a.hash, a.domain, a.normalised
      from campaigns c
        join prospects p on p.campaign_id = c.id and p.ended is null
        join person_addresses a on a.person_id = p.person_id and a.is_primary
        left join verifications v on v.address_hash = a.hash
      where c.state = 'active' and c.verification_policy <> 'any'
        and a.domain <> all(${fullSlots(hands, OF_A_DOMAIN)}::text[])
        and (v.address_hash is null
          or ((v.lease_until is null or v.lease_until <= ${lease.from})
            and (v.expires_at <= ${lease.from} or v.retry_at <= ${lease.from})))
      order by a.hash limit ${count}),
    held as (
      insert into verifications (address_hash, domain, verdict, reason, rungs, checked_at, expires_at, retry_at, lease, lease_until)
      select hash, domain, 'UNKNOWN', 'not_asked_yet', '[]', ${lease.from}, ${lease.from}, ${lease.until}, ${lease.id}, ${lease.until}
      from due order by hash
      on conflict (address_hash) do update set lease = excluded.lease, lease_until = excluded.lease_until,
        retry_at = excluded.retry_at
      where verifications.lease_until is null or verifications.lease_until <= ${lease.from}
      returning address_hash)
    select d.hash, d.domain, d.normalised as address from due d join held h on h.address_hash = d.hash`;

/** False where another process claimed it, or someone asked, since. */
export async function holdsAddress(tx: Transaction, lease: Lease, hash: string): Promise<boolean> {
  const mine = await tx`select 1 from verifications where address_hash = ${hash} and lease = ${lease.id}`;
  return mine.length > 0;
}

export async function giveBackAddresses(
  tx: Transaction,
  lease: Lease,
  claimed: readonly DueAddress[],
): Promise<void> {
  await tx`
    update verifications set lease = null, lease_until = null, retry_at = ${lease.from}
    where address_hash = any(${claimed.map(({ hash }) => hash)}::text[]) and lease = ${lease.id}`;
}
