// Which address the letters of a prospect go to, as someone chose it who may enrol: the one they were enrolled with, until
// such a caller gives them another or approves a letter to it. Gate 8 compares every letter with it.
import type { Caller } from '../../../../kernel/caller.ts';
import { actsWithWire } from '../../../../kernel/gates.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { decide } from '../../../../kernel/policy.ts';
import { campaignName } from '../../campaigns/rules.ts';

/** What a caller must be allowed for the campaign to say whom its letters go to: what enrolling itself asks for. */
const mayEnrol = (caller: Caller, campaign_id: string): boolean =>
  actsWithWire(caller) &&
  decide(caller.rights, 'outreach.prospect.enrol', [campaignName(campaign_id)]).allowed;

/** A prospect, and the address that its letters go to from now on. */
type Place = { id: string; campaign_id: string; to_hash: string };

/** This caller gave someone another first address: letters of the campaigns that they may enrol into go there from now on. */
export async function addressGiven(
  tx: Transaction,
  caller: Caller,
  person_id: string,
  now: Date,
): Promise<void> {
  if (!actsWithWire(caller)) return;
  const places = await tx<Place[]>`
    select p.id, p.campaign_id, a.hash as to_hash
    from prospects p join person_addresses a on a.person_id = p.person_id and a.is_primary
    where p.person_id = ${person_id} and p.ended is null order by p.id for no key update of p`;
  await choose(tx, caller, places, now);
}

/**
 * Of letters that are about to be approved, the places whose address is another by now and still the person's first, each with
 * the address of its letter: what the person's first becomes until the approval is done, no one approved. Locked, because
 * prospects come before letters.
 */
export const lockReaddressed = (tx: Transaction, send_ids: readonly string[]): Promise<Place[]> =>
  tx<Place[]>`
    select p.id, p.campaign_id, a.hash as to_hash
    from prospects p join person_addresses a on a.person_id = p.person_id and a.is_primary
    where p.ended is null and p.to_hash <> a.hash and p.id in (
      select s.prospect_id from sends s where s.id = any(${[...send_ids]}::uuid[]) and s.to_hash = a.hash)
    order by p.id for no key update of p`;

/** This caller approved those letters as they were read: their addresses are right for the letters after them too. */
export const addressApproved = (
  tx: Transaction,
  caller: Caller,
  places: readonly Place[],
  now: Date,
): Promise<void> => choose(tx, caller, places, now);

async function choose(tx: Transaction, caller: Caller, places: readonly Place[], now: Date): Promise<void> {
  const theirs = places.filter(({ campaign_id }) => mayEnrol(caller, campaign_id));
  if (theirs.length === 0) return;
  await tx`
    update prospects p set to_hash = w.to_hash, updated_at = ${now}
    from unnest(${theirs.map(({ id }) => id)}::uuid[], ${theirs.map(({ to_hash }) => to_hash)}::text[]) w (id, to_hash)
    where p.id = w.id`;
}
