// What digests count of letters and campaigns, each by an index: those that wait for someone, held ones by reason, what each
// step brought, and when each identity's next one goes. What the caller's
// policies deny is counted nowhere.
import type { Caller } from '../../../../kernel/caller.ts';
import type { Reader } from '../../../../kernel/database.ts';
import { readable } from '../../../outreach/sends/letter/send.store.ts';

const READ = 'outreach.send.read';

export type Waiting = {
  campaign_id: string | null;
  state: 'review' | 'held' | 'uncertain';
  count: number;
  oldest: Date;
};

/** By campaign and state; letters of no campaign (answers, single letters) are under null. */
export async function lettersWaiting(db: Reader, caller: Caller): Promise<Waiting[]> {
  return await db<Waiting[]>`
    select c.id as campaign_id, t.state, n.count, n.oldest
    from campaigns c cross join unnest(array['review', 'held', 'uncertain']) t (state)
    cross join lateral (
      select count(*)::int as count, min(s.created_at) as oldest from sends s
      where s.campaign_id = c.id and s.state = t.state and ${readable(db, caller, READ)}) n
    where n.count > 0
    union all
    select null, t.state, n.count, n.oldest
    from unnest(array['review', 'held', 'uncertain']) t (state)
    cross join lateral (
      select count(*)::int as count, min(s.created_at) as oldest from sends s
      where s.campaign_id is null and s.state = t.state and ${readable(db, caller, READ)}) n
    where n.count > 0`;
}

export type HeldGroup = { reason: string; campaign_id: string | null; count: number; oldest: Date };

export async function heldGroups(
  db: Reader,
  caller: Caller,
  { campaign, reason }: { campaign?: string | undefined; reason?: string | undefined },
): Promise<HeldGroup[]> {
  return await db<HeldGroup[]>`
    select s.hold_reason as reason, s.campaign_id, count(*)::int as count, min(s.held_at) as oldest from sends s
    where s.state = 'held' and ${readable(db, caller, READ)} ${campaign === undefined ? db`` : db`and s.campaign_id = ${campaign}`}
      ${reason === undefined ? db`` : db`and s.hold_reason = ${reason}`}
    group by s.hold_reason, s.campaign_id`;
}

export type StepMetrics = {
  step_id: string;
  sent: number;
  replied: number;
  positive: number;
  bounced: number;
  unsubscribed: number;
  median_days: number | null;
};

/**
 * Of every step of a campaign. How far someone came counts for the last letter that had gone when it happened: an answer ends
 * the sequence, so that moment is `ended_at`, or when the stage was reached where nothing ended.
 */
export async function stepMetrics(db: Reader, campaign_id: string): Promise<StepMetrics[]> {
  return await db<StepMetrics[]>`
    with started as (
      select s.step_id, s.prospect_id, s.delivery, s.sending_at,
        lead(s.sending_at) over (partition by s.prospect_id order by s.sending_at, s.id) as following
      from sends s
      where s.campaign_id = ${campaign_id} and s.kind = 'sequence' and s.state in ('sent', 'failed', 'uncertain')
        and s.sending_at is not null
    ), people as (
      select p.id, p.stage, coalesce(p.ended_at, p.stage_at) as over_at from prospects p
      where p.campaign_id = ${campaign_id}
        and p.stage in ('replied', 'declined', 'positive', 'meeting', 'won', 'unsubscribed')
    ), told as (
      select t.step_id, t.delivery, p.stage, extract(epoch from p.over_at - t.sending_at) / 86400 as days
      from started t left join people p on p.id = t.prospect_id and p.over_at >= t.sending_at
        and (t.following is null or p.over_at < t.following)
    )
    select step_id, count(*)::int as sent,
      (count(*) filter (where stage in ('replied', 'declined', 'positive', 'meeting', 'won')))::int as replied,
      (count(*) filter (where stage in ('positive', 'meeting', 'won')))::int as positive,
      (count(*) filter (where delivery = 'hard'))::int as bounced,
      (count(*) filter (where stage = 'unsubscribed'))::int as unsubscribed,
      round((percentile_cont(0.5) within group (order by days)
        filter (where stage in ('replied', 'declined', 'positive', 'meeting', 'won')))::numeric, 1)::float8 as median_days
    from told group by step_id`;
}

export type NextLetter = {
  identity_id: string;
  scheduled: number;
  due_at: Date | null;
  waiting_for: string | null;
  /** Why none of its letters is asked before then. */
  asleep_until: Date | null;
  asleep_why: string | null;
  down_until: Date | null;
  down_cause: string | null;
  down_since: Date | null;
  /** A letter of it is in the hands of the sender. */
  busy: boolean;
};

export async function nextLetters(
  db: Reader,
  caller: Caller,
  identities: readonly string[],
  now: Date,
): Promise<NextLetter[]> {
  const may = readable(db, caller, READ);
  return await db<NextLetter[]>`
    select i.id as identity_id, n.scheduled, l.due_at, l.waiting_for, z.asleep_until, z.asleep_why,
      z.down_until, z.down_cause, z.down_since,
      exists (select from sends f where f.identity_id = i.id and f.lease is not null and f.lease_until > ${now}
        and f.state in ('scheduled', 'sending')) as busy
    from unnest(${[...identities]}::uuid[]) i (id)
    cross join lateral (
      select count(*)::int as scheduled from sends s where s.identity_id = i.id and s.state = 'scheduled' and ${may}) n
    left join lateral (
      select s.due_at, s.waiting_for from sends s where s.identity_id = i.id and s.state = 'scheduled' and ${may}
      order by s.due_at, s.id limit 1) l on true
    left join lateral (
      select z.* from sender_lanes z join identities y on y.id = z.identity_id join domains d on d.id = y.domain_id
      where z.identity_id = i.id and z.identity_revision = y.revision and z.domain_revision = d.revision) z on true`;
}

/** By state, as the caller may read them. */
export async function lettersOfPerson(
  db: Reader,
  caller: Caller,
  person: string,
): Promise<{ campaign_id: string | null; state: string; count: number }[]> {
  return await db<{ campaign_id: string | null; state: string; count: number }[]>`
    select s.campaign_id, s.state, count(*)::int as count from sends s where s.person_id = ${person} and ${readable(db, caller, READ)}
    group by s.campaign_id, s.state`;
}

export type Paused = { id: string; name: string; paused_reason: string };

/** Campaigns that stopped themselves. */
export async function selfPaused(db: Reader): Promise<Paused[]> {
  return await db<Paused[]>`
    select c.id, c.name, c.paused_reason from campaigns c
    where c.state = 'paused' and c.paused_reason not in ('person', 'agent') order by c.updated_at desc, c.id desc limit 200`;
}

/** Vendors that letters of active identities leave by. */
export async function vendorsInUse(db: Reader): Promise<{ provider: string; identities: number }[]> {
  return await db<{ provider: string; identities: number }[]>`
    select i.transport ->> 'provider' as provider, count(*)::int as identities from identities i
    where i.active and i.transport_kind = 'vendor' group by 1`;
}
