// Who is asking. An entry point makes a Caller from a credential, never from a field of a request, and passes it on as a value.
import type { Rights } from './policy.ts';

/** domain.md §1.1. A `person` is a human; an `agent` acts with a bound token; a `service` is a token bound to no one. */
export type PrincipalKind = 'person' | 'agent' | 'service' | 'system';

export type Principal = {
  kind: PrincipalKind;
  id: string;
  name: string;
  /** The person whose token an agent carries. */
  on_behalf_of?: { kind: 'person'; id: string; name: string };
};

/** The entry point sets it: everything that comes through /mcp, chat, a script or a workflow is an agent's turn. */
export type Turn = 'direct' | 'agent';

/** The route a call came on; it is in the audit log. */
export type Surface = 'screen' | 'rest' | 'mcp' | 'chat' | 'lua' | 'workflow' | 'pass' | 'setup';

export type Credential =
  | { kind: 'none' }
  | { kind: 'session'; id: string; stepped_up_at: Date | null }
  | {
      kind: 'token';
      id: string;
      name: string;
      scopes: { wire: boolean; scripts: boolean };
      /** Set by the first authenticated agent's turn and never cleared: from then on the token is an agent's (domain.md §1.1). */
      first_agent_turn_at: Date | null;
    }
  | { kind: 'provisioning_key' };

export type Caller = {
  principal: Principal;
  turn: Turn;
  surface: Surface;
  credential: Credential;
  /** The user whose rights these are; null for a service token, the provisioning key and no one. */
  user_id: string | null;
  rights: Rights;
};

/**
 * Is this an agent wherever agents and people differ? True on every agent's turn, for a service token, for the
 * provisioning key, and for a bound token that has ever been used on an agent's turn. Without the last, an agent could
 * park an item on /mcp and approve it with curl and the same token.
 */
export function isAgent(caller: Caller): boolean {
  if (caller.turn === 'agent') return true;
  if (caller.credential.kind === 'session') return false;
  return caller.principal.kind !== 'person';
}

/** A service token or the provisioning key on direct REST is no one's: neither an agent's turn nor a person. */
export function isPerson(caller: Caller): boolean {
  return !isAgent(caller) && caller.principal.kind === 'person';
}

export const nobody = (surface: Surface): Caller => ({
  principal: { kind: 'system', id: '00000000-0000-0000-0000-000000000000', name: 'nobody' },
  turn: 'direct',
  surface,
  credential: { kind: 'none' },
  user_id: null,
  rights: { admin: false, policies: [], projects: [] },
});

/** How a refusal names the caller: the token's or the person's name. */
export function nameOf(caller: Caller): string {
  return caller.credential.kind === 'token' ? caller.credential.name : caller.principal.name;
}

/** Whose share of the app a call takes: all tokens and sessions of one user share one, a token of no one has its own. */
export const accountOf = ({ user_id, principal }: Caller): string => user_id ?? principal.id;

/** A worker is (kind, id): two tokens of one user are two workers (domain.md §1.10). */
export function sameWorker(a: { kind: string; id: string }, b: { kind: string; id: string }): boolean {
  return a.kind === b.kind && a.id === b.id;
}

/** Who does what is written down, and when. */
export type Author = { by: Principal; now: Date };
