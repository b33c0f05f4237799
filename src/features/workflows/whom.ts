// As whom a run acts: whoever activated it, and where somebody started it by hand both of them together, the smaller. Looked up
// anew for every step; with the wire for the steps that need it and for no other, and with scripts likewise.
import type { Caller, Principal } from '../../kernel/caller.ts';
import type { Reader } from '../../kernel/ground.ts';
import { conflict, Refusal } from '../../kernel/refusal.ts';
import { callerNow } from '../policies/standing.ts';
import { bothOf } from './both.rules.ts';

/** How a row keeps who activated or started something. */
export type Standing = {
  by: Principal;
  token_id: string | null;
  /** Neither scope: they did it by way of an agent of the house, whose hands have none. */
  narrow: boolean;
};

const ROAD = { turn: 'agent', surface: 'workflow' } as const;

/** Who this caller is to a row; refuses those who could not be looked up again. */
export async function standingOf(db: Reader, caller: Caller, now: Date): Promise<Standing> {
  const { principal, credential, surface } = caller;
  if (credential.kind === 'session')
    return { by: principal, token_id: null, narrow: caller.turn !== 'direct' };
  if (credential.kind !== 'token')
    throw conflict('the set-up key runs no workflow: mint a token, or sign in');
  const { id, name } = credential;
  const { on_behalf_of: person } = principal;
  // An agent of the house, in a person's chat: the person's rights, and neither of their scopes.
  if (surface === 'chat' && principal.kind === 'agent' && principal.id === id && person) {
    const token = await callerNow(db, { by: principal, token: id }, ROAD, now);
    if (!token) return { by: person, token_id: null, narrow: true };
  }
  const by: Principal =
    principal.kind === 'person'
      ? { kind: 'agent', id, name, on_behalf_of: { kind: 'person', id: principal.id, name: principal.name } }
      : principal;
  if (!(await callerNow(db, { by, token: id }, ROAD, now)))
    throw conflict('a run sets off and activates no other workflow: let an event or a schedule do it');
  return { by, token_id: id, narrow: surface === 'chat' };
}

export type Acting = {
  workflow: { id: string; name: string };
  activator: Standing;
  wire_granted: boolean;
  starter: Standing | null;
};

export type Hands = {
  /** For every step but those of the next two. */
  caller: Caller;
  /** Whose scope is missing; null: nobody's. */
  lacks: { wire: string | null; scripts: string | null };
  withWire: Caller;
  withScripts: Caller;
  /** Whose turn an agent's step is, or why there is none. */
  driver: Caller | Refusal;
};

/** A Refusal where one of them may do nothing any more. */
export async function handsOf(db: Reader, acting: Acting, now: Date): Promise<Hands | Refusal> {
  const { workflow, activator, starter, wire_granted } = acting;
  const owner = await nowOf(db, activator, now);
  if (!owner)
    return gone(`${activator.by.name}, who activated "${workflow.name}",`, 'somebody else activates it');
  const other = starter && (await nowOf(db, starter, now));
  if (starter && !other)
    return gone(`${starter.by.name}, who started this run,`, 'somebody else starts it anew');
  const rights = other ? bothOf(owner.rights, other.rights) : owner.rights;
  const lacking = (of: 'wire' | 'scripts'): string | null => {
    if (!has(owner, activator, of) || (of === 'wire' && !wire_granted)) return activator.by.name;
    return other && starter && !has(other, starter, of) ? starter.by.name : null;
  };
  const hands = (scopes: { wire: boolean; scripts: boolean }): Caller => ({
    ...handOf(owner, workflow, scopes, now),
    rights,
  });
  return {
    caller: hands({ wire: false, scripts: false }),
    withWire: hands({ wire: true, scripts: false }),
    withScripts: hands({ wire: false, scripts: true }),
    lacks: { wire: lacking('wire'), scripts: lacking('scripts') },
    driver: driverOf(owner, other),
  };
}

const nowOf = (db: Reader, { by, token_id }: Standing, now: Date): Promise<Caller | null> =>
  callerNow(db, { by, token: token_id }, ROAD, now);

const gone = (who: string, mends: string): Refusal =>
  new Refusal(403, 'unauthorized', `${who.slice(0, 200)} may do nothing any more: ${mends}`);

function has({ credential }: Caller, { narrow }: Standing, scope: 'wire' | 'scripts'): boolean {
  if (narrow) return false;
  return credential.kind === 'token' ? credential.scopes[scope] : credential.kind === 'session';
}

/** A person's workflow is an agent that acts for them; a token's acts as that token. */
function handOf(
  owner: Caller,
  workflow: Acting['workflow'],
  scopes: { wire: boolean; scripts: boolean },
  now: Date,
): Caller {
  const { principal, credential } = owner;
  if (credential.kind === 'token') return { ...owner, credential: { ...credential, scopes } };
  const { id, name } = workflow;
  return {
    ...owner,
    principal: {
      kind: 'agent',
      id,
      name,
      on_behalf_of: { kind: 'person', id: principal.id, name: principal.name },
    },
    credential: { kind: 'token', id, name, scopes, first_agent_turn_at: now },
  };
}

/** A turn is driven by one of them: where that is not the smaller of the two, there is none. */
function driverOf(owner: Caller, other: Caller | null): Caller | Refusal {
  if (!other || sameOne(owner, other)) return owner;
  if (owner.rights.admin && hasAll(owner)) return other;
  return new Refusal(
    403,
    'policy_denied',
    "an agent's turn has the rights of one person, and two are behind this run: have it started by whoever activated it, or by an event",
  );
}

const hasAll = ({ credential }: Caller): boolean =>
  credential.kind === 'token'
    ? credential.scopes.wire && credential.scopes.scripts
    : credential.kind === 'session';

const sameOne = (a: Caller, b: Caller): boolean =>
  a.user_id !== null &&
  a.user_id === b.user_id &&
  a.credential.kind === 'session' &&
  b.credential.kind === 'session';
