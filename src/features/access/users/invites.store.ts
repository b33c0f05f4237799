// All SQL of invitations: one open link a person, kept as a hash, good for a week.
import { DAY_MS, after } from '../../../kernel/clock.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { nameKey } from './rules.ts';

export const INVITE_MS = 7 * DAY_MS;

/** Opens an invitation for a user, in place of the one that was open. Returns when its link ends. */
export async function replaceInvite(tx: Transaction, user: string, hash: Buffer, now: Date): Promise<Date> {
  const expires_at = after(now, INVITE_MS);
  await tx`delete from invites where user_id = ${user}`;
  await tx`insert into invites ${tx({ id: newId(), user_id: user, hash, created_at: now, expires_at })}`;
  return expires_at;
}

export async function inviteIsOpen(db: Reader, hash: Buffer, now: Date): Promise<boolean> {
  const rows = await db`select 1 from invites where hash = ${hash} and expires_at > ${now}`;
  return rows.length > 0;
}

/** Uses a link up. Returns whose invitation it was, or null where the link is worth nothing (any more). */
export async function takeInvite(tx: Transaction, hash: Buffer, now: Date): Promise<string | null> {
  const [taken] = await tx<{ user_id: string }[]>`
    delete from invites where hash = ${hash} and expires_at > ${now} returning user_id`;
  return taken?.user_id ?? null;
}

/** Takes an invitation back, and with it the user who never came. False where it is not open. */
export async function cancelInvite(tx: Transaction, invite: string): Promise<boolean> {
  const gone = await tx`
    delete from users using invites i where i.id = ${invite} and users.id = i.user_id and users.state = 'invited' returning users.id`;
  return gone.length > 0;
}

export type Accepted = { id: string; name: string; email: string; admin: boolean };

export async function activateInvited(
  tx: Transaction,
  user: string,
  given: { name: string; password_hash: string },
): Promise<Accepted | null> {
  const [row] = await tx<Accepted[]>`
    update users set state = 'active', name = ${given.name}, name_key = ${nameKey(given.name)}, password_hash = ${given.password_hash}
    where id = ${user} and state = 'invited' returning id, name, email, admin`;
  return row ?? null;
}
