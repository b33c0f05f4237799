// Who the letters of a batch are from: the identities with their ways out, and what the sender learned of those ways.
import type { House } from '../../../../kernel/house.ts';
import type { Reader } from '../../../../kernel/ground.ts';
import { sendingIdentity, type SendingIdentity as Identity } from '../../identities/ways/sending.store.ts';

export type Lane = {
  /** How often in a row the mail server could not be reached, and until when it is not called. */
  failures: number;
  down_until: Date | null;
  /** Letters whose connection broke off midway at their first attempt, in a row. */
  breaks: number;
};

export type SendingIdentity = Identity & { lane: Lane };

const FRESH: Lane = { failures: 0, down_until: null, breaks: 0 };

type LaneRow = Lane & { identity_id: string };

/** What was learned at other revisions of the identity or its domain counts no more. */
export async function sendingIdentities(
  db: Reader,
  sealer: House['sealer'],
  ids: readonly string[],
): Promise<Map<string, SendingIdentity>> {
  const each = [...new Set(ids)];
  const [identities, lanes] = await Promise.all([
    Promise.all(each.map((id) => sendingIdentity(db, sealer, id))),
    db<LaneRow[]>`
      select l.identity_id, l.failures, l.down_until, l.breaks
      from sender_lanes l join identities i on i.id = l.identity_id join domains d on d.id = i.domain_id
      where l.identity_id = any(${each}::uuid[])
        and l.identity_revision = i.revision and l.domain_revision = d.revision`,
  ]);
  const known = new Map(lanes.map(({ identity_id, ...lane }) => [identity_id, lane]));
  return new Map(
    identities.flatMap((identity) =>
      identity ? [[identity.id, { ...identity, lane: known.get(identity.id) ?? FRESH }]] : [],
    ),
  );
}
