// Handlers of campaign metrics.
import { DAY_MS, after } from '../../../kernel/clock.ts';
import type { Reader } from '../../../kernel/database.ts';
import { invalid } from '../../../kernel/refusal.ts';
import { bind, type Bound } from '../../../kernel/context.ts';
import { decide } from '../../../kernel/policy.ts';
import { dayIn } from '../../../mail/timing/windows.rules.ts';
import { stepsOf } from '../sequences/store.ts';
import { GUARDRAILS } from './contract.ts';
import { countsOf, startedToday } from './metrics/counts.store.ts';
import {
  campaignDays,
  campaignForecast,
  campaignOverview,
  type Forecast,
  outreachStats,
} from './metrics.contract.ts';
import { attentionOf, type MetricFacts, ratesOf } from './metrics/metrics.rules.ts';
import {
  type CampaignDayRow,
  campaignIds,
  type Cohort,
  cohortsInOneZone,
  cohortsOf,
  type DayRow,
  daysOf,
  daysOfEach,
  latelyOf,
  newestCampaigns,
  type PacedSender,
  sendersWithPace,
} from './metrics/metrics.store.ts';
import { forecastOf, leftToday } from './metrics/forecast.rules.ts';
import { campaignName } from './rules.ts';
import { loadCampaign, type LoadedCampaign } from './store.ts';

async function forecastWith(
  db: Reader,
  campaign: LoadedCampaign,
  senders: readonly PacedSender[],
  cohorts: readonly Cohort[],
  started_today: number,
  now: Date,
): Promise<Forecast> {
  const steps = await stepsOf(db, campaign.id);
  return forecastOf({ campaign: { ...campaign, started_today }, senders, steps, cohorts }, now);
}

const overview = bind(campaignOverview, async ({ db, caller, now }, { campaign: id }) => {
  const found = await loadCampaign(db, caller, 'outreach.campaign.read', id);
  const campaign = { ...found, guardrails: { ...GUARDRAILS, ...found.guardrails } };
  const [all, senders, lately, left] = await Promise.all([
    countsOf(db, [campaign], now),
    sendersWithPace(db, campaign.id, now),
    latelyOf(db, campaign, now),
    cohortsInOneZone(db, campaign),
  ]);
  const counts = all.get(campaign.id);
  if (!counts) throw new Error('every campaign that is asked for has counts');
  const forecast = await forecastWith(db, campaign, senders, left.cohorts, counts.sent_today, now);
  const pace = { campaign: { ...campaign, started_today: counts.sent_today }, senders };
  const left_today = leftToday(pace, now);
  const { going } = left;
  const facts: MetricFacts = { campaign, counts, senders, lately, going, forecast, left_today };
  return {
    overview: {
      campaign_id: campaign.id,
      name: campaign.name,
      state: campaign.state,
      paused_reason: campaign.paused_reason,
      as_of: now.toISOString(),
      counts,
      rates: ratesOf(facts),
      today: { day: dayIn(now, campaign.timezone), started: counts.sent_today, left: left_today },
      attention: attentionOf(facts, now),
    },
  };
});

const forecast = bind(campaignForecast, async ({ db, caller, now }, { campaign: id }) => {
  const campaign = await loadCampaign(db, caller, 'outreach.campaign.read', id);
  const [started, senders, cohorts] = await Promise.all([
    startedToday(db, campaign, now),
    sendersWithPace(db, campaign.id, now),
    cohortsOf(db, campaign),
  ]);
  return { forecast: await forecastWith(db, campaign, senders, cohorts, started, now) };
});

const DAYS_SHOWN = 30;
const DAYS_MAX = 366;

const stats = bind(outreachStats, async ({ db, caller, now }, { campaign, from, to, compare }) => {
  const last = to ?? now.toISOString().slice(0, 10);
  const first = from ?? dayText(after(new Date(`${last}T00:00:00.000Z`), -(DAYS_SHOWN - 1) * DAY_MS));
  const days = dayList(first, last);
  if (days === null) {
    const says = `from must not be after to, and the range can be at most ${DAYS_MAX} days`;
    throw invalid(says, { from: says });
  }
  const ids = campaign === undefined ? null : [(await loadCampaign(db, caller, ACTION, campaign)).id];
  const may = (id: string): boolean => decide(caller.rights, ACTION, [campaignName(id)]).allowed;
  // Whoever may read some campaigns only gets the numbers of those.
  const among = ids ?? (caller.rights.admin ? null : (await campaignIds(db)).filter(may));
  const metrics = async (some: readonly string[]) => {
    const [begins = first, ends = last] = [some[0], some.at(-1)];
    return { from: begins, to: ends, ...asMetrics(some, await daysOf(db, among, begins, ends)) };
  };
  if (compare === undefined) return await metrics(days);
  const earlier = days.map((day) => dayText(after(new Date(day), -days.length * DAY_MS)));
  // The database knows no year 0.
  if ((earlier[0] ?? '') < '0001') {
    const says = 'from is too early to compare: give a later day';
    throw invalid(says, { from: says });
  }
  const { days: _, ...previous } = await metrics(earlier);
  return { ...(await metrics(days)), previous };
});

const DAYS_IN_LIST = 14;
const CAMPAIGNS_IN_LIST = 200;

const eachByDay = bind(campaignDays, async ({ db, caller, now }) => {
  const last = dayText(now);
  const first = dayText(after(now, -(DAYS_IN_LIST - 1) * DAY_MS));
  const days = dayList(first, last) ?? [];
  const may = (id: string): boolean => decide(caller.rights, ACTION, [campaignName(id)]).allowed;
  const ids = (await newestCampaigns(db)).filter(may).slice(0, CAMPAIGNS_IN_LIST);
  const rows = Map.groupBy(await daysOfEach(db, ids, first, last), ({ campaign_id }) => campaign_id);
  const line = (found: readonly CampaignDayRow[], wanted: CampaignDayRow['kind']): number[] =>
    days.map((day) => found.find((row) => row.day === day && row.kind === wanted)?.count ?? 0);
  return {
    days,
    campaigns: [...rows].map(([campaign_id, found]) => ({
      campaign_id,
      letters: line(found, 'letters'),
      replied: line(found, 'replied'),
    })),
  };
});

const ACTION = 'outreach.stats.read';

const dayText = (at: Date): string => at.toISOString().slice(0, 10);

/** Null where there are none, or too many. */
function dayList(first: string, last: string): string[] | null {
  const from = Date.parse(first);
  const count = (Date.parse(last) - from) / DAY_MS + 1;
  if (!(count >= 1 && count <= DAYS_MAX)) return null;
  return Array.from({ length: count }, (_, n) => dayText(new Date(from + n * DAY_MS)));
}

const NONE = {
  letters: 0,
  enrolled: 0,
  contacted: 0,
  replied: 0,
  positive: 0,
  meetings: 0,
  won: 0,
  declined: 0,
  bounced: 0,
  unsubscribed: 0,
};

function asMetrics(days: readonly string[], rows: readonly DayRow[]) {
  const byDay = new Map(days.map((day) => [day, { day, ...NONE }]));
  const totals = { ...NONE };
  for (const { day, stage, count } of rows) {
    const name = stage === 'meeting' ? 'meetings' : stage;
    const figures = byDay.get(day);
    if (figures) figures[name] += count;
    totals[name] += count;
  }
  return { days: [...byDay.values()], totals };
}

export const metricsHandlers: Bound[] = [overview, forecast, stats, eachByDay];
