// The counts of campaigns: people by how far they ever came, letters by their state, both through an index and for a whole
// page of campaigns at once. What each counts: src/kernel/metrics.rules.ts.
import type { Reader } from '../../../../kernel/database.ts';
import { dayIn } from '../../../../mail/timing/windows.rules.ts';
import type { Counts } from '../contract.ts';

type Tally = Record<string, number> | null;
type Row = { id: string; stages: Tally; reached: Tally; states: Tally; today: number | null };

/** By the campaign's id; every campaign that was asked for is there. */
export async function countsOf(
  db: Reader,
  campaigns: readonly { id: string; timezone: string }[],
  now: Date,
): Promise<Map<string, Counts>> {
  if (campaigns.length === 0) return new Map();
  const rows = await db<Row[]>`
    select c.id,
      (select jsonb_object_agg(s.stage, s.n) from (
        select p.stage, count(*)::int as n from prospects p where p.campaign_id = c.id group by p.stage) s) as stages,
      (select jsonb_build_object('bounced', count(p.bounced_at), 'replied', count(p.replied_at),
         'declined', count(p.declined_at), 'positive', count(p.positive_at), 'meeting', count(p.meeting_at),
         'won', count(p.won_at))
       from prospects p where p.campaign_id = c.id
         and p.stage in ('replied', 'declined', 'positive', 'meeting', 'won', 'unsubscribed')) as reached,
      (select jsonb_object_agg(s.state, s.n) from (
        select l.state, count(*)::int as n from sends l where l.campaign_id = c.id group by l.state) s) as states,
      (select n.started from letters_started n where n.scope = 'campaign' and n.scope_id = c.id and n.day = c.day) as today
    from unnest(${campaigns.map(({ id }) => id)}::uuid[],
      ${campaigns.map(({ timezone }) => dayIn(now, timezone))}::text[]::date[]) as c (id, day)`;
  return new Map(rows.map((row) => [row.id, toCounts(row)]));
}

/** Letters that a campaign started on its day of now. */
export async function startedToday(
  db: Reader,
  { id, timezone }: { id: string; timezone: string },
  now: Date,
): Promise<number> {
  const [row] = await db<{ started: number }[]>`
    select started from letters_started
    where scope = 'campaign' and scope_id = ${id} and day = ${dayIn(now, timezone)}::date`;
  return row?.started ?? 0;
}

function toCounts({ stages, reached, states, today }: Row): Counts {
  const now = (stage: string): number => stages?.[stage] ?? 0;
  // Few ever leave the first three stages: what the others ever reached is read of their rows alone.
  const ever = (stage: string): number => reached?.[stage] ?? 0;
  const letters = (state: string): number => states?.[state] ?? 0;
  const people = Object.values(stages ?? {}).reduce((sum, n) => sum + n, 0);
  return {
    people,
    contacted: people - now('enrolled'),
    replied: ever('replied'),
    positive: ever('positive'),
    meetings: ever('meeting'),
    won: ever('won'),
    declined: ever('declined'),
    bounced: now('bounced') + ever('bounced'),
    unsubscribed: now('unsubscribed'),
    drafted: letters('drafted'),
    review: letters('review'),
    scheduled: letters('scheduled'),
    held: letters('held'),
    sent: letters('sent'),
    sent_today: today ?? 0,
    uncertain: letters('uncertain'),
  };
}
