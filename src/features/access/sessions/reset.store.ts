// All SQL of new passwords: who asked, and the one open link of an account, kept as a hash.
import { DAY_MS, HOUR_MS, after } from '../../../kernel/clock.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Lease } from '../../../kernel/pass.ts';

export const RESET_MS = HOUR_MS;

/** How often it was asked for within the hour. The asks for one account are counted one after the other. */
export async function recentAsks(
  tx: Transaction,
  email_key: string,
  address: string | null,
  now: Date,
): Promise<{ of_account: number; of_address: number }> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`password-reset:${email_key}`}, 0))`;
  const since = after(now, -HOUR_MS);
  const [row] = await tx<{ of_account: number; of_address: number }[]>`
    select
      (select count(*)::int from password_reset_asks where email_key = ${email_key} and at > ${since}) as of_account,
      (select count(*)::int from password_reset_asks where address = ${address} and at > ${since}) as of_address`;
  return row ?? { of_account: 0, of_address: 0 };
}

export async function keepAsk(
  tx: Transaction,
  email_key: string,
  address: string | null,
  now: Date,
): Promise<void> {
  await tx`insert into password_reset_asks ${tx({ id: newId(), email_key, address, at: now })}`;
}

export type AskedReset = { id: string; email_key: string };

export const claimAsks = (tx: Transaction, lease: Lease, count: number): Promise<AskedReset[]> =>
  tx<AskedReset[]>`
    update password_reset_asks a set lease = ${lease.id}, lease_until = ${lease.until}
    where a.id = any (array(
      select id from password_reset_asks
      where done_at is null and at <= ${lease.from} and (lease_until is null or lease_until <= ${lease.from})
      order by at, id limit ${count} for update skip locked))
    returning a.id, a.email_key`;

/** False where another process took it since. */
export async function endAsk(tx: Transaction, lease: Lease, id: string, now: Date): Promise<boolean> {
  const mine = await tx`
    update password_reset_asks set done_at = ${now}, lease = null, lease_until = null
    where id = ${id} and lease = ${lease.id} returning 1`;
  return mine.length > 0;
}

export async function giveBackAsks(
  tx: Transaction,
  lease: Lease,
  claimed: readonly AskedReset[],
): Promise<void> {
  await tx`
    update password_reset_asks set lease = null, lease_until = null
    where id = any(${claimed.map(({ id }) => id)}::uuid[]) and lease = ${lease.id}`;
}

/** Opens a link, in place of the one that was open. Returns when it ends. */
export async function replaceReset(tx: Transaction, user_id: string, hash: Buffer, now: Date): Promise<Date> {
  const expires_at = after(now, RESET_MS);
  await tx`
    insert into password_resets ${tx({ user_id, hash, expires_at })}
    on conflict (user_id) do update set hash = excluded.hash, expires_at = excluded.expires_at`;
  return expires_at;
}

export async function resetIsOpen(db: Reader, hash: Buffer, now: Date): Promise<boolean> {
  const rows = await db`select 1 from password_resets where hash = ${hash} and expires_at > ${now}`;
  return rows.length > 0;
}

/** Uses a link up. Returns whose it was, or null where it is worth nothing (any more). */
export async function takeReset(tx: Transaction, hash: Buffer, now: Date): Promise<string | null> {
  const [taken] = await tx<{ user_id: string }[]>`
    delete from password_resets where hash = ${hash} and expires_at > ${now} returning user_id`;
  return taken?.user_id ?? null;
}

export async function tidyResets(tx: Transaction, now: Date): Promise<void> {
  await tx`delete from password_reset_asks where at < ${after(now, -DAY_MS)}`;
  await tx`delete from password_resets where expires_at < ${now}`;
}
