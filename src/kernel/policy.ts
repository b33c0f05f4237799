// Policies: deny by default; an explicit deny wins, then propose, then allow (domain.md §1.13). Pure: rights in, decision out.
import { z } from 'zod';
import { named } from './names.ts';
import { Refusal } from './refusal.ts';

/** `propose`: the act is refused, and may be proposed to a person, who signs it with their own rights. */
export const POLICY_EFFECTS = ['allow', 'propose', 'deny'] as const;

export const statementSchema = z.strictObject({
  effect: z.enum(POLICY_EFFECTS),
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
  /** The action that is being prepared for a person to sign: what policies let be proposed counts as allowed for it alone. */
  proposing?: string;
  /** Keys of the projects on this caller's board; null is all of them. It narrows what policies allow, never widens it. */
  projects: string[] | null;
};

export type Decision = {
  allowed: boolean;
  /** What made the decision: an administrator's right, the statement, or that no statement speaks of it. */
  by: 'admin' | 'allow' | 'propose' | 'deny' | 'default';
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
 * a deny on any of its names wins, then a propose on any, then an allow on any, then deny.
 */
export function decide(rights: Rights, action: string, names: string[]): Decision {
  if (rights.admin) return { allowed: true, by: 'admin', policy: null, statement: null };
  const found = (effect: Statement['effect']): Decision | null => {
    for (const policy of rights.policies)
      for (const statement of policy.statements)
        if (
          effectOf(rights, statement, action) === effect &&
          statement.actions.some((pattern) => actionMatches(pattern, action)) &&
          statement.resources.some((pattern) => names.some((name) => resourceMatches(pattern, name)))
        )
          return { allowed: effect === 'allow', by: effect, policy: policy.name, statement };
    return null;
  };
  return (
    found('deny') ??
    found('propose') ??
    found('allow') ?? { allowed: false, by: 'default', policy: null, statement: null }
  );
}

/** Could any resource at all be allowed this action? Asked before a body is read. */
export function couldAllow(rights: Rights, action: string): boolean {
  if (rights.admin) return true;
  const speaks = (effect: Statement['effect'], everything: boolean): boolean =>
    rights.policies.some((policy) =>
      policy.statements.some(
        (s) =>
          effectOf(rights, s, action) === effect &&
          s.actions.some((pattern) => actionMatches(pattern, action)) &&
          (!everything || s.resources.includes('*')),
      ),
    );
  return speaks('allow', false) && !speaks('deny', true) && !speaks('propose', true);
}

/** What a statement comes to for this action. */
export const effectOf = ({ proposing }: Rights, { effect }: Statement, action: string): Statement['effect'] =>
  effect === 'propose' && proposing === action ? 'allow' : effect;

/** Is the action allowed on every resource of this kind, whatever its id? `kind` is how their names begin. */
export function allowsAll(rights: Rights, action: string, kind: string): boolean {
  if (rights.admin) return true;
  const about = rights.policies.flatMap(({ statements }) =>
    statements.filter(({ actions }) => actions.some((pattern) => actionMatches(pattern, action))),
  );
  const everything = ({ resources }: Statement): boolean =>
    resources.some((pattern) => pattern.endsWith('*') && kind.startsWith(pattern.slice(0, -1)));
  return about.every((each) => effectOf(rights, each, action) === 'allow') && about.some(everything);
}

/** Throws the 403 that names the caller, the action and the thing. `names[0]` is the name the sentence uses. */
export function demand(rights: Rights, who: string, action: string, names: string[]): void {
  const { allowed, by } = decide(rights, action, names);
  if (!allowed) throw by === 'propose' ? personSigns() : deniedTo(rights, who, action, names[0]);
}

export const personSigns = (): Refusal => new Refusal(403, 'policy_denied', PERSON_SIGNS);
const PERSON_SIGNS = 'a person signs this: use propose';

/** The refusal of an action, on the thing of this name where one is named; where it may be proposed, it says so. */
export function deniedTo(rights: Rights, who: string, action: string, name?: string): Refusal {
  const prepared = { ...rights, proposing: action };
  const proposable =
    name === undefined ? couldAllow(prepared, action) : decide(prepared, action, [name]).allowed;
  if (proposable && proposes(rights, action)) return personSigns();
  const on = name ? ` on ${name}` : '';
  return new Refusal(
    403,
    'policy_denied',
    `no policy lets "${who}" do ${action}${on}: an administrator can attach one in Settings → Access & Security`,
  );
}

const proposes = ({ policies }: Rights, action: string): boolean =>
  policies.some(({ statements }) =>
    statements.some(
      ({ effect, actions }) =>
        effect === 'propose' && actions.some((pattern) => actionMatches(pattern, action)),
    ),
  );

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
  const { allowed, by } = decide(rights, action, thing.names);
  if (onBoard(rights, thing.project) && allowed) return;
  if (!sees(rights, thing)) throw absent();
  throw by === 'propose' ? personSigns() : deniedTo(rights, who, action, thing.names[0]);
}
