// Who carries this credential? One query a request and nothing cached: a deleted token, a disabled user and a changed
// policy hold from the next request on, on every node (interface specification §3, §5; domain.md §1.1, §4.4).
import { type Caller, type Principal } from '../../../kernel/caller.ts';
import { MINUTE_MS, type Clock } from '../../../kernel/clock.ts';
import type { Ground } from '../../../kernel/ground.ts';
import type { Identify, Road } from '../../../kernel/house.ts';
import { rightsOf } from '../policies/rights.ts';
import { identifySession } from '../sessions/identify.ts';
import { openProvisioningKey } from '../sessions/provisioning.ts';
import { type KnownToken, markAgentTurn, tokenByHash, touchToken } from './store.ts';
import { hasTokenShape, sha256 } from './value.ts';

export type GroundOfIdentity = Pick<Ground, 'reader' | 'transact'>;

export function openIdentify(ground: GroundOfIdentity, clock: Clock): Identify {
  const provisioningKey = openProvisioningKey(ground.reader);
  return {
    bearer: async (value, road) =>
      hasTokenShape(value)
        ? identifyBearer(ground, value, road, clock.now())
        : provisioningKey(value, road, clock.now()),
    session: (secret, road) => identifySession(ground, secret, road, clock.now()),
  };
}

/** The caller behind a token's value, or null where it is worth nothing: unknown, expired, or its user is not active. */
export async function identifyBearer(
  ground: GroundOfIdentity,
  value: string,
  road: Road,
  now: Date,
): Promise<Caller | null> {
  if (!hasTokenShape(value)) return null;
  const token = await tokenByHash(ground.reader, sha256(value));
  if (!token || (token.expires_at && token.expires_at <= now)) return null;
  if (token.user && token.user.state !== 'active') return null;
  let first_agent_turn_at = token.first_agent_turn_at;
  if (road.turn === 'agent' && !first_agent_turn_at) {
    await ground.transact((tx) => markAgentTurn(tx, token.id, now));
    first_agent_turn_at = now;
  }
  if (!token.last_used_at || now.getTime() - token.last_used_at.getTime() >= MINUTE_MS)
    // Nobody waits for it, and a lost minute of "last used" harms nobody.
    void ground.transact((tx) => touchToken(tx, token.id, now)).catch(() => undefined);
  return {
    principal: principalOf(token, road, first_agent_turn_at),
    ...road,
    credential: {
      kind: 'token',
      id: token.id,
      name: token.name,
      scopes: { wire: token.wire, scripts: token.scripts },
      first_agent_turn_at,
    },
    user_id: token.user?.id ?? null,
    rights: rightsOf(token.user, token.carried),
  };
}

function principalOf(token: KnownToken, road: Road, firstAgentTurn: Date | null): Principal {
  const { id, name, user } = token;
  if (!user) return { kind: 'service', id, name };
  const person = { kind: 'person', id: user.id, name: user.name } as const;
  return road.turn === 'agent' || firstAgentTurn ? { kind: 'agent', id, name, on_behalf_of: person } : person;
}
