// Policies: default deny, explicit deny first (domain.md §1.13). Pure: rights come in as a value, a decision goes out.
import { z } from 'zod';
import { named } from './names.ts';
import { Refusal } from './refusal.ts';

const effects = ['allow', 'deny'] as const;

export const statementSchema = z.strictObject({
  effect: z.enum(effects),
  actions: z.array(z.string().min(1).max(100)).min(1).max(50),
  resources: z.array(z.string().min(1).max(200)).min(1).max(50),
});
named('PolicyStatement', statementSchema);

export type Statement = z.infer<typeof statementSchema>;
export type Policy = { name: string; statements: Statement[] };

export type Rights = {
  /** Every action on every resource, save what is for people or sessions only, and wire without its scope. */
  admin: boolean;
  policies: Policy[];
  /** Keys of the projects on this caller's board; null is all of them. It narrows what policies allow, never widens it. */
  projects: string[] | null;
};

export type Decision = {
  allowed: boolean;
  /** What made the decision: an administrator's right, the statement, or that no statement speaks of it. */
  by: 'admin' | 'allow' | 'deny' | 'default';
  policy: string | null;
  statement: Statement | null;
};

/** `*` matches one dot-part; a trailing `.*` (or a lone `*`) the rest. */
export function actionMatches(pattern: string, action: string): boolean {
  if (pattern === '*') return true;
  const wanted = pattern.split('.');
  const parts = action.split('.');
  const open = wanted.at(-1) === '*';
  if (open ? parts.length < wanted.length : parts.length !== wanted.length) return false;
  return wanted.every((part, i) => part === '*' || part === parts[i]);
}

/** `*` is every resource, a trailing `*` every one that starts so (`work:project/*`), anything else itself. */
export function resourceMatches(pattern: string, resource: string): boolean {
  return pattern.endsWith('*') ? resource.startsWith(pattern.slice(0, -1)) : pattern === resource;
}

/**
 * Decides one action on one thing, which may have several names (an item is `work:item/<id>` and in `work:project/OUT`):
 * a deny on any of its names wins, then an allow on any, then deny.
 */
export function decide(rights: Rights, action: string, names: string[]): Decision {
  if (rights.admin) return { allowed: true, by: 'admin', policy: null, statement: null };
  const found = (effect: Statement['effect']): Decision | null => {
    for (const policy of rights.policies)
      for (const statement of policy.statements)
        if (
          statement.effect === effect &&
          statement.actions.some((pattern) => actionMatches(pattern, action)) &&
          statement.resources.some((pattern) => names.some((name) => resourceMatches(pattern, name)))
        )
          return { allowed: effect === 'allow', by: effect, policy: policy.name, statement };
    return null;
  };
  return found('deny') ?? found('allow') ?? { allowed: false, by: 'default', policy: null, statement: null };
}

/** Could any resource at all be allowed this action? Asked before a body is read. */
export function couldAllow(rights: Rights, action: string): boolean {
  if (rights.admin) return true;
  const speaks = (effect: Statement['effect'], everything: boolean): boolean =>
    rights.policies.some((policy) =>
      policy.statements.some(
        (s) =>
          s.effect === effect &&
          s.actions.some((pattern) => actionMatches(pattern, action)) &&
          (!everything || s.resources.includes('*')),
      ),
    );
  return speaks('allow', false) && !speaks('deny', true);
}

/** Is the action allowed on every resource of this kind, whatever its id? `kind` is how their names begin. */
export function allowsAll(rights: Rights, action: string, kind: string): boolean {
  if (rights.admin) return true;
  const about = rights.policies.flatMap(({ statements }) =>
    statements.filter(({ actions }) => actions.some((pattern) => actionMatches(pattern, action))),
  );
  const everything = ({ resources }: Statement): boolean =>
    resources.some((pattern) => pattern.endsWith('*') && kind.startsWith(pattern.slice(0, -1)));
  return about.every(({ effect }) => effect === 'allow') && about.some(everything);
}

/** Throws the 403 that names the caller, the action and the thing. `names[0]` is the name the sentence uses. */
export function demand(rights: Rights, who: string, action: string, names: string[]): void {
  if (!decide(rights, action, names).allowed) throw denied(who, action, names[0]);
}

export function denied(who: string, action: string, name?: string): Refusal {
  const on = name ? ` on ${name}` : '';
  return new Refusal(
    403,
    'policy_denied',
    `no policy lets "${who}" do ${action}${on}: an administrator can attach one in Settings → Access & Security`,
  );
}

export const projectName = (key: string): string => `work:project/${key}`;

/** A project that is not on the caller's board is not there at all; what is of no project is on every board. */
export function onBoard(rights: Rights, key: string | null): boolean {
  return key === null || rights.projects === null || rights.projects.includes(key);
}

/** Of these projects, those whose things a list may show: those that policies allow and the board has. */
export function allowedProjects<P extends { key: string }>(
  rights: Rights,
  action: string,
  projects: P[],
): P[] {
  return projects.filter(
    ({ key }) => onBoard(rights, key) && decide(rights, action, [projectName(key)]).allowed,
  );
}

/** A project (its key), or a thing of one, or of none, with all its names. */
type Thing = { project: string | null; names: string[] };

const READS = ['work.project.read', 'work.item.read', 'work.comment.read', 'approval.read'];

/** May they read anything of it? Whoever may not is not told that it exists. */
export function sees(rights: Rights, { project, names }: Thing): boolean {
  return onBoard(rights, project) && READS.some((action) => decide(rights, action, names).allowed);
}

/** As `demand`, save that what the caller does not see is absent: a 403 would tell that it is there, and its name. */
export function demandSeen(
  rights: Rights,
  who: string,
  action: string,
  thing: Thing,
  absent: () => Refusal,
): void {
  if (onBoard(rights, thing.project) && decide(rights, action, thing.names).allowed) return;
  throw sees(rights, thing) ? denied(who, action, thing.names[0]) : absent();
}
