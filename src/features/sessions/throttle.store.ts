// All SQL of the count of failed sign-ins. Rows older than the window are worth nothing and go with the next failure.
import type { Transaction } from '../../kernel/ground.ts';
import { newId } from '../../kernel/ids.ts';

/** Waits until no other transaction is at a try of this account; held to the end of this one. */
export async function takeTurn(tx: Transaction, who: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`sign-in:${who}`}, 0))`;
}

/** Oldest first. */
export async function failuresSince(tx: Transaction, who: string, since: Date): Promise<Date[]> {
  const rows = await tx<
    { at: Date }[]
  >`select at from sign_in_failures where who = ${who} and at > ${since} order by at`;
  return rows.map((row) => row.at);
}

export async function recordFailures(tx: Transaction, whos: string[], now: Date, since: Date): Promise<void> {
  await tx`delete from sign_in_failures where at <= ${since}`;
  for (const who of whos)
    await tx`insert into sign_in_failures (id, who, at) values (${newId()}, ${who}, ${now})`;
}

export async function forgetFailures(tx: Transaction, who: string): Promise<void> {
  await tx`delete from sign_in_failures where who = ${who}`;
}
