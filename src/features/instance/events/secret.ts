// The signing secret between the database, where it is sealed, and the pass, which signs with it.
import type { App } from '../../../kernel/app.ts';
import { Secret } from '../../../kernel/secret.ts';

const CONTEXT = 'events_webhook.secret';

export const sealSecret = (app: App, secret: Secret): string => app.sealer.seal(secret.reveal(), CONTEXT);

/** Null where there is none, or where it was sealed under another key than this instance has: nothing is signed then. */
export function openSecret(app: App, sealed: string | null): Secret | null {
  if (sealed === null) return null;
  try {
    return new Secret(app.sealer.open(sealed, CONTEXT));
  } catch {
    app.log.error(
      'the signing secret of events does not open under this key: rotate it, or give back the old SERVICE_MASTER_KEY',
    );
    return null;
  }
}
