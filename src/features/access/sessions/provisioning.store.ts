// The one row of the first-boot key. It is kept for ever, so that a key that died stays dead.
import { timingSafeEqual } from 'node:crypto';
import type { Reader, Transaction } from '../../../kernel/database.ts';

export type Provisioning = { key_hash: Buffer; first_admin_at: Date | null; died_at: Date | null };

export async function readProvisioning(db: Reader | Transaction): Promise<Provisioning | null> {
  const [row] = await db<Provisioning[]>`select key_hash, first_admin_at, died_at from provisioning`;
  return row ?? null;
}

/** Takes the row for this transaction: two set-ups, or two boots, go one after the other. */
export async function lockProvisioning(tx: Transaction): Promise<Provisioning | null> {
  const [row] = await tx<
    Provisioning[]
  >`select key_hash, first_admin_at, died_at from provisioning for update`;
  return row ?? null;
}

export const isKey = (row: Provisioning, hash: Buffer): boolean => timingSafeEqual(row.key_hash, hash);

/** False where another process was first. */
export async function insertProvisioning(tx: Transaction, key_hash: Buffer, now: Date): Promise<boolean> {
  const made =
    await tx`insert into provisioning (key_hash, drawn_at) values (${key_hash}, ${now}) on conflict do nothing returning 1`;
  return made.length > 0;
}

export async function replaceProvisioning(tx: Transaction, key_hash: Buffer, now: Date): Promise<void> {
  await tx`update provisioning set key_hash = ${key_hash}, drawn_at = ${now}`;
}

export async function markFirstAdmin(tx: Transaction, now: Date): Promise<void> {
  await tx`update provisioning set first_admin_at = ${now} where first_admin_at is null`;
}

/** The first mint kills the key for good. True for the one mint that did it. */
export async function killProvisioning(tx: Transaction, now: Date): Promise<boolean> {
  const killed = await tx`update provisioning set died_at = ${now} where died_at is null returning 1`;
  return killed.length > 0;
}

export async function anybodyExists(db: Reader | Transaction): Promise<boolean> {
  const [row] = await db<{ somebody: boolean }[]>`select exists (select from users) as somebody`;
  return row?.somebody ?? false;
}
