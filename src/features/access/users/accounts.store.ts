// All SQL of the part of a user that proves who they are: password and second factor. Nothing of it is ever listed.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { emailKey, nameKey } from './rules.ts';

export type Account = {
  id: string;
  name: string;
  email: string;
  email_key: string;
  state: 'invited' | 'active' | 'disabled';
  admin: boolean;
  password_hash: string | null;
  /** Sealed; the confirmed secret, and one that waits for its first code. */
  totp_secret: string | null;
  totp_pending: string | null;
  totp_last_step: number;
};

const account = (db: Reader | Transaction) => db`
  select id, name, email, email_key, state, admin, password_hash, totp_secret, totp_pending, totp_last_step from users`;

/** What a password is compared with; null where no one has the address, or has none yet. */
export async function passwordByEmail(db: Reader, email: string): Promise<string | null> {
  const [row] = await db<{ password_hash: string | null }[]>`
    select password_hash from users where email_key = ${emailKey(email)}`;
  return row?.password_hash ?? null;
}

/** The same by id. */
export async function passwordOf(db: Reader, id: string): Promise<string | null> {
  const [row] = await db<
    { password_hash: string | null }[]
  >`select password_hash from users where id = ${id}`;
  return row?.password_hash ?? null;
}

/**
 * Takes the row for this transaction: a code is accepted once, whoever else tries it at the same moment, and no one is
 * disabled while they sign in. An act that takes the account's turn (sessions/throttle.ts) as well takes the turn first.
 */
export async function lockAccountByEmail(tx: Transaction, email: string): Promise<Account | null> {
  const [row] = await tx<Account[]>`${account(tx)} where email_key = ${emailKey(email)} for update`;
  return row ?? null;
}

/** The same by id. */
export async function lockAccount(tx: Transaction, id: string): Promise<Account | null> {
  const [row] = await tx<Account[]>`${account(tx)} where id = ${id} for update`;
  return row ?? null;
}

export async function insertFirstAdmin(
  tx: Transaction,
  given: { name: string; email: string; password_hash: string; now: Date },
): Promise<string> {
  const id = newId();
  const { name, email, password_hash, now } = given;
  await tx`insert into users ${tx({
    id,
    name,
    name_key: nameKey(name),
    email: email.trim(),
    email_key: emailKey(email),
    state: 'active',
    admin: true,
    password_hash,
    created_at: now,
  })}`;
  return id;
}

export async function setPassword(tx: Transaction, id: string, password_hash: string): Promise<void> {
  await tx`update users set password_hash = ${password_hash} where id = ${id}`;
}

/** False where that step, or a later one, was used meanwhile. */
export async function keepTotpStep(tx: Transaction, id: string, step: number): Promise<boolean> {
  const kept =
    await tx`update users set totp_last_step = ${step} where id = ${id} and totp_last_step < ${step} returning 1`;
  return kept.length > 0;
}

export async function keepTotpPending(tx: Transaction, id: string, sealed: string): Promise<void> {
  await tx`update users set totp_pending = ${sealed} where id = ${id}`;
}

export async function confirmTotp(
  tx: Transaction,
  id: string,
  sealed: string,
  step: number,
  now: Date,
): Promise<void> {
  await tx`update users set totp_secret = ${sealed}, totp_confirmed_at = ${now}, totp_pending = null, totp_last_step = ${step}
           where id = ${id}`;
}

export async function removeTotp(tx: Transaction, id: string): Promise<void> {
  await tx`update users set totp_secret = null, totp_confirmed_at = null, totp_pending = null where id = ${id}`;
}
