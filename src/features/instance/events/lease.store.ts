// All SQL of the pass that sends deliveries: claim, settle, give back, tidy. A claimed row carries the id of its lease, and
// only who still holds that lease changes it.
import type { Fragment } from 'postgres';
import type { Transaction } from '../../../kernel/database.ts';
import type { Lease } from '../../../kernel/pass.ts';
import type { SettledAttempt } from './ladder.rules.ts';

export type DueDelivery = { id: string; event: string; body: string; attempts: number };

export type SettledDelivery = SettledAttempt & { id: string };

/**
 * Does not wait for the disk at commit: what a power cut undoes is the account of an attempt, and the attempt is made
 * again. Part of the statement whose transaction it is for, and named in its `from`, or it would not be run.
 */
const unhurried = (tx: Transaction) =>
  tx`unhurried as materialized (select set_config('synchronous_commit', 'off', true))`;

/** Arrays, whose length a generic plan takes to be ten: of a limit it takes a tenth of the backlog, and reads the whole table. */
export const claimDue = (tx: Transaction, lease: Lease, count: number): Promise<DueDelivery[]> =>
  tx<DueDelivery[]>`
    with ${unhurried(tx)}
    update event_deliveries d set lease = ${lease.id}, lease_until = ${lease.until}
    from unhurried
    where d.id = any (array(
      select id from event_deliveries
      where state = 'pending' and next_attempt_at <= ${lease.from}
        and (lease_until is null or lease_until <= ${lease.from})
      order by next_attempt_at, id limit ${count} for update skip locked))
    returning d.id, d.event, d.body, d.attempts`;

/**
 * Returns how many still carried the lease. `health`: how the receiver is, written by the same statement whoever holds the
 * rows by now, since the attempts were made.
 */
export async function settle(
  tx: Transaction,
  lease: Lease,
  settled: readonly SettledDelivery[],
  health: Fragment | null,
): Promise<number> {
  const of = (column: keyof SettledDelivery) =>
    settled.map(({ [column]: value }) => (value instanceof Date ? value.toISOString() : value)) as never;
  const { count } = await tx`
    with ${unhurried(tx)} ${health ? tx`, health as (${health})` : tx``}
    update event_deliveries d
    set state = r.state, attempts = r.attempts, next_attempt_at = r.next_attempt_at, last_status = r.last_status,
      last_error = r.last_error, delivered_at = r.delivered_at, lease = null, lease_until = null
    from unhurried, unnest(${of('id')}::uuid[], ${of('state')}::text[], ${of('attempts')}::int[],
        ${of('next_attempt_at')}::timestamptz[], ${of('last_status')}::int[], ${of('last_error')}::text[],
        ${of('delivered_at')}::timestamptz[])
      as r(id, state, attempts, next_attempt_at, last_status, last_error, delivered_at)
    where d.id = r.id and d.lease = ${lease.id}`;
  return count;
}

/** By their ids: an index of leases would have to be written at every claim. */
export async function giveBack(
  tx: Transaction,
  lease: Lease,
  claimed: readonly { id: string }[],
): Promise<void> {
  await tx`update event_deliveries set lease = null, lease_until = null
           where id = any(${claimed.map(({ id }) => id)}::uuid[]) and lease = ${lease.id}`;
}

/** Of the oldest rows, those that came to an end and occurred before `before`; a bounded number a call. */
export async function forgetDeliveries(tx: Transaction, before: Date): Promise<number> {
  const { count } = await tx`
    delete from event_deliveries where id in (
      select id from (select id, state, occurred_at from event_deliveries order by id limit 5000) oldest
      where state <> 'pending' and occurred_at < ${before})`;
  return count;
}
