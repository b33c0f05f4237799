// Decides what happens to an act that a built-in agent wants: performed, proposed to a person, or refused. Pure: the kernel’s
// gates, evaluated for the person or token behind the turn.
import { type Caller, isPerson } from '../../../../kernel/caller.ts';
import { refusedBeforeReading, refusedOnArguments } from '../../../../kernel/gates.ts';
import type { AnyOperation } from '../../../../kernel/operation.ts';
import { conflict, Refusal } from '../../../../kernel/refusal.ts';
import { isProposed, mayBeAllowed } from '../../agents/proposed.rules.ts';

export type Ruling = { ruled: 'do' } | { ruled: 'propose' } | { ruled: 'refuse'; refusal: Refusal };

const refuse = (refusal: Refusal): Ruling => ({ ruled: 'refuse', refusal });

export const NO_TURN_IN_A_TURN = 'an agent’s turn can’t start another turn: say what you need in this one';

/** In a chat the act itself is called, and becomes a proposal. */
const isProposing = ({ path, effect }: AnyOperation): boolean =>
  effect !== 'read' && /^\/api\/proposals(\/|$)/.test(path);

const CALL_IT = conflict('in a chat, call the act itself: what needs a person becomes a proposal');

/** Operations that talk to an agent or end its turn. */
const isChat = ({ path }: AnyOperation): boolean => /^\/api\/chat(\/|$)/.test(path);

const decides = ({ who }: AnyOperation): boolean =>
  who !== 'anyone' && 'people_only' in who && who.code === 'agent_turn';

const judgedFor = (operation: AnyOperation, driver: Caller): Caller =>
  isPerson(driver) && !decides(operation) ? driver : { ...driver, turn: 'agent', surface: 'chat' };

/** What can be said before the arguments are read, or null. */
export function refusedEarly(operation: AnyOperation, driver: Caller, now: Date): Refusal | null {
  if (isChat(operation)) return conflict(NO_TURN_IN_A_TURN);
  if (isProposing(operation)) return CALL_IT;
  if (!('json' in operation.answers)) return new Refusal(400, 'invalid', operation.answers.instead);
  return refusedBeforeReading(operation, judgedFor(operation, driver), now);
}

/**
 * Acts on the wire are proposed in every chat, a person's too; so is what only a person may do, where a person drives the
 * turn, and what deletes, activates, cannot be undone or changes who may do what, unless it is among `allowed`. Decisions are proposed by no one: an agent does not decide approvals, and does not ask for one to be decided.
 * A token without wire hears what it hears everywhere (interface specification §5; domain.md §1.11).
 */
export function rulingOn(
  operation: AnyOperation,
  args: Record<string, unknown>,
  driver: Caller,
  allowed: readonly string[],
  now: Date,
): Ruling {
  const refusal =
    refusedEarly(operation, driver, now) ?? refusedOnArguments(operation, judgedFor(operation, driver), args);
  if (refusal) return refuse(refusal);
  const { who, wire } = operation;
  const onTheWire = wire !== 'never' && (!wire.when || wire.when(args));
  // A token's scope was given by a person; in a person's chat the script itself is what they approve. No allowance reaches
  // what is on the wire or for people only.
  const free = who === 'anyone' || ('scripts_scope' in who && !isPerson(driver));
  const unasked = !isProposed(operation) || (mayBeAllowed(operation) && allowed.includes(operation.name));
  if (free && !onTheWire && unasked) return { ruled: 'do' };
  if (who !== 'anyone' && ('session_only' in who || 'never_a_token' in who))
    return refuse(
      new Refusal(403, 'session_only', 'session_only' in who ? who.session_only : who.never_a_token),
    );
  return { ruled: 'propose' };
}

/** Acts that one turn proposes: a person reads each of them. */
export const MOST_PROPOSALS = 10;

export const tooManyProposals = conflict(
  `this turn has reached its limit of ${MOST_PROPOSALS} proposals: let a person decide those first, then propose more in another turn`,
);
