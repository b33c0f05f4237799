// Which domains and campaigns the warden looks at next: each every five minutes, under a lease, so that two processes do not
// look twice.
import { MINUTE_MS, after } from '../../../kernel/clock.ts';
import type { Transaction } from '../../../kernel/database.ts';
import type { Lease } from '../../../kernel/pass.ts';
import type { CampaignMetrics, Limits } from './warden.rules.ts';

export type Look = { kind: 'domain' | 'campaign'; subject_id: string };

/** domain.md §1.6. */
const LOOK_EVERY_MS = 5 * MINUTE_MS;

export async function claimLooks(tx: Transaction, lease: Lease, count: number): Promise<Look[]> {
  await tx`
    insert into warden_looks (kind, subject_id)
    select 'domain', d.id from domains d where d.state <> 'retired'
      and not exists (select from warden_looks w where w.kind = 'domain' and w.subject_id = d.id)
    union all
    select 'campaign', c.id from campaigns c where c.state = 'active'
      and not exists (select from warden_looks w where w.kind = 'campaign' and w.subject_id = c.id)
    on conflict do nothing`;
  return await tx<Look[]>`
    update warden_looks w set lease = ${lease.id}, lease_until = ${lease.until}
    where (w.kind, w.subject_id) in (
      select l.kind, l.subject_id from warden_looks l
      where (l.looked_at is null or l.looked_at <= ${after(lease.from, -LOOK_EVERY_MS)})
        and (l.lease_until is null or l.lease_until <= ${lease.from})
      order by l.looked_at nulls first, l.kind, l.subject_id limit ${count} for update skip locked)
    returning w.kind, w.subject_id`;
}

/** True where this process still holds it; it is looked at then. */
export async function endLook(
  tx: Transaction,
  lease: Lease,
  { kind, subject_id }: Look,
  now: Date,
): Promise<boolean> {
  const held = await tx`
    update warden_looks set looked_at = ${now}, lease = null, lease_until = null
    where kind = ${kind} and subject_id = ${subject_id} and lease = ${lease.id} returning 1`;
  return held.length > 0;
}

export async function giveBackLooks(tx: Transaction, lease: Lease): Promise<void> {
  await tx`update warden_looks set lease = null, lease_until = null where lease = ${lease.id}`;
}

/** Rows of what is gone or at rest; they come back when it does. */
export async function forgetLooks(tx: Transaction): Promise<void> {
  await tx`
    delete from warden_looks w where not exists (select from domains d where d.id = w.subject_id and d.state <> 'retired')
      and not exists (select from campaigns c where c.id = w.subject_id and c.state = 'active')`;
}

/** An active campaign with limits, and what its letters of the window came to; null: it limits nothing, or is not active. */
export async function campaignMetrics(
  tx: Transaction,
  id: string,
  now: Date,
): Promise<{ figures: CampaignMetrics; limits: Limits } | null> {
  const [campaign] = await tx<
    { guardrails: Partial<Limits> & { window_days?: number }; activated_at: Date }[]
  >`
    select guardrails, activated_at from campaigns where id = ${id} and state = 'active' for no key update`;
  if (!campaign) return null;
  const { window_days, min_sends, ...rates } = campaign.guardrails;
  if (window_days === undefined || min_sends === undefined) return null;
  const week = new Date(now.getTime() - window_days * 24 * 60 * MINUTE_MS);
  // Who resumed it has seen what was before.
  const since = campaign.activated_at > week ? campaign.activated_at : week;
  const [figures] = await tx<CampaignMetrics[]>`
    select (count(*))::int as letters, (count(*) filter (where s.delivery = 'hard'))::int as bounced,
      (count(*) filter (where s.delivery = 'complaint'))::int as complained,
      (count(distinct s.prospect_id))::int as people,
      (count(distinct s.prospect_id) filter (where p.replied_at is not null))::int as replied
    from sends s left join prospects p on p.id = s.prospect_id
    where s.campaign_id = ${id} and s.state in ('sent', 'failed') and s.sending_at >= ${since}`;
  return figures ? { figures, limits: { min_sends, ...rates } } : null;
}

/** Letters of which no one knew whether they went, although someone reported on them meanwhile. */
export async function answeredUncertain(tx: Transaction): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select s.id from sends s where s.state = 'uncertain'
      and exists (select from send_outcomes e where e.send_id = s.id and e.source <> 'session')
    order by s.created_at limit 100`;
  return rows.map(({ id }) => id);
}
