// Loads the user or token that an explanation is about, with the rights of their next request.
import type { Reader } from '../../../kernel/database.ts';
import { tokenById } from '../tokens/store.ts';
import { userStanding } from '../users/store.ts';
import type { Subject } from './explain.ts';
import { rightsOf } from './rights.ts';

export async function subjectOf(
  db: Reader,
  { kind, id }: { kind: 'user' | 'token'; id: string },
  now: Date,
): Promise<Subject | null> {
  if (kind === 'user') {
    const user = await userStanding(db, id);
    return (
      user && {
        name: user.name,
        rights: rightsOf(user, user.carried),
        kind: 'session',
        wire: true,
        scripts: true,
        dead: deadUser(user.state),
      }
    );
  }
  const token = await tokenById(db, id);
  if (!token) return null;
  const expired = token.expires_at !== null && token.expires_at <= now;
  const dead = expired
    ? 'the token has expired, so every request of it is refused'
    : deadUser(token.user?.state ?? 'active');
  return {
    name: token.name,
    rights: rightsOf(token.user, token.carried),
    kind: 'token',
    wire: token.wire,
    scripts: token.scripts,
    dead,
  };
}

function deadUser(state: string): string | null {
  return state === 'active' ? null : `the user is ${state}, so every request is refused`;
}
