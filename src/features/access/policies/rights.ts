// Builds a caller’s Rights from what the database says they have. Pure. Identification and `explain` both use it, so an
// explanation matches the next request.
import type { Policy, Rights, Statement } from '../../../kernel/policy.ts';
import { MEMBER, builtIn } from './built-in.ts';

/** A policy someone carries: its name, and its document where people wrote it (a built-in one has none). */
export type Carried = { name: string; statements: Statement[] | null };

export type RightsStanding = { admin: boolean; board_projects: string[] | null };

/** `user` is null for a service token: it carries its own policies alone, and its board is whatever they allow. */
export function rightsOf(user: RightsStanding | null, carried: Carried[]): Rights {
  const attached = carried.flatMap(documentOf);
  if (!user) return { admin: false, policies: attached, projects: null };
  return {
    admin: user.admin,
    policies: [MEMBER, ...attached],
    projects: user.admin ? null : user.board_projects,
  };
}

function documentOf({ name, statements }: Carried): Policy[] {
  const document = builtIn(name) ?? (statements && { name, statements });
  return document ? [document] : [];
}
