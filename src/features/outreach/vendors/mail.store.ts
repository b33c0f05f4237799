// Mail that a vendor took for us and that waits to be fetched: a row says "fetch this", and a pass works on it.
import { after, HOUR_MS, SECOND_MS } from '../../../kernel/clock.ts';
import type { Transaction } from '../../../kernel/database.ts';
import type { Lease } from '../../../kernel/pass.ts';
import type { ReceivedMail } from '../../../mail/vendor/vendor.ts';

/** Notifies that a vendor has mail for us. */
export const VENDOR_MAIL = 'vendor_mail';

export type WaitingMail = {
  provider: string;
  external_id: string;
  delivered_to: string[];
  received_at: Date;
  attempts: number;
};

/** Told twice it waits once. */
export async function awaitMail(
  tx: Transaction,
  provider: string,
  { external_id, delivered_to, at }: ReceivedMail,
  now: Date,
): Promise<void> {
  await tx`
    insert into vendor_mails (provider, external_id, delivered_to, received_at, due_at)
    values (${provider}, ${external_id}, ${[...delivered_to]}, ${at}, ${now}) on conflict do nothing`;
}

export async function claimMails(tx: Transaction, lease: Lease, count: number): Promise<WaitingMail[]> {
  return tx<WaitingMail[]>`
    update vendor_mails m set lease = ${lease.id}, lease_until = ${lease.until}
    from (
      select provider, external_id from vendor_mails
      where settled_at is null and due_at <= ${lease.from} and (lease is null or lease_until <= ${lease.from})
      order by due_at, provider, external_id limit ${count} for update skip locked) due
    where m.provider = due.provider and m.external_id = due.external_id
    returning m.provider, m.external_id, m.delivered_to, m.received_at, m.attempts`;
}

/** Whether it is still ours, and no one else's until this act is over. */
export async function lockWaiting(
  tx: Transaction,
  lease: Lease,
  { provider, external_id }: WaitingMail,
): Promise<boolean> {
  const rows = await tx`
    select 1 from vendor_mails
    where provider = ${provider} and external_id = ${external_id} and lease = ${lease.id} for update`;
  return rows.length > 0;
}

export async function settleWaiting(
  tx: Transaction,
  { provider, external_id }: WaitingMail,
  now: Date,
): Promise<void> {
  await tx`
    update vendor_mails set settled_at = ${now}, lease = null, lease_until = null
    where provider = ${provider} and external_id = ${external_id}`;
}

const FIRST_MS = 15 * SECOND_MS;
const LONGEST_MS = HOUR_MS;

export async function tryAgain(
  tx: Transaction,
  { provider, external_id, attempts }: WaitingMail,
  now: Date,
): Promise<void> {
  const due_at = after(now, Math.min(FIRST_MS * 2 ** Math.min(attempts, 20), LONGEST_MS));
  await tx`
    update vendor_mails set attempts = attempts + 1, due_at = ${due_at}, lease = null, lease_until = null
    where provider = ${provider} and external_id = ${external_id}`;
}

export async function releaseWaiting(
  tx: Transaction,
  lease: Lease,
  rows: readonly WaitingMail[],
): Promise<void> {
  await tx`
    update vendor_mails set lease = null, lease_until = null
    where lease = ${lease.id} and external_id = any(${rows.map(({ external_id }) => external_id)})`;
}

/** The identity that reads its answers at this vendor, by the first of the addresses that is one's. */
export async function identityAt(
  tx: Transaction,
  provider: string,
  addresses: readonly string[],
): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    select i.id from identities i join unnest(${[...addresses]}::text[]) with ordinality a (address, at) on a.address = i.normalised
    where i.gone_at is null and i.inbound_kind = 'vendor' and i.inbound ->> 'provider' = ${provider}
    order by a.at limit 1`;
  return row?.id ?? null;
}

export async function forgetFetched(tx: Transaction, before: Date): Promise<void> {
  await tx`
    delete from vendor_mails where (provider, external_id) in (
      select provider, external_id from vendor_mails where settled_at < ${before} order by settled_at limit 10000)`;
}
