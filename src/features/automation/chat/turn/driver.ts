// Who drives a turn, and the callers that act in it: permissions looked up again, on an agent’s turn, and never with
// wire.
import type { Caller, Principal } from '../../../../kernel/caller.ts';
import type { Reader } from '../../../../kernel/database.ts';
import { decide } from '../../../../kernel/policy.ts';
import { conflict, Refusal } from '../../../../kernel/refusal.ts';
import { callerNow } from '../../../access/policies/standing.ts';
import { sessionStands } from '../../../access/sessions/store.ts';
import type { Turn } from './turn.store.ts';

/** How a turn keeps who began it. A token is an agent's from its first turn on (domain.md §1.1). */
export type Driver = {
  by: Principal;
  user_id: string | null;
  token_id: string | null;
  /** Of a person on screen; a workflow has none, though it acts as one. */
  session_id: string | null;
};

export function driverOf({ principal, credential, user_id, surface }: Caller): Driver | Refusal {
  if (credential.kind === 'session')
    return {
      by: principal,
      user_id,
      token_id: null,
      session_id: surface === 'screen' ? credential.id : null,
    };
  if (credential.kind !== 'token')
    return conflict('the provisioning key can’t start a conversation: mint a token, or sign in');
  const { id, name } = credential;
  const { kind, id: person, name: called } = principal;
  const by: Principal =
    kind === 'person'
      ? { kind: 'agent', id, name, on_behalf_of: { kind, id: person, name: called } }
      : principal;
  return { by, user_id, token_id: id, session_id: null };
}

export type Drivers = {
  /** As whom it is judged what may be done at all: a person is judged as on their screen, a token as on an agent's turn. */
  judged: Caller;
  /**
   * As whom it is done: the agent, for whoever drives it. It has neither scope of a person's own, so that nothing that an
   * act comes to by way of another reaches the wire without a decision.
   */
  hands: Caller;
};

/** No one drives the turn any more; the sentence says why. */
export type Undriven = { undriven: string };

const GONE: Undriven = {
  undriven:
    'the person who started this turn signed out or lost access, so it ended: sign in and ask again, or ask an administrator why',
};
const SILENCED: Undriven = {
  undriven:
    'the person who started this turn can no longer use the chat, so it ended: an administrator can attach a policy that allows chat.create in Settings → Access & Security',
};

/** Everyone else that the turn is done for, such as those behind a run: rejects with a Refusal once it may not go on. */
export type Behind = (() => Promise<unknown>) | null;

/** Looked up before every step and every act, and while the model speaks. */
export async function driversNow(
  db: Reader,
  turn: Turn,
  behind: Behind,
  now: Date,
): Promise<Drivers | Undriven> {
  const left = await behind?.().then(
    () => null,
    (error: unknown) => error,
  );
  if (left instanceof Refusal) return { undriven: left.sentence };
  if (left) throw left;
  const { by, token_id, session_id, agent_id, agent_name } = turn;
  if (session_id !== null && !(await sessionStands(db, session_id, now))) return GONE;
  const source = { turn: 'agent', surface: 'chat' } as const;
  const caller = await callerNow(db, { by, token: token_id }, source, now);
  if (!caller) return GONE;
  if (!decide(caller.rights, 'chat.create', ['chat']).allowed) return SILENCED;
  if (caller.credential.kind === 'token') {
    const { credential } = caller;
    return {
      judged: caller,
      hands: { ...caller, credential: { ...credential, scopes: { ...credential.scopes, wire: false } } },
    };
  }
  const { id, name } = by;
  return {
    judged: {
      ...caller,
      turn: 'direct',
      surface: 'screen',
      // Whether they must say again that it is them is asked of whoever decides.
      credential: { kind: 'session', id, stepped_up_at: now },
    },
    hands: {
      ...caller,
      principal: {
        kind: 'agent',
        id: agent_id,
        name: agent_name,
        on_behalf_of: { kind: 'person', id, name },
      },
      credential: {
        kind: 'token',
        id: agent_id,
        name,
        scopes: { wire: false, scripts: false },
        first_agent_turn_at: now,
      },
    },
  };
}
