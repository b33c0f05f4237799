// The caller a run acts as: only what the people who activated it, started it by hand and last retried it may all do. Looked up
// again for every step, with the wire or scripts scope only for steps that need it.
import type { Caller, Principal } from '../../../../kernel/caller.ts';
import type { Reader } from '../../../../kernel/database.ts';
import { conflict, Refusal } from '../../../../kernel/refusal.ts';
import { callerNow } from '../../../access/policies/standing.ts';
import { bothOf } from './both.rules.ts';

/** How a row keeps who activated or started something. */
export type RunStanding = {
  by: Principal;
  token_id: string | null;
  /** Neither scope: they did it by way of a built-in agent, whose hands have none. */
  narrow: boolean;
};

const SOURCE = { turn: 'agent', surface: 'workflow' } as const;

/** Who this caller is to a row; refuses those who could not be looked up again. */
export async function standingOf(db: Reader, caller: Caller, now: Date): Promise<RunStanding> {
  const { principal, credential, surface } = caller;
  if (credential.kind === 'session')
    return { by: principal, token_id: null, narrow: caller.turn !== 'direct' };
  if (credential.kind !== 'token')
    throw conflict('the provisioning key can’t run workflows: mint a token, or sign in');
  const { id, name } = credential;
  const { on_behalf_of: person } = principal;
  // A built-in agent, in a person's chat: the person's rights, and neither of their scopes.
  if (surface === 'chat' && principal.kind === 'agent' && principal.id === id && person) {
    const token = await callerNow(db, { by: principal, token: id }, SOURCE, now);
    if (!token) return { by: person, token_id: null, narrow: true };
  }
  const by: Principal =
    principal.kind === 'person'
      ? { kind: 'agent', id, name, on_behalf_of: { kind: 'person', id: principal.id, name: principal.name } }
      : principal;
  if (!(await callerNow(db, { by, token: id }, SOURCE, now)))
    throw conflict('a run can’t start or activate another workflow: use an event or a schedule');
  return { by, token_id: id, narrow: surface === 'chat' };
}

export type Acting = {
  workflow: { id: string; name: string };
  activator: RunStanding;
  wire_granted: boolean;
  /** The workflow was deactivated since: the wire that was given with the activation is withdrawn. */
  withdrawn: boolean;
  starter: RunStanding | null;
  /** Who retried the run last. */
  retrier: RunStanding | null;
};

/** Whose scope is missing, and what they did. */
export type Lacking = { who: string; as: 'activator' | 'withdrawn' | 'starter' | 'retrier' };

export type Hands = {
  /** For every step but those of the next two. */
  caller: Caller;
  /** Null: no scope is missing. */
  lacks: { wire: Lacking | null; scripts: Lacking | null };
  withWire: Caller;
  withScripts: Caller;
  /** Whose turn an agent's step is, or why there is none. */
  driver: Caller | Refusal;
};

/** A Refusal where one of them may do nothing any more. */
export async function handsOf(db: Reader, acting: Acting, now: Date): Promise<Hands | Refusal> {
  const { workflow, activator, starter, retrier, wire_granted, withdrawn } = acting;
  const owner = await nowOf(db, activator, now);
  if (!owner)
    return gone(`${activator.by.name}, who activated "${workflow.name}",`, 'someone else must activate it');
  const starting = starter && (await nowOf(db, starter, now));
  if (starter && !starting)
    return gone(`${starter.by.name}, who started this run,`, 'someone else must start it again');
  const retrying = retrier && (await nowOf(db, retrier, now));
  if (retrier && !retrying)
    return gone(`${retrier.by.name}, who retried this run,`, 'someone else must retry it');
  const others = [starting, retrying].filter((each) => each !== null);
  const rights = others.reduce((smaller, other) => bothOf(smaller, other.rights), owner.rights);
  const lacking = (of: 'wire' | 'scripts'): Lacking | null => {
    if (of === 'wire' && withdrawn) return { who: activator.by.name, as: 'withdrawn' };
    if (!has(owner, activator, of) || (of === 'wire' && !wire_granted))
      return { who: activator.by.name, as: 'activator' };
    if (starter && starting && !has(starting, starter, of)) return { who: starter.by.name, as: 'starter' };
    return retrier && retrying && !has(retrying, retrier, of)
      ? { who: retrier.by.name, as: 'retrier' }
      : null;
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
    driver: driverOf([owner, ...others]),
  };
}

const nowOf = (db: Reader, { by, token_id }: RunStanding, now: Date): Promise<Caller | null> =>
  callerNow(db, { by, token: token_id }, SOURCE, now);

const gone = (who: string, fixes: string): Refusal =>
  new Refusal(403, 'unauthorized', `${who.slice(0, 180)} no longer has permission to do anything: ${fixes}`);

function has({ credential }: Caller, { narrow }: RunStanding, scope: 'wire' | 'scripts'): boolean {
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

/** A turn is driven by one of them: where no one has the smallest rights of all, there is none. */
function driverOf(behind: [Caller, ...Caller[]]): Caller | Refusal {
  const narrower = behind.filter((each) => !(each.rights.admin && hasAll(each)));
  const [driver = behind.at(-1) ?? behind[0], ...others] = narrower;
  if (others.every((other) => sameOne(driver, other))) return driver;
  return new Refusal(
    403,
    'policy_denied',
    'an agent’s turn has one person’s permissions, but several people are behind this run: have an event or the person who activated the workflow start or retry it',
  );
}

const hasAll = ({ credential }: Caller): boolean =>
  credential.kind === 'token'
    ? credential.scopes.wire && credential.scopes.scripts
    : credential.kind === 'session';

/** The same person at their screen, or the same token. */
export const sameOne = ({ credential: a, ...one }: Caller, { credential: b, ...other }: Caller): boolean =>
  a.kind === 'token'
    ? b.kind === 'token' && a.id === b.id
    : a.kind === 'session' && b.kind === 'session' && one.user_id !== null && one.user_id === other.user_id;
