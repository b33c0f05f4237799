// Who carries this credential? One query a request and nothing cached: a deleted token, a disabled user and a changed
// policy hold from the next request on, on every node (interface specification §3, §5; domain.md §1.1, §4.4).
import { type Caller, type Principal } from '../../../kernel/caller.ts';
import { MINUTE_MS, type Clock } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database.ts';
import type { Identify, CallSource } from '../../../kernel/app.ts';
import { rightsOf } from '../policies/rights.ts';
import { identifySession } from '../sessions/identify.ts';
import { openProvisioningKey } from '../sessions/provisioning.ts';
import { type KnownToken, markAgentTurn, tokenByHash, touchToken } from './store.ts';
import { hasTokenShape, sha256 } from './value.ts';

export type IdentityDatabase = Pick<Database, 'reader' | 'transact'>;

export function openIdentify(database: IdentityDatabase, clock: Clock): Identify {
  const provisioningKey = openProvisioningKey(database.reader);
  return {
    bearer: async (value, source) =>
      hasTokenShape(value)
        ? identifyBearer(database, value, source, clock.now())
        : provisioningKey(value, source, clock.now()),
    session: (secret, source) => identifySession(database, secret, source, clock.now()),
  };
}

/** The caller behind a token's value, or null where it is worth nothing: unknown, expired, or its user is not active. */
export async function identifyBearer(
  database: IdentityDatabase,
  value: string,
  source: CallSource,
  now: Date,
): Promise<Caller | null> {
  if (!hasTokenShape(value)) return null;
  const token = await tokenByHash(database.reader, sha256(value));
  if (!token || (token.expires_at && token.expires_at <= now)) return null;
  if (token.user && token.user.state !== 'active') return null;
  let first_agent_turn_at = token.first_agent_turn_at;
  if (source.turn === 'agent' && !first_agent_turn_at) {
    await database.transact((tx) => markAgentTurn(tx, token.id, now));
    first_agent_turn_at = now;
  }
  if (!token.last_used_at || now.getTime() - token.last_used_at.getTime() >= MINUTE_MS)
    // No one waits for it, and a lost minute of "last used" harms no one.
    void database.transact((tx) => touchToken(tx, token.id, now)).catch(() => undefined);
  return {
    principal: principalOf(token, source, first_agent_turn_at),
    ...source,
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

function principalOf(token: KnownToken, source: CallSource, firstAgentTurn: Date | null): Principal {
  const { id, name, user } = token;
  if (!user) return { kind: 'service', id, name };
  const person = { kind: 'person', id: user.id, name: user.name } as const;
  return source.turn === 'agent' || firstAgentTurn
    ? { kind: 'agent', id, name, on_behalf_of: person }
    : person;
}
