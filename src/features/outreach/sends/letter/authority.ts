// Whether an approval, a confirmation or an activation still counts: only while the person or token behind it could give it now.
// A deleted or expired token, lost wire, a lost policy or a disabled user end it (red team A26, A27).
import type { Principal } from '../../../../kernel/caller.ts';
import type { Reader } from '../../../../kernel/database.ts';
import { decide, type Rights } from '../../../../kernel/policy.ts';
import { rightsOf } from '../../../access/policies/rights.ts';
import { tokenById } from '../../../access/tokens/store.ts';
import { userStanding } from '../../../access/users/store.ts';

export type Word = {
  by: Principal;
  /** The token it was given with; null: a session's, or an agent's own. */
  token: string | null;
  action: string;
  names: string[];
};

/** Asks for each holder once, however many letters lean on their word. */
export function openAuthority(db: Reader, now: Date): (word: Word) => Promise<boolean> {
  const known = new Map<string, Promise<Rights | null>>();
  return async ({ by, token, action, names }) => {
    const carried = by.kind === 'person' ? token : by.id;
    const key = carried === null ? `user ${by.id}` : `token ${carried}`;
    const asked = known.get(key) ?? (carried === null ? ofUser(db, by.id) : ofToken(db, carried, now));
    known.set(key, asked);
    const rights = by.kind === 'system' ? null : await asked;
    return rights !== null && decide(rights, action, names).allowed;
  };
}

async function ofUser(db: Reader, id: string): Promise<Rights | null> {
  const user = await userStanding(db, id);
  return user?.state === 'active' ? rightsOf(user, user.carried) : null;
}

async function ofToken(db: Reader, id: string, now: Date): Promise<Rights | null> {
  const token = await tokenById(db, id);
  if (!token?.wire || (token.expires_at !== null && token.expires_at <= now)) return null;
  if (token.user && token.user.state !== 'active') return null;
  return rightsOf(token.user, token.carried);
}
