// All SQL of recovery codes.
import type { Reader, Transaction } from '../../../kernel/database.ts';

/** Ten in place of whatever was there. */
export async function replaceCodes(
  tx: Transaction,
  user: string,
  hashes: Buffer[],
  now: Date,
): Promise<void> {
  await forgetCodes(tx, user);
  await tx`insert into recovery_codes ${tx(hashes.map((hash) => ({ user_id: user, hash, made_at: now })))}`;
}

export async function forgetCodes(tx: Transaction, user: string): Promise<void> {
  await tx`delete from recovery_codes where user_id = ${user}`;
}

/** False where it is none of this user's, or was used. */
export async function spendCode(tx: Transaction, user: string, hash: Buffer, now: Date): Promise<boolean> {
  const used = await tx`
    update recovery_codes set used_at = ${now}
    where user_id = ${user} and hash = ${hash} and used_at is null returning 1`;
  return used.length > 0;
}

export async function codesLeft(db: Reader | Transaction, user: string): Promise<number> {
  const [row] = await db<{ codes: number }[]>`
    select count(*)::int as codes from recovery_codes where user_id = ${user} and used_at is null`;
  return row?.codes ?? 0;
}

/** When the ten were made; null where there are none. */
export async function codesMadeAt(db: Reader | Transaction, user: string): Promise<Date | null> {
  const [row] = await db<{ made_at: Date | null }[]>`
    select max(made_at) as made_at from recovery_codes where user_id = ${user}`;
  return row?.made_at ?? null;
}
