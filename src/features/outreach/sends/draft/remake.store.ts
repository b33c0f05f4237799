// Which senders and campaigns, and whether the instance itself, still have letters to make again after an edit, and how far that is: one row of each, so that an
// edit costs the same whatever waits behind it, and the gates can tell which letters still say what was before.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import type { Lease } from '../../../../kernel/pass.ts';
import {
  knownPrincipalIn,
  principalColumns,
  type PrincipalColumns,
} from '../../../../kernel/principal-row.ts';

export type Of = { of_kind: 'identity' | 'campaign' | 'instance'; of_id: string };

export type Edit = {
  /** Whoever made it could approve letters: a session, or a token with wire. */
  by_wire: boolean;
  by: Principal;
  now: Date;
};

/** Of `sends l`: it does not say yet what its sender and its campaign say, or its links do not lead here. An answer carries words of its own alone. */
export const beingRemade = (db: Reader) => db`
  (l.kind <> 'answer' and exists (select from letters_to_remake m
    where (m.of_id in (l.identity_id, l.campaign_id) or m.of_kind = 'instance') and (m.after is null or l.id > m.after)))`;

/** Its letters that have not left, behind one of them, in their order. */
export async function waitingLetters(
  tx: Transaction,
  { of_kind, of_id }: Of,
  after: string | null,
  count: number,
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from sends
    where ${of_kind === 'instance' ? tx`true` : of_kind === 'identity' ? tx`identity_id = ${of_id}` : tx`campaign_id = ${of_id}`} and kind <> 'answer'
      and state in ('drafted', 'review', 'scheduled', 'held') ${after === null ? tx`` : tx`and id > ${after}`}
    order by id limit ${count}`;
  return rows.map(({ id }) => id);
}

/**
 * Begins with the first letter, of this edit and of whatever was not done of others before. Gives the edit as it counts: as
 * long as letters of one without wire are left, none of them goes on by another's.
 */
export async function beginRemaking(tx: Transaction, { of_kind, of_id }: Of, edit: Edit): Promise<Edit> {
  const row = { of_id, of_kind, by_wire: edit.by_wire, ...principalColumns(tx, 'by', edit.by), at: edit.now };
  const [mark] = await tx<{ by_wire: boolean }[]>`
    insert into letters_to_remake ${tx(row)}
    on conflict (of_id) do update set after = null, by_wire = letters_to_remake.by_wire and excluded.by_wire, by_kind = excluded.by_kind,
      by_id = excluded.by_id, by_name = excluded.by_name, by_on_behalf_of = excluded.by_on_behalf_of, at = excluded.at,
      lease = null, lease_until = null
    returning by_wire`;
  return { ...edit, by_wire: mark?.by_wire ?? false };
}

/** How far it is now; null: no letter is left. It is in no one's hands then. */
export async function keepRemaking(tx: Transaction, of_id: string, after: string | null): Promise<void> {
  if (after === null) await tx`delete from letters_to_remake where of_id = ${of_id}`;
  else
    await tx`update letters_to_remake set after = ${after}, lease = null, lease_until = null where of_id = ${of_id}`;
}

export type Unfinished = Of & { after: string | null };

export const claimUnfinished = (tx: Transaction, lease: Lease, count: number): Promise<Unfinished[]> =>
  tx<Unfinished[]>`
    update letters_to_remake set lease = ${lease.id}, lease_until = ${lease.until}
    where of_id = any (array(
      select of_id from letters_to_remake where lease_until is null or lease_until <= ${lease.from}
      order by at, of_id limit ${count} for update skip locked))
    returning of_kind, of_id, after`;

/** The edit, where this batch still holds it: an edit that came meanwhile began again. Locked. */
export async function stillRemaking(tx: Transaction, lease: Lease, of_id: string): Promise<Edit | null> {
  const [mark] = await tx<(PrincipalColumns<'by'> & { by_wire: boolean; at: Date })[]>`
    select by_wire, by_kind, by_id, by_name, by_on_behalf_of, at from letters_to_remake
    where of_id = ${of_id} and lease = ${lease.id} for update`;
  return mark ? { by_wire: mark.by_wire, by: knownPrincipalIn(mark, 'by'), now: lease.from } : null;
}

export async function giveBackUnfinished(
  tx: Transaction,
  lease: Lease,
  claimed: readonly Unfinished[],
): Promise<void> {
  await tx`update letters_to_remake set lease = null, lease_until = null
           where of_id = any(${claimed.map(({ of_id }) => of_id)}::uuid[]) and lease = ${lease.id}`;
}
