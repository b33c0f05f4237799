// The intersection of two people’s permissions: only what both may do. Pure.
import type { Policy, Rights, Statement } from '../../../../kernel/policy.ts';

export function bothOf(a: Rights, b: Rights): Rights {
  if (a.admin) return b;
  if (b.admin) return a;
  return {
    admin: false,
    policies: [...denials(a), ...denials(b), shared(a, b)],
    projects: sharedProjects(a, b),
  };
}

/** What either of them is denied both are. */
const denials = ({ policies }: Rights): Policy[] =>
  policies.map(({ name, statements }) => ({
    name,
    statements: statements.filter(({ effect }) => effect !== 'allow'),
  }));

function shared(a: Rights, b: Rights): Policy {
  const statements = allowing(a).flatMap((one) =>
    allowing(b).flatMap((other): Statement[] => {
      const actions = pairs(one.actions, other.actions, sharedAction);
      const resources = pairs(one.resources, other.resources, sharedResource);
      return actions.length > 0 && resources.length > 0 ? [{ effect: 'allow', actions, resources }] : [];
    }),
  );
  return { name: 'what both may do', statements };
}

const allowing = ({ policies }: Rights): Statement[] =>
  policies.flatMap(({ statements }) => statements.filter(({ effect }) => effect === 'allow'));

function pairs(some: string[], others: string[], of: (a: string, b: string) => string | null): string[] {
  const found = some.flatMap((one) => others.map((other) => of(one, other)));
  return [...new Set(found.filter((each) => each !== null))];
}

/** The pattern of the actions that both patterns match, or null: see `actionMatches`. */
export function sharedAction(a: string, b: string): string | null {
  if (a === '*') return b;
  if (b === '*') return a;
  const [one, other] = [a.split('.'), b.split('.')];
  const [oneOpen, otherOpen] = [one.at(-1) === '*', other.at(-1) === '*'];
  // A trailing `*` represents one part and any after it.
  if (!oneOpen && !otherOpen && one.length !== other.length) return null;
  if (oneOpen && !otherOpen && other.length < one.length) return null;
  if (otherOpen && !oneOpen && one.length < other.length) return null;
  const length = Math.max(one.length, other.length);
  const parts: string[] = [];
  for (let i = 0; i < length; i += 1) {
    const [left = '*', right = '*'] = [one[i], other[i]];
    if (left !== right && left !== '*' && right !== '*') return null;
    parts.push(left === '*' ? right : left);
  }
  return parts.join('.');
}

export function sharedResource(a: string, b: string): string | null {
  const [one, other] = [a.replace(/\*$/, ''), b.replace(/\*$/, '')];
  const [oneOpen, otherOpen] = [a.endsWith('*'), b.endsWith('*')];
  if (oneOpen && other.startsWith(one)) return b;
  if (otherOpen && one.startsWith(other)) return a;
  return !oneOpen && !otherOpen && a === b ? a : null;
}

function sharedProjects(a: Rights, b: Rights): string[] | null {
  if (a.projects === null) return b.projects;
  const { projects } = b;
  return projects === null ? a.projects : a.projects.filter((key) => projects.includes(key));
}
