// Secrets of identities and domains between the database, where they are sealed to their row and column, and the few places
// that use them. Written, never read back by anyone.
import type { Sealer } from '../../../../kernel/app.ts';
import { Secret } from '../../../../kernel/secret.ts';

type Column = 'identities.transport_secret' | 'identities.inbound_secret' | 'domains.dkim_private';

const context = (column: Column, id: string): string => `${column} ${id}`;

export const sealed = (sealer: Sealer, column: Column, id: string, secret: Secret): string =>
  sealer.seal(secret.reveal(), context(column, id));

/** Null where there is none, or where it was sealed under another key than this instance has. */
export function opened(sealer: Sealer, column: Column, id: string, value: string | null): Secret | null {
  if (value === null) return null;
  try {
    return new Secret(sealer.open(value, context(column, id)));
  } catch {
    return null;
  }
}
