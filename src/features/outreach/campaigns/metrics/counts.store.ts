// The counts of campaigns: people by how far they came, letters by their state, both through an index and for a whole page
// of campaigns at once.
import type { Reader } from '../../../../kernel/database.ts';
import { dayIn } from '../../../../mail/timing/windows.rules.ts';
import type { Counts } from '../contract.ts';

type Tally = Record<string, number> | null;
type Row = { id: string; stages: Tally; states: Tally; today: number | null };

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

function toCounts({ stages, states, today }: Row): Counts {
  const at = (...names: string[]): number => names.reduce((sum, name) => sum + (stages?.[name] ?? 0), 0);
  const letters = (state: string): number => states?.[state] ?? 0;
  const people = Object.values(stages ?? {}).reduce((sum, n) => sum + n, 0);
  return {
    people,
    contacted: people - at('enrolled'),
    replied: at('replied', 'declined', 'positive', 'meeting', 'won'),
    positive: at('positive', 'meeting', 'won'),
    meetings: at('meeting', 'won'),
    won: at('won'),
    declined: at('declined'),
    bounced: at('bounced'),
    unsubscribed: at('unsubscribed'),
    drafted: letters('drafted'),
    review: letters('review'),
    scheduled: letters('scheduled'),
    held: letters('held'),
    sent: letters('sent'),
    sent_today: today ?? 0,
    uncertain: letters('uncertain'),
  };
}
