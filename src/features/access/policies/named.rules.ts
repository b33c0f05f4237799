// Which records a caller’s policies name for an action, so that a query can apply what `decide` (kernel/policy.ts) decides for
// one record.
import { actionMatches, effectOf, type Rights } from '../../../kernel/policy.ts';

/** All things of the noun, or those with these ids and those whose ids begin so. */
export type NamedResources = { all: boolean; ids: string[]; begin: string[] };

type Spoken = { allow: Record<string, NamedResources>; deny: Record<string, NamedResources> };

/** `nouns`: as names begin, `crm:person/`. An administrator is asked before. */
export function spokenOf(rights: Rights, action: string, nouns: readonly string[]): Spoken {
  const speak = rights.policies
    .flatMap(({ statements }) => statements)
    .filter(({ actions }) => actions.some((pattern) => actionMatches(pattern, action)));
  // What may only be proposed is not done.
  const by = (effect: 'allow' | 'deny') => {
    const resources = speak
      .filter((each) => (effectOf(rights, each, action) === 'allow') === (effect === 'allow'))
      .flatMap((each) => each.resources);
    return Object.fromEntries(nouns.map((noun) => [noun, namedIn(resources, noun)]));
  };
  return { allow: by('allow'), deny: by('deny') };
}

function namedIn(resources: readonly string[], noun: string): NamedResources {
  const open = resources.filter((each) => each.endsWith('*')).map((each) => each.slice(0, -1));
  const behind = (names: readonly string[]): string[] =>
    names.filter((each) => each.startsWith(noun)).map((each) => each.slice(noun.length));
  return {
    all: open.some((each) => noun.startsWith(each)),
    ids: behind(resources).filter((id) => !id.endsWith('*')),
    begin: behind(open).filter((start) => start !== ''),
  };
}

/**
 * These rights, with everything allowed where no policy of theirs allows the action anywhere; what is denied stays denied. For
 * records of one right that name things of others: an auditor reads the log of things that their policies say nothing of.
 */
export function unlessSaid(rights: Rights, action: string): Rights {
  const isSaid = rights.policies.some(({ statements }) =>
    statements.some(
      ({ effect, actions }) =>
        effect === 'allow' && actions.some((pattern) => actionMatches(pattern, action)),
    ),
  );
  if (isSaid) return rights;
  const statements = [{ effect: 'allow' as const, actions: [action], resources: ['*'] }];
  return { ...rights, policies: [...rights.policies, { name: '', statements }] };
}
