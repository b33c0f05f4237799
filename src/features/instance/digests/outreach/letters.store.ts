// What digests count of letters and campaigns, each by an index: those that wait for someone, held ones by reason, what each
// step brought, and when each identity's next one goes. What the caller's
// policies deny is counted nowhere.
import type { Caller } from '../../../../kernel/caller.ts';
import type { Reader } from '../../../../kernel/database.ts';
import { readable } from '../../../outreach/sends/letter/send.store.ts';
import type { Span } from '../span.ts';

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
  /** Null: letters of no step that still exists, and people who reached it before any letter of a step. */
  step_id: string | null;
  letters: number;
  sent: number;
  replied: number;
  positive: number;
  bounced: number;
  letters_bounced: number;
  unsubscribed: number;
  median_days: number | null;
};

/**
 * Of every step of a campaign. What someone reached counts for the last letter that had started by then; the sums over all
 * rows are the campaign’s own metrics.
 */
export async function stepMetrics(db: Reader, campaign_id: string): Promise<StepMetrics[]> {
  return await db<StepMetrics[]>`
    with started as (
      select s.step_id, s.prospect_id, s.delivery, s.state, s.sending_at,
        lead(s.sending_at) over (partition by s.prospect_id order by s.sending_at, s.id) as following
      from sends s
      where s.campaign_id = ${campaign_id} and s.kind = 'sequence' and s.state in ('sent', 'failed', 'uncertain')
        and s.sending_at is not null
    ), reached as (
      select p.id, m.what, m.at from prospects p cross join lateral (values ('replied', p.replied_at),
        ('positive', p.positive_at), ('bounced', p.bounced_at),
        ('unsubscribed', case when p.stage = 'unsubscribed' then p.stage_at end)) m (what, at)
      where p.campaign_id = ${campaign_id} and m.at is not null
        and p.stage in ('bounced', 'replied', 'declined', 'positive', 'meeting', 'won', 'unsubscribed')
    ), placed as (
      select t.step_id, r.what, extract(epoch from r.at - t.sending_at) / 86400 as days
      from reached r left join started t on t.prospect_id = r.id and r.at >= t.sending_at
        and (t.following is null or r.at < t.following)
    ), all_of as (
      select step_id, 'letter' as what, state, delivery, null::numeric as days from started
      union all select step_id, what, null, null, days from placed
    )
    select step_id, (count(*) filter (where what = 'letter'))::int as letters,
      (count(*) filter (where state = 'sent'))::int as sent,
      (count(*) filter (where what = 'replied'))::int as replied,
      (count(*) filter (where what = 'positive'))::int as positive,
      (count(*) filter (where what = 'bounced'))::int as bounced,
      (count(*) filter (where delivery = 'hard'))::int as letters_bounced,
      (count(*) filter (where what = 'unsubscribed'))::int as unsubscribed,
      round((percentile_cont(0.5) within group (order by days) filter (where what = 'replied'))::numeric, 1)::float8
        as median_days
    from all_of group by step_id`;
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

/** Paused campaigns, those that stopped themselves first. */
export async function pausedCampaigns(db: Reader): Promise<Paused[]> {
  return await db<Paused[]>`
    select c.id, c.name, c.paused_reason from campaigns c where c.state = 'paused'
    order by c.paused_reason in ('person', 'agent'), c.updated_at desc, c.id desc limit 1000`;
}

export type ReviewedLetter = {
  id: string;
  campaign_id: string | null;
  person: string | null;
  outcome: 'returned' | 'rejected';
  note: string | null;
  at: Date;
};

/** Letters that a review sent back and no one has rewritten, and those that it rejected in this span; newest first. */
export async function reviewedLetters(
  db: Reader,
  caller: Caller,
  { since, until }: Span,
  count: number,
): Promise<{ rows: ReviewedLetter[]; count: number }> {
  const may = readable(db, caller, READ);
  const rows = await db<(ReviewedLetter & { all: number })[]>`
    select r.id, r.campaign_id, r.outcome, r.at, r.all,
      (select p.name from people p where p.id = r.person_id) as person,
      coalesce(r.note, (select f.details ->> 'note' from send_facts f where f.send_id = r.id and f.kind = r.outcome
        order by f.at desc, f.id desc limit 1)) as note
    from (
      select l.*, (count(*) over ())::int as all from (
        select s.id, s.campaign_id, s.person_id, 'returned' as outcome, s.note, s.updated_at as at from sends s
        where s.state = 'drafted' and s.note is not null and ${may}
        union all
        select s.id, s.campaign_id, s.person_id, 'rejected', s.note, s.updated_at from sends s
        where s.state = 'cancelled' and s.cancel_reason = 'rejected' and s.updated_at >= ${since}
          and s.updated_at < ${until} and ${may}) l
      order by l.at desc, l.id desc limit ${count}) r`;
  return { rows, count: rows[0]?.all ?? 0 };
}

/** Vendors that letters of active identities leave by. */
export async function vendorsInUse(db: Reader): Promise<{ provider: string; identities: number }[]> {
  return await db<{ provider: string; identities: number }[]>`
    select i.transport ->> 'provider' as provider, count(*)::int as identities from identities i
    where i.active and i.transport_kind = 'vendor' group by 1`;
}
