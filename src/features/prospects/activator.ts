// As whom a sequence acts where an act needs somebody's rights: whoever activated the campaign, with the rights they have now.
// A deleted or expired token and a disabled user act for nobody any more.
import type { Caller, Principal } from '../../kernel/caller.ts';
import type { Reader } from '../../kernel/ground.ts';
import { rightsOf } from '../policies/rights.ts';
import { tokenById } from '../tokens/store.ts';
import { userStanding } from '../users/store.ts';
import { activatedBy } from './stepping.store.ts';

const ROAD = { turn: 'agent', surface: 'pass' } as const;

export async function activatorOf(db: Reader, campaign_id: string, now: Date): Promise<Caller | null> {
  const activated = await activatedBy(db, campaign_id);
  if (!activated) return null;
  const { by, token } = activated;
  if (by.kind === 'person' && token === null) return ofUser(db, by);
  return ofToken(db, token ?? by.id, by, now);
}

async function ofUser(db: Reader, by: Principal): Promise<Caller | null> {
  const user = await userStanding(db, by.id);
  if (user?.state !== 'active') return null;
  return {
    principal: by,
    ...ROAD,
    credential: { kind: 'session', id: by.id, stepped_up_at: null },
    user_id: by.id,
    rights: rightsOf(user, user.carried),
  };
}

async function ofToken(db: Reader, id: string, by: Principal, now: Date): Promise<Caller | null> {
  const token = await tokenById(db, id);
  if (!token || (token.expires_at !== null && token.expires_at <= now)) return null;
  if (token.user && token.user.state !== 'active') return null;
  const { name, wire, scripts, first_agent_turn_at } = token;
  return {
    principal: by,
    ...ROAD,
    credential: { kind: 'token', id, name, scopes: { wire, scripts }, first_agent_turn_at },
    user_id: token.user?.id ?? null,
    rights: rightsOf(token.user, token.carried),
  };
}
