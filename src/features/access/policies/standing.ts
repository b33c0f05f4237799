// A caller’s current rights for work that goes on without a request: the same as their next request would have, and none once
// their token is deleted or they are disabled.
import type { Caller, Principal } from '../../../kernel/caller.ts';
import type { Reader } from '../../../kernel/database.ts';
import { tokenById } from '../tokens/store.ts';
import { userStanding } from '../users/store.ts';
import { rightsOf } from './rights.ts';

export type CallSource = Pick<Caller, 'turn' | 'surface'>;

/** `token`: the one that carried what they began; null where a session did. Null: they may do nothing any more. */
export async function callerNow(
  db: Reader,
  { by, token }: { by: Principal; token: string | null },
  source: CallSource,
  now: Date,
): Promise<Caller | null> {
  if (by.kind === 'person' && token === null) return ofUser(db, by, source);
  return ofToken(db, token ?? by.id, by, source, now);
}

async function ofUser(db: Reader, by: Principal, source: CallSource): Promise<Caller | null> {
  const user = await userStanding(db, by.id);
  if (user?.state !== 'active') return null;
  return {
    principal: by,
    ...source,
    credential: { kind: 'session', id: by.id, stepped_up_at: null },
    user_id: by.id,
    rights: rightsOf(user, user.carried),
  };
}

async function ofToken(
  db: Reader,
  id: string,
  by: Principal,
  source: CallSource,
  now: Date,
): Promise<Caller | null> {
  const token = await tokenById(db, id);
  if (!token || (token.expires_at !== null && token.expires_at <= now)) return null;
  if (token.user && token.user.state !== 'active') return null;
  const { name, wire, scripts, first_agent_turn_at } = token;
  return {
    principal: by,
    ...source,
    credential: { kind: 'token', id, name, scopes: { wire, scripts }, first_agent_turn_at },
    user_id: token.user?.id ?? null,
    rights: rightsOf(token.user, token.carried),
  };
}
