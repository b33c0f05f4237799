// All SQL of Today that no other feature has: campaigns that run and ask for something, those that stopped themselves, and what
// comes back by itself. Each goes through an index, and counts no further than a screen has use for.
import type { Reader } from '../../kernel/ground.ts';

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

export type Stopped = { id: string; name: string; paused_reason: string; since: Date };

export async function campaignsStopped(db: Reader): Promise<Stopped[]> {
  return await db<Stopped[]>`
    select c.id, c.name, c.paused_reason, c.updated_at as since from campaigns c
    where c.state = 'paused' and c.paused_reason not in ('person', 'agent')
    order by c.updated_at desc, c.id desc limit ${CAMPAIGNS_MAX}`;
}

/** Beyond this a number is no news. */
export const COUNTED_MAX = 1_000;

export type Coming = { count: number; next: Date | null };

/** Conversations that come back by themselves. */
export async function snoozed(db: Reader): Promise<Coming> {
  const [found] = await db<Coming[]>`
    select count(*)::int as count, min(snoozed_until) as next from (
      select snoozed_until from threads where state = 'snoozed' order by snoozed_until, id limit ${COUNTED_MAX}) t`;
  return found ?? { count: 0, next: null };
}

/** Events that nobody took yet and that are tried again. */
export async function eventsAgain(db: Reader): Promise<Coming> {
  const [found] = await db<Coming[]>`
    select (count(*) filter (where attempts > 0))::int as count,
      min(next_attempt_at) filter (where attempts > 0) as next
    from (select attempts, next_attempt_at from event_deliveries where state = 'pending'
      order by next_attempt_at, id limit ${COUNTED_MAX}) d`;
  return found ?? { count: 0, next: null };
}
