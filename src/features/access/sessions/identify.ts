// Finds the person behind a session cookie, in one query; see features/access/tokens/identify.ts.
import type { Caller } from '../../../kernel/caller.ts';
import { MINUTE_MS } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database.ts';
import type { CallSource } from '../../../kernel/app.ts';
import { rightsOf } from '../policies/rights.ts';
import { hasSecretShape, hashOfSecret } from './secret.ts';
import { sessionByHash, touchSession } from './store.ts';

export async function identifySession(
  database: Pick<Database, 'reader' | 'transact'>,
  secret: string,
  source: CallSource,
  now: Date,
): Promise<Caller | null> {
  if (!hasSecretShape(secret)) return null;
  const session = await sessionByHash(database.reader, hashOfSecret(secret), now);
  if (!session || session.user.state !== 'active') return null;
  if (now.getTime() - session.last_seen_at.getTime() >= MINUTE_MS)
    // It slides the idle end on; no one waits for it.
    void database.transact((tx) => touchSession(tx, session.id, now)).catch(() => undefined);
  const { user } = session;
  return {
    principal: { kind: 'person', id: user.id, name: user.name },
    ...source,
    credential: { kind: 'session', id: session.id, stepped_up_at: session.stepped_up_at },
    user_id: user.id,
    rights: rightsOf(user, session.carried),
  };
}
