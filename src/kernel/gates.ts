// Every gate of an operation, as pure functions in one place: who → policy → wire, first what can be decided before the
// arguments are read, then what depends on them. Only `invoke` and `rehearse` call them. A function that writes many rows of a
// wire act (domain.md §5, 7) asks `withoutWire` once more.
import { MINUTE_MS, after } from './clock.ts';
import { type Caller, isAgent, isPerson } from './caller.ts';
import { denied } from './denied.ts';
import { allowsAll, couldAllow, decide, personSigns } from './policy.ts';
import type { AnyOperation } from './operation.ts';
import { Refusal } from './refusal.ts';
import { UNAUTHORIZED, WIRE_REQUIRED } from './sentences.ts';

/** A sign-in, a set-up or a step-up opens minting, secrets, wire settings and policies for this long (domain.md §4.1). */
export const STEP_UP_MS = 10 * MINUTE_MS;
/** What the clocks of two processes may differ by. */
const CLOCKS_MS = MINUTE_MS;

const STEP_UP = 'confirm it’s you: enter your password again; you won’t be asked again for 10 minutes';

/** The refusal that needs no argument to be known, or null. A caller without the right hears so before its body is read. */
export function refusedBeforeReading(op: AnyOperation, caller: Caller, now: Date): Refusal | null {
  return (
    refusedByWho(op, caller) ??
    refusedByPolicy(op, caller) ??
    refusedByStepUp(op, caller, now) ??
    refusedByWire(op, caller)
  );
}

function refusedByWho(op: AnyOperation, caller: Caller): Refusal | null {
  const { who } = op;
  const kind = caller.credential.kind;
  const carriesToken = kind === 'token' || kind === 'provisioning_key';
  if (who !== 'anyone' && 'never_a_token' in who)
    return carriesToken || caller.turn === 'agent'
      ? new Refusal(403, 'session_only', who.never_a_token)
      : null;
  if (kind === 'none' && !('open' in op.needs)) return new Refusal(401, 'unauthorized', UNAUTHORIZED);
  if (who === 'anyone') return null;
  if ('not_on_an_agent_turn' in who)
    return isAgent(caller) ? new Refusal(403, 'agent_turn', who.not_on_an_agent_turn) : null;
  if ('scripts_scope' in who)
    return lacksScripts(caller) ? new Refusal(403, 'scripts_required', who.scripts_scope) : null;
  if ('people_only' in who) {
    if (isPerson(caller)) return null;
    return new Refusal(403, who.code ?? 'people_only', who.people_only);
  }
  if (kind === 'session' && caller.turn === 'direct') return null;
  if (kind === 'provisioning_key' && who.provisioning_key === 'admitted') return null;
  return new Refusal(403, who.code ?? 'session_only', who.session_only);
}

function refusedByPolicy(op: AnyOperation, caller: Caller): Refusal | null {
  if (!('action' in op.needs) || couldAllow(caller.rights, op.needs.action)) return null;
  return denied(caller, op.needs.action);
}

const refusedByStepUp = (op: AnyOperation, caller: Caller, now: Date): Refusal | null =>
  op.step_up === 'no' ? null : withoutStepUp(caller, now);

/** For an act that only now and then gives away what a step-up opens. */
export function withoutStepUp(caller: Caller, now: Date): Refusal | null {
  if (caller.credential.kind !== 'session') return null;
  const since = caller.credential.stepped_up_at;
  // One that lies ahead was said before the clock was set back: it would stay open for as long again.
  const isFresh = since && after(since, STEP_UP_MS) > now && since <= after(now, CLOCKS_MS);
  return isFresh ? null : new Refusal(403, 'step_up_required', STEP_UP);
}

/** As with wire: a token needs the scope, which the provisioning key never has, and a person in a session does not. */
function lacksScripts(caller: Caller): boolean {
  if (caller.credential.kind === 'token') return !caller.credential.scopes.scripts;
  return caller.credential.kind !== 'session';
}

/** A token needs the scope; a person in a session does not. The provisioning key never has it (specification §5). */
export function lacksWire(caller: Caller): boolean {
  if (caller.credential.kind === 'token') return !caller.credential.scopes.wire;
  return caller.credential.kind !== 'session';
}

/**
 * Whether what this caller does free of gates may represent what needs wire, as an edit that no one has to read: only where
 * they could do the wire act itself in this very turn. A script that runs in a session could not.
 */
export const actsWithWire = (caller: Caller): boolean =>
  !lacksWire(caller) && !(caller.credential.kind === 'session' && caller.turn === 'agent');

/**
 * Whether an edit by this caller may be in letters of any campaign as if its review had been set for it: a person, a company, a
 * sender. What only wire act 6 could do of every campaign.
 */
export const maySetEveryReview = (caller: Caller): boolean =>
  actsWithWire(caller) && allowsAll(caller.rights, 'outreach.campaign.review', 'outreach:campaign/');

/** For a function of a wire act that more than its one operation could come to: the refusal of a caller without the scope. */
export const withoutWire = (caller: Caller): Refusal | null =>
  lacksWire(caller) ? new Refusal(403, 'wire_required', WIRE_REQUIRED) : null;

function refusedByWire(op: AnyOperation, caller: Caller): Refusal | null {
  if (op.wire === 'never' || op.wire.when || !lacksWire(caller)) return null;
  return new Refusal(403, 'wire_required', WIRE_REQUIRED);
}

/** What only the parsed arguments show: the policy on the named thing, and wire where it depends on them. */
export function refusedOnArguments(
  op: AnyOperation,
  caller: Caller,
  args: Record<string, unknown>,
): Refusal | null {
  if ('action' in op.needs && typeof op.needs.on === 'function') {
    const names = op.needs.on(args);
    const { allowed, by } = decide(caller.rights, op.needs.action, names);
    if (by === 'propose') return personSigns();
    if (!allowed) return denied(caller, op.needs.action, names[0]);
  }
  if (op.wire !== 'never' && op.wire.when?.(args) && lacksWire(caller))
    return new Refusal(403, 'wire_required', WIRE_REQUIRED);
  return null;
}
