// All SQL of passkeys, and of the challenges that were used up.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';

export type ListedPasskey = {
  id: string;
  name: string;
  backed_up: boolean;
  created_at: Date;
  last_used_at: Date | null;
};

/** At most MOST_PASSKEYS, so it is no page. */
export const passkeysOf = (db: Reader | Transaction, user: string): Promise<ListedPasskey[]> =>
  db<ListedPasskey[]>`
    select id, name, backed_up, created_at, last_used_at from passkeys where user_id = ${user} order by id`;

/** What a browser is told, so that it offers the right one, or does not make a second on the same device. */
export const credentialsOf = (
  db: Reader | Transaction,
  user: string,
): Promise<{ id: string; transports: string[] }[]> =>
  db<{ id: string; transports: string[] }[]>`
    select credential_id as id, transports from passkeys where user_id = ${user} order by id`;

/** False where that authenticator's key already exists, with whomever. */
export async function insertPasskey(
  tx: Transaction,
  made: {
    id: string;
    user_id: string;
    name: string;
    credential_id: string;
    public_key: Uint8Array;
    counter: number;
    transports: string[];
    backed_up: boolean;
    created_at: Date;
  },
): Promise<boolean> {
  const rows = await tx`
    insert into passkeys ${tx({ ...made, public_key: Buffer.from(made.public_key) })}
    on conflict do nothing returning 1`;
  return rows.length > 0;
}

export const newPasskeyId = newId;

/** The name that it had; null where this user has no such passkey. */
export async function deletePasskey(tx: Transaction, user: string, id: string): Promise<string | null> {
  const [gone] = await tx<{ name: string }[]>`
    delete from passkeys where id = ${id} and user_id = ${user} returning name`;
  return gone?.name ?? null;
}

export async function ownerOfPasskey(db: Reader | Transaction, credential: string): Promise<string | null> {
  const [row] = await db<{ user_id: string }[]>`
    select user_id from passkeys where credential_id = ${credential}`;
  return row?.user_id ?? null;
}

export type KeptPasskey = { id: string; public_key: Buffer; counter: number; transports: string[] };

/** For this transaction alone: two signatures of one key are judged one after the other. */
export async function lockPasskey(
  tx: Transaction,
  user: string,
  credential: string,
): Promise<KeptPasskey | null> {
  const [row] = await tx<KeptPasskey[]>`
    select id, public_key, counter::float8 as counter, transports from passkeys
    where credential_id = ${credential} and user_id = ${user} for update`;
  return row ?? null;
}

export async function passkeyUsed(tx: Transaction, id: string, counter: number, now: Date): Promise<void> {
  await tx`update passkeys set counter = ${counter}, last_used_at = ${now} where id = ${id}`;
}

/** False where it was used before. Those that have ended go by the way. */
export async function spendChallenge(
  tx: Transaction,
  hash: Buffer,
  expires_at: Date,
  now: Date,
): Promise<boolean> {
  await tx`delete from passkey_challenges_spent where expires_at <= ${now}`;
  const spent = await tx`
    insert into passkey_challenges_spent ${tx({ hash, expires_at })} on conflict do nothing returning 1`;
  return spent.length > 0;
}
