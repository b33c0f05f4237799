// All SQL of the pass that looks again at held letters: claim, take up, give back.
import type { Transaction } from '../../../../kernel/database.ts';
import type { Lease } from '../../../../kernel/pass.ts';
import type { SendRow } from '../letter/row.ts';
import { addressIsSuppressed } from '../../../crm/suppressions/store.ts';
import { sendRows } from '../letter/send.store.ts';

export const claimHeld = (tx: Transaction, lease: Lease, count: number): Promise<{ id: string }[]> =>
  tx<{ id: string }[]>`
    update sends set lease = ${lease.id}, lease_until = ${lease.until}
    where id = any (array(
      select id from sends
      where state = 'held' and recheck_at <= ${lease.from} and (lease_until is null or lease_until <= ${lease.from})
      order by recheck_at, id limit ${count} for update skip locked))
    returning id`;

/** Letters in review to someone who must not be written to. What is lifted in between stays in review. */
export const claimSuppressed = (tx: Transaction, lease: Lease, count: number): Promise<{ id: string }[]> =>
  tx<{ id: string }[]>`
    update sends set lease = ${lease.id}, lease_until = ${lease.until}
    where id = any (array(
      select s.id from sends s
        cross join lateral (select s.to_hash as hash, regexp_replace(s.to_address, '^.*@', '') as domain) a
      where s.state = 'review' and s.kind <> 'answer' and (s.lease_until is null or s.lease_until <= ${lease.from})
        and ${addressIsSuppressed(tx, lease.from)}
      order by s.id limit ${count} for update of s skip locked))
    returning id`;

/** Of these, those that this batch still holds and that are still in this state: locked, and off the lease. */
export async function stillIn(
  tx: Transaction,
  lease: Lease,
  ids: readonly string[],
  state: 'held' | 'review',
): Promise<SendRow[]> {
  const ours = await tx<{ id: string }[]>`
    update sends set lease = null, lease_until = null where id in (
      select id from sends where id = any(${[...ids]}::uuid[]) and lease = ${lease.id} and state = ${state}
      order by id for update)
    returning id`;
  return sendRows(
    tx,
    ours.map(({ id }) => id),
  );
}

export async function giveBackHeld(
  tx: Transaction,
  lease: Lease,
  claimed: readonly { id: string }[],
): Promise<void> {
  await tx`update sends set lease = null, lease_until = null
           where id = any(${claimed.map(({ id }) => id)}::uuid[]) and lease = ${lease.id}`;
}
