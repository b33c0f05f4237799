// Explains in words what policies decide, and what else would still refuse the act. Pure: it uses the same `decide` as a
// request.

import { type AnyOperation, needsAction } from '../../../kernel/operation.ts';
import { type Decision, type Rights, decide, onBoard } from '../../../kernel/policy.ts';

/** Who is asked about. `dead` says why every request of theirs is refused already, where it is. */
export type Subject = {
  name: string;
  rights: Rights;
  kind: 'session' | 'token';
  wire: boolean;
  scripts: boolean;
  dead: string | null;
};

export type Explanation = Decision & { sentence: string };

export function explain(
  subject: Subject,
  action: string,
  resource: string,
  operations: AnyOperation[],
): Explanation {
  const decision = onBoard(subject.rights, projectOf(resource))
    ? decide(subject.rights, action, [resource])
    : OFF_BOARD;
  const on = resource === '*' ? 'everything' : resource;
  const parts = [
    verdict(decision, `${action} on ${on}`, resource, subject),
    ...besides(subject, action, operations),
  ];
  return {
    ...decision,
    allowed: decision.allowed && subject.dead === null,
    sentence: `"${subject.name}" ${parts.join('; ')}`,
  };
}

const OFF_BOARD: Decision = { allowed: false, by: 'default', policy: null, statement: null };

/** The key of the one project a resource names, or null. */
const projectOf = (resource: string): string | null => /^work:project\/([^*]+)$/.exec(resource)?.[1] ?? null;

function verdict(decision: Decision, what: string, resource: string, { rights }: Subject): string {
  if (decision.by === 'admin') return `is an administrator and can do ${what}`;
  if (decision.by === 'allow') return `can do ${what}: the policy "${decision.policy}" allows it`;
  if (decision.by === 'propose')
    return `can propose ${what} for a person to sign: the policy "${decision.policy}" says so`;
  if (decision.by === 'deny') return `can’t do ${what}: the policy "${decision.policy}" denies it`;
  return onBoard(rights, projectOf(resource))
    ? `can’t do ${what}: no policy allows it`
    : `can’t do ${what}: that project isn’t on the board`;
}

function besides(
  { kind, wire, scripts, dead }: Subject,
  action: string,
  operations: AnyOperation[],
): string[] {
  const found: string[] = [];
  if (dead !== null) found.push(dead);
  const doing = operations.filter((op) => needsAction(op) === action);
  const all = (holds: (op: AnyOperation) => boolean): boolean => doing.length > 0 && doing.every(holds);
  if (kind === 'token' && all((op) => op.who !== 'anyone' && 'session_only' in op.who))
    found.push('every token is refused there, regardless of its policies');
  if (all((op) => op.who !== 'anyone' && 'people_only' in op.who))
    found.push('only a person can do it, never an agent');
  if (kind === 'token' && !wire && all((op) => op.wire !== 'never' && !op.wire.when))
    found.push('it needs the wire scope, which this token lacks');
  if (kind === 'token' && !scripts && all((op) => op.who !== 'anyone' && 'scripts_scope' in op.who))
    found.push('it needs the scripts scope, which this token lacks');
  return found;
}
