// All SQL of the pass that takes people from step to step: claim under a lease, look again, give back, and campaigns in which
// no one can move any more.
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import type { Lease } from '../../../../kernel/pass.ts';
import { principalIn, type PrincipalColumns } from '../../../../kernel/principal-row.ts';
import type { Principal } from '../../../../kernel/caller.ts';
import type { Stage } from '../spine/spine.rules.ts';

export type DueProspect = { id: string; campaign_id: string; lease: string };

/**
 * Due people of active campaigns, one look into the index for each campaign: those of a paused one cost nothing, however many
 * they are. An array, as in every claim: a limit's worth alone is locked and written.
 */
export const claimSteps = (tx: Transaction, lease: Lease, count: number): Promise<DueProspect[]> =>
  tx<DueProspect[]>`
    update prospects p set lease = ${lease.id}, lease_until = ${lease.until}
    where p.id = any (array(
      select d.id from campaigns c cross join lateral (
        select q.id, q.next_at from prospects q
        where q.campaign_id = c.id and q.next_at is not null and q.next_at <= ${lease.from}
          and (q.hold_by is null or q.hold_until is not null)
          and (q.hold_until is null or q.hold_until <= ${lease.from})
          and (q.lease_until is null or q.lease_until <= ${lease.from})
        order by q.next_at, q.id limit ${count} for no key update skip locked) d
      where c.state = 'active' order by d.next_at, d.id limit ${count}))
    returning p.id, p.campaign_id, p.lease`;

export async function giveBackSteps(
  tx: Transaction,
  lease: Lease,
  claimed: readonly DueProspect[],
): Promise<void> {
  await tx`
    update prospects set lease = null, lease_until = null
    where id = any(${claimed.map(({ id }) => id)}::uuid[]) and lease = ${lease.id}`;
}

export type StepPlace = {
  id: string;
  campaign_id: string;
  campaign_name: string;
  person_id: string;
  stage: Stage;
  step_id: string | null;
  due_at: Date | null;
  next_at: Date;
  item_id: string | null;
  activated_at: Date;
  first_delay_hours: number;
};

/** Where a claimed person exists, locked; null where the lease is someone else's by now, or there is nothing to do. */
export async function lockPlace(
  tx: Transaction,
  { id, lease }: DueProspect,
  now: Date,
): Promise<StepPlace | null> {
  // Whoever makes the campaign's review stricter sees what is drafted by the looser policy, or it is drafted by the new one.
  await tx`
    select from campaigns where id = (select campaign_id from prospects where id = ${id}) for share`;
  const held = await tx`
    select from prospects where id = ${id} and lease = ${lease} and next_at <= ${now} and ended is null
      and (hold_by is null or hold_until <= ${now}) for no key update`;
  return held.length === 0 ? null : await placeOf(tx, id);
}

export async function placeOf(db: Reader, id: string): Promise<StepPlace | null> {
  const [row] = await db<StepPlace[]>`
    select p.id, p.campaign_id, c.name as campaign_name, p.person_id, p.stage, p.step_id, p.due_at, p.next_at, p.item_id,
      c.activated_at, c.first_delay_hours
    from prospects p join campaigns c on c.id = p.campaign_id
    where p.id = ${id} and p.person_id is not null and p.next_at is not null and c.state = 'active'`;
  return row ?? null;
}

/** Looked at again then; null: whatever they wait for takes them on. */
export async function lookAgainAt(tx: Transaction, id: string, at: Date | null): Promise<void> {
  await tx`update prospects set next_at = ${at}, lease = null, lease_until = null where id = ${id} and ended is null`;
}

export async function waitForItem(
  tx: Transaction,
  id: string,
  item_id: string,
  look_at: Date,
): Promise<void> {
  await tx`
    update prospects set item_id = ${item_id}, next_at = ${look_at}, lease = null, lease_until = null
    where id = ${id} and ended is null`;
}

/** Null where it was deleted. */
export async function statusOfItem(db: Reader, item_id: string): Promise<string | null> {
  const [row] = await db<{ status: string }[]>`select status from work_items where id = ${item_id}`;
  return row?.status ?? null;
}

export type ActivatedBy = { by: Principal; token: string | null };

export async function activatedBy(db: Reader, campaign_id: string): Promise<ActivatedBy | null> {
  const [row] = await db<(PrincipalColumns<'activated_by'> & { activated_token: string | null })[]>`
    select activated_by_kind, activated_by_id, activated_by_name, activated_by_on_behalf_of, activated_token
    from campaigns where id = ${campaign_id}`;
  const by = row && principalIn(row, 'activated_by');
  return by ? { by, token: row.activated_token } : null;
}

export async function projectOfUser(db: Reader, user_id: string): Promise<string | null> {
  const [row] = await db<{ default_project: string | null }[]>`
    select default_project from users where id = ${user_id}`;
  return row?.default_project ?? null;
}

/**
 * Active campaigns with people, no one of whom can move: no step is left to be looked at, and no letter is under way. A letter
 * that a suppression holds moves no one, unless someone lifts it; every other held one may still go.
 */
export async function campaignsAtTheEnd(
  db: Reader,
  now: Date,
  only: string | null,
  count: number,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select c.id from campaigns c
    where c.state = 'active' ${only === null ? db`` : db`and c.id = ${only}`}
      and exists (select from prospects p where p.campaign_id = c.id)
      and not exists (select from prospects p where p.campaign_id = c.id and p.next_at is not null)
      and not exists (select from sends l where l.campaign_id = c.id and l.kind = 'sequence'
        and (l.state in ('drafted', 'review', 'scheduled', 'sending', 'uncertain')
          or (l.state = 'held' and l.hold_reason <> 'suppressed')))
      and c.activated_at < ${now}
    order by c.id limit ${count}`;
  return rows.map(({ id }) => id);
}

/** Asked again once the campaign is held: whoever enrols people holds it too. */
export async function isAtTheEnd(tx: Transaction, id: string, now: Date): Promise<boolean> {
  await tx`select from campaigns where id = ${id} for no key update`;
  return (await campaignsAtTheEnd(tx, now, id, 1)).length > 0;
}
