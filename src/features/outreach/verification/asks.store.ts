// How many addresses of strangers a caller has asked about within the hour: lookups leave the app, so no one may use it
// to harvest or to talk through names.
import { HOUR_MS, after } from '../../../kernel/clock.ts';
import type { Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';

/** Counts these too, or gives how many are left. One caller's asks are counted one after the other. */
export async function takeAsks(
  tx: Transaction,
  who: string,
  count: number,
  most: number,
  now: Date,
): Promise<{ taken: true } | { taken: false; left: number }> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`verification:${who}`}, 0))`;
  const [row] = await tx<{ asked: number }[]>`
    select coalesce(sum(addresses), 0)::int as asked from verification_asks
    where who = ${who} and at > ${after(now, -HOUR_MS)}`;
  const left = most - (row?.asked ?? 0);
  if (count > left) return { taken: false, left: Math.max(0, left) };
  await tx`insert into verification_asks (id, who, addresses, at) values (${newId()}, ${who}, ${count}, ${now})`;
  return { taken: true };
}

export async function forgetAsks(tx: Transaction, now: Date): Promise<void> {
  await tx`delete from verification_asks where at < ${after(now, -HOUR_MS)}`;
}
