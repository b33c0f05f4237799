// What the numbers of campaigns are made of, each by one query that goes through an index: the senders with what they started,
// what went wrong lately, who is still to be written to, and stages and letters by day.
import { DAY_MS, after } from '../../../../kernel/clock.ts';
import type { Reader } from '../../../../kernel/database.ts';
import type { Reached } from '../../prospects/spine/spine.rules.ts';
import type { LoadedCampaign } from '../store.ts';

export type PacedSender = {
  identity_id: string;
  active: boolean;
  timezone: string;
  workday: { days: number[]; from: string; to: string } | null;
  daily_cap: number;
  hourly_cap: number;
  min_gap_s: number;
  jitter_s: number;
  ramp: { start: number; step: number; day: number; ceiling: number };
  ramp_counted_on: string | null;
  domain_id: string;
  domain: string;
  domain_state: string;
  domain_cap: number;
  warned: boolean;
  /** Of SPF, DKIM and DMARC: what each last was. */
  auth: string[];
  /** Letters that started, by day: `2026-03-02` in the identity's zone, and in UTC for the domain. */
  started: Record<string, number> | null;
  domain_started: Record<string, number> | null;
};

const dayText = (at: Date): string => at.toISOString().slice(0, 10);

export async function sendersWithPace(db: Reader, campaign_id: string, now: Date): Promise<PacedSender[]> {
  const [from, to] = [dayText(after(now, -DAY_MS)), dayText(after(now, DAY_MS))];
  const days = (scope: string, of: ReturnType<Reader>) => db`
    (select jsonb_object_agg(to_char(n.day, 'YYYY-MM-DD'), n.started) from letters_started n
     where n.scope = ${scope} and n.scope_id = ${of} and n.day between ${from}::date and ${to}::date)`;
  return await db<PacedSender[]>`
    select i.id as identity_id, i.active and i.gone_at is null as active, i.timezone, i.workday, i.daily_cap, i.hourly_cap,
      i.min_gap_s, i.jitter_s, i.ramp_counted_on::text as ramp_counted_on,
      jsonb_build_object('start', i.ramp_start, 'step', i.ramp_step, 'day', i.ramp_day, 'ceiling', i.ramp_ceiling) as ramp,
      d.id as domain_id, d.name as domain, d.state as domain_state, d.daily_cap as domain_cap, d.warned is not null as warned,
      array[coalesce(d.auth -> 'spf' ->> 'outcome', 'unknown'), coalesce(d.auth -> 'dkim' ->> 'outcome', 'unknown'),
        coalesce(d.auth -> 'dmarc' ->> 'outcome', 'unknown')] as auth,
      ${days('identity', db`i.id`)} as started, ${days('domain', db`d.id`)} as domain_started
    from campaign_identities e join identities i on i.id = e.identity_id join domains d on d.id = i.domain_id
    where e.campaign_id = ${campaign_id} order by i.id`;
}

export type Lately = {
  /** Letters that started in the window of the guardrails, and how many of them bounced or were complained of. */
  started: number;
  hard: number;
  complaints: number;
  /** The same over the whole campaign. */
  all_started: number;
  all_hard: number;
  all_complaints: number;
  unanswered_positive: number;
  missing_variables: number;
  /** Of the first thousand people with steps left, whose address was never verified. */
  unverified: number;
  suppressed_held: number;
};

export const UNVERIFIED_LOOKED_AT = 1_000;

export async function latelyOf(db: Reader, campaign: LoadedCampaign, now: Date): Promise<Lately> {
  const { id, guardrails } = campaign;
  const since = after(now, -guardrails.window_days * DAY_MS);
  const wrong = (delivery: string, lately: boolean) => db`
    (select count(*)::int from sends s where s.campaign_id = ${id} and s.delivery = ${delivery}
       and s.delivery in ('hard', 'complaint') ${lately ? db`and s.sending_at >= ${since}` : db``})`;
  const started = (lately: boolean) => db`
    (select coalesce(sum(n.started), 0)::int from letters_started n where n.scope = 'campaign' and n.scope_id = ${id}
       ${lately ? db`and n.day >= ${dayText(since)}::date` : db``})`;
  const [row] = await db<Lately[]>`
    select ${started(true)} as started, ${wrong('hard', true)} as hard, ${wrong('complaint', true)} as complaints,
      ${started(false)} as all_started, ${wrong('hard', false)} as all_hard, ${wrong('complaint', false)} as all_complaints,
      (select count(*)::int from prospects p where p.campaign_id = ${id} and p.stage = 'positive' and not exists (
         select from sends s where s.person_id = p.person_id and s.sending_at > p.stage_at)) as unanswered_positive,
      (select count(*)::int from sends s where s.campaign_id = ${id} and cardinality(s.unresolved) > 0
         and s.state in ('drafted', 'review', 'scheduled', 'held')) as missing_variables,
      (select count(*)::int from (
         select p.person_id from prospects p where p.campaign_id = ${id} and (p.step_id is not null or p.next_at is not null)
         order by p.id limit ${UNVERIFIED_LOOKED_AT}) few
       where (select a.verdict from person_addresses a where a.person_id = few.person_id and a.is_primary) is null)
         as unverified,
      (select count(*)::int from sends s where s.campaign_id = ${id} and s.state = 'held' and s.hold_reason = 'suppressed')
         as suppressed_held`;
  if (!row) throw new Error('a query without a from gives one row');
  return row;
}

/** People with steps left, who are not kept back without an end: alike ones counted together. */
export type Cohort = {
  step_id: string | null;
  /** The campaign's day on which their step is due; null: they have not begun. */
  due_on: string | null;
  timezone: string | null;
  company_timezone: string | null;
  /** The country that the address ends in. */
  country: string | null;
  people: number;
};

/** Of more people than this about so many are looked at, chosen by chance, and represent the others. */
const LOOKED_AT = 5_000;

/** What is known of each is looked up by its key: a join would read everyone for the sake of one campaign. */
export async function cohortsOf(db: Reader, campaign: LoadedCampaign): Promise<Cohort[]> {
  const rows = await db<(Cohort & { all: number })[]>`
    with going as materialized (
      select p.id, p.person_id, p.step_id, p.due_at from prospects p
      where p.campaign_id = ${campaign.id} and (p.step_id is not null or p.next_at is not null) and p.ended is null
        and (p.hold_by is null or p.hold_until is not null)),
    looked as (select greatest(1, ceil(count(*) / ${LOOKED_AT}::numeric))::int as each, count(*)::int as all from going)
    select g.step_id, to_char(g.due_on, 'YYYY-MM-DD') as due_on, g.timezone, g.company_timezone, g.country,
      count(*)::int as people, g.all
    from (
      select p.step_id, (p.due_at at time zone ${campaign.timezone})::date as due_on, x.timezone,
        x.company_timezone, substring(x.domain from '\\.([a-z]{2})$') as country, looked.all
      from going p cross join looked cross join lateral (
        select timezone, (select co.timezone from companies co where co.id = people.company_id) as company_timezone,
          (select a.domain from person_addresses a where a.person_id = people.id and a.is_primary) as domain
        from people where people.id = p.person_id offset 0) x
      where looked.each = 1 or uuid_hash(p.id) % looked.each = 0) g
    group by 1, 2, 3, 4, 5, g.all order by 2 nulls last, 1, 3, 4, 5`;
  return scaled(rows);
}

/** As many people as there are, shared out as those are who were looked at. */
function scaled(rows: readonly (Cohort & { all: number })[]): Cohort[] {
  const looked = rows.reduce((sum, { people }) => sum + people, 0);
  let [seen, given] = [0, 0];
  return rows.map(({ all, people, ...cohort }) => {
    seen += people;
    const before = given;
    given = Math.round((seen / looked) * all);
    return { ...cohort, people: given - before };
  });
}

/** The same without where people live, for the overview, which is looked at often; and all with steps left, kept back or not. */
export async function cohortsInOneZone(
  db: Reader,
  campaign: LoadedCampaign,
): Promise<{ cohorts: Cohort[]; going: number }> {
  const rows = await db<{ step_id: string | null; people: number; going: number }[]>`
    select p.step_id, count(*)::int as going,
      (count(*) filter (where p.hold_by is null or p.hold_until is not null))::int as people
    from prospects p where p.campaign_id = ${campaign.id} and (p.step_id is not null or p.next_at is not null)
      and p.ended is null
    group by p.step_id`;
  const unknown = { due_on: null, timezone: null, company_timezone: null, country: null };
  const cohorts = rows
    .filter(({ people }) => people > 0)
    .map(({ step_id, people }) => ({ step_id, people, ...unknown }));
  return { cohorts, going: rows.reduce((sum, row) => sum + row.going, 0) };
}

export type DayRow = { day: string; stage: Reached | 'letters'; count: number };

/** Of these campaigns, or of all; both days counted. */
export async function daysOf(
  db: Reader,
  campaigns: readonly string[] | null,
  from: string,
  to: string,
): Promise<DayRow[]> {
  const among = (column: ReturnType<Reader>) =>
    campaigns === null ? db`` : db`and ${column} = any(${[...campaigns]}::uuid[])`;
  return await db<DayRow[]>`
    select to_char(day, 'YYYY-MM-DD') as day, stage, sum(people)::int as count from stages_reached
    where day between ${from}::date and ${to}::date ${among(db`campaign_id`)} group by day, stage
    union all
    select to_char(day, 'YYYY-MM-DD'), 'letters', sum(started)::int from letters_started
    where scope = 'campaign' and day between ${from}::date and ${to}::date ${among(db`scope_id`)} group by day`;
}

export type CampaignDayRow = { campaign_id: string; day: string; kind: 'letters' | 'replied'; count: number };

export async function daysOfEach(
  db: Reader,
  campaigns: readonly string[],
  from: string,
  to: string,
): Promise<CampaignDayRow[]> {
  return await db<CampaignDayRow[]>`
    select campaign_id, to_char(day, 'YYYY-MM-DD') as day, 'replied' as kind, people as count from stages_reached
    where campaign_id = any(${[...campaigns]}::uuid[]) and day between ${from}::date and ${to}::date and stage = 'replied'
    union all
    select scope_id, to_char(day, 'YYYY-MM-DD'), 'letters', started from letters_started
    where scope = 'campaign' and scope_id = any(${[...campaigns]}::uuid[]) and day between ${from}::date and ${to}::date`;
}

/** Ids of every campaign, last changed first. */
export async function newestCampaigns(db: Reader): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from campaigns order by updated_at desc, id desc`;
  return rows.map(({ id }) => id);
}

/** Ids of every campaign, for whoever may read only some of them. */
export async function campaignIds(db: Reader): Promise<string[]> {
  return (await db<{ id: string }[]>`select id from campaigns order by id`).map(({ id }) => id);
}
