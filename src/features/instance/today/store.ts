// All SQL of Today that no other feature has: campaigns that run and ask for something, those that stopped themselves, runs that
// are held, and what comes back automatically. Each goes through an index, and counts no further than a screen has use for.
import type { Caller } from '../../../kernel/caller.ts';
import type { Reader } from '../../../kernel/database.ts';
import { allowedBy } from '../../access/policies/named.store.ts';
import { readable as readableDeliveries } from '../events/readable.store.ts';
import { readable as readableThreads } from '../../inbox/threads/read/list.store.ts';
import { readableRuns } from '../../automation/workflows/run/runs.store.ts';
import type { PausedWhy } from '../../automation/workflows/budget/budget.rules.ts';
import type { Hold } from '../../automation/workflows/run/machine.rules.ts';

export type Asking = {
  id: string;
  name: string;
  since: Date;
  senders: number;
  inactive: number;
  complaints: number;
  complained_at: Date | null;
  unconfirmed: boolean;
};

const CAMPAIGNS_MAX = 200;

/** Of campaigns that run: what stops their letters although nothing is held yet, and complaints since then. */
export async function campaignsAsking(db: Reader, since: Date): Promise<Asking[]> {
  return await db<Asking[]>`
    select c.id, c.name, c.updated_at as since, e.senders, e.inactive, w.complaints, w.complained_at,
      c.review_policy = 'none' and c.no_human_review_revision is distinct from c.sequence_revision as unconfirmed
    from (select * from campaigns where state = 'active' order by updated_at desc, id desc limit ${CAMPAIGNS_MAX}) c
    cross join lateral (
      select count(*)::int as senders, (count(*) filter (where not i.active or i.gone_at is not null))::int as inactive
      from campaign_identities e join identities i on i.id = e.identity_id where e.campaign_id = c.id) e
    cross join lateral (
      select count(*)::int as complaints, max(s.sending_at) as complained_at from sends s
      where s.campaign_id = c.id and s.delivery = 'complaint' and s.delivery in ('hard', 'complaint')
        and s.sending_at >= ${since}) w
    where e.senders = 0 or e.inactive > 0 or w.complaints > 0
      or (c.review_policy = 'none' and c.no_human_review_revision is distinct from c.sequence_revision)
    order by c.updated_at desc, c.id desc`;
}

export type PausedCampaign = { id: string; name: string; paused_reason: string; since: Date };

export async function campaignsStopped(db: Reader): Promise<PausedCampaign[]> {
  return await db<PausedCampaign[]>`
    select c.id, c.name, c.paused_reason, c.updated_at as since from campaigns c
    where c.state = 'paused' and c.paused_reason not in ('person', 'agent')
    order by c.updated_at desc, c.id desc limit ${CAMPAIGNS_MAX}`;
}

export type Held = { workflow_id: string; name: string; held: Hold; count: number; since: Date };

const HELD_MAX = 200;

/** Runs of workflows that wait until someone with a scope or a right goes on with them, by workflow and reason. */
export async function runsHeld(db: Reader, caller: Caller): Promise<Held[]> {
  return await db<Held[]>`
    select r.workflow_id, w.name, r.held, count(*)::int as count, min(r.created_at) as since
    from (select r.workflow_id, r.held, r.created_at from workflow_runs r
      where r.held is not null and ${readableRuns(db, caller, 'run.read')}
      order by r.workflow_id, r.held limit ${COUNTED_MAX}) r
    join workflows w on w.id = r.workflow_id group by r.workflow_id, w.name, r.held
    order by min(r.created_at), r.workflow_id limit ${HELD_MAX}`;
}

export type Paused = { id: string; name: string; paused_why: PausedWhy; paused_at: Date };

export async function workflowsPaused(db: Reader, { rights }: Caller): Promise<Paused[]> {
  const may = allowedBy(db, rights, 'workflow.read', { 'workflow:': db`w.id` }) ?? db`true`;
  return await db<Paused[]>`
    select w.id, w.name, w.paused_why, w.paused_at from workflows w where w.paused_why is not null and ${may}
    order by w.paused_at limit ${HELD_MAX}`;
}

/** Counts stop here. */
export const COUNTED_MAX = 1_000;

export type Coming = { count: number; next: Date | null };

/** Conversations that come back by themselves. */
export async function snoozed(db: Reader, caller: Caller): Promise<Coming> {
  const [found] = await db<Coming[]>`
    select count(*)::int as count, min(snoozed_until) as next from (
      select t.snoozed_until from threads t
      where t.state = 'snoozed' and t.kind = 'conversation' and ${readableThreads(db, caller)}
      order by t.snoozed_until, t.id limit ${COUNTED_MAX}) t`;
  return found ?? { count: 0, next: null };
}

/** Events that no one took yet and that are tried again. */
export async function eventsAgain(db: Reader, caller: Caller): Promise<Coming> {
  const [found] = await db<Coming[]>`
    select (count(*) filter (where attempts > 0))::int as count,
      min(next_attempt_at) filter (where attempts > 0) as next
    from (select d.attempts, d.next_attempt_at from event_deliveries d where d.state = 'pending' and ${readableDeliveries(db, caller)}
      order by d.next_attempt_at, d.id limit ${COUNTED_MAX}) d`;
  return found ?? { count: 0, next: null };
}

/** Numbers of the day are counted no further. */
export const TOUCHES_MAX = 5_000;

export type DayTouch = {
  touch_id: string;
  thread_id: string;
  campaign_id: string | null;
  direction: 'in' | 'out';
  reading: string | null;
};

/** Letters and answers that left and replies that came since then, newest first; notes and automatic mail are none. */
export const touchesSince = (db: Reader, caller: Caller, since: Date): Promise<DayTouch[]> => db<DayTouch[]>`
  select x.id as touch_id, x.thread_id, x.campaign_id, x.direction, x.reading
  from touches x join threads t on t.id = x.thread_id
  where x.channel <> 'chat' and x.at >= ${since} and not x.note and not x.automatic and t.kind = 'conversation'
    and (x.direction = 'in' or x.send_id is not null) and ${readableThreads(db, caller)}
  order by x.at desc, x.id desc limit ${TOUCHES_MAX}`;
