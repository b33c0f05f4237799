// Who the letters of a batch are from: the identities with their outgoing mail settings, and what the sender learned of those connections.
import type { App } from '../../../../kernel/app.ts';
import type { Reader } from '../../../../kernel/database.ts';
import { sendingIdentity, type SendingIdentity as Identity } from '../../identities/ways/sending.store.ts';

export type Backoff = {
  /** How often in a row the mail server could not be reached, and until when it is not called. */
  failures: number;
  down_until: Date | null;
  /** Letters whose connection broke off midway at their first attempt, in a row. */
  breaks: number;
};

export type SendingIdentity = Identity & { backoff: Backoff };

const FRESH: Backoff = { failures: 0, down_until: null, breaks: 0 };

type BackoffRow = Backoff & { identity_id: string };

/** What was learned at other revisions of the identity or its domain counts no more. */
export async function sendingIdentities(
  db: Reader,
  sealer: App['sealer'],
  ids: readonly string[],
): Promise<Map<string, SendingIdentity>> {
  const each = [...new Set(ids)];
  const [identities, slots] = await Promise.all([
    Promise.all(each.map((id) => sendingIdentity(db, sealer, id))),
    db<BackoffRow[]>`
      select l.identity_id, l.failures, l.down_until, l.breaks
      from sender_lanes l join identities i on i.id = l.identity_id join domains d on d.id = i.domain_id
      where l.identity_id = any(${each}::uuid[])
        and l.identity_revision = i.revision and l.domain_revision = d.revision`,
  ]);
  const known = new Map(slots.map(({ identity_id, ...backoff }) => [identity_id, backoff]));
  return new Map(
    identities.flatMap((identity) =>
      identity ? [[identity.id, { ...identity, backoff: known.get(identity.id) ?? FRESH }]] : [],
    ),
  );
}
