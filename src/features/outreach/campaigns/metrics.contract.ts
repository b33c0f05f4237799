// Numbers of campaigns: one campaign's overview with the attention it asks for (`service://campaign/{id}/overview`), what it
// can send and when it is done, and numbers by day for charts (domain.md §3.3, §4.1).
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { date, id, time } from '../../../kernel/shapes.ts';
import { exampleCampaign, counts, ofCampaigns, PAUSED_REASONS, STATES } from './contract.ts';

/** Everything that an overview can ask attention for, in the order of its weight. */
export const ATTENTION = [
  'complaint_seen',
  'domain_paused',
  'uncertain_letters',
  'bounce_rate_high',
  'unanswered_positive',
  'review_confirmation_stale',
  'auth_failing',
  'identity_inactive',
  'pool_empty',
  'window_never_opens',
  'held_letters',
  'review_waiting',
  'domain_warned',
  'auth_unknown',
  'no_capacity_today',
  'missing_variables',
  'ends_before_finish',
  'low_reply_rate',
  'unverified_people',
  'people_running_out',
] as const;
export type AttentionCode = (typeof ATTENTION)[number];

export const attention = z.object({
  code: z.enum(ATTENTION),
  count: z.int(),
  sentence: z.string(),
  fix: z.string(),
  who: z.enum(['person', 'operator', 'time']),
});
export type Attention = z.infer<typeof attention>;
named('CampaignAttention', attention);

const rate = z.number().nullable();

export const overview = z.object({
  campaign_id: id,
  name: z.string(),
  state: z.enum(STATES),
  paused_reason: z.enum(PAUSED_REASONS).nullable(),
  as_of: time,
  counts,
  /** Shares of letters or people; null below the campaign's floor of letters, where a rate would say nothing. */
  rates: z.object({
    floor: z.int(),
    reply: rate,
    positive: rate,
    bounce: rate,
    complaint: rate,
    unsubscribe: rate,
  }),
  today: z.object({
    day: date,
    started: z.int(),
    /** What the identities of the pool may still start today, the caps of campaign and domains taken into account. */
    left: z.int(),
  }),
  attention: z.array(attention),
});
export type Overview = z.infer<typeof overview>;
named('CampaignOverview', overview);

export const campaignOverview = operation({
  name: 'campaign_overview',
  says: 'Shows a campaign’s metrics and what needs attention, each with its count, what to do, and who can.',
  method: 'GET',
  path: '/api/admin/outreach/campaigns/:campaign/overview',
  takes: z.strictObject({ campaign: id }),
  gives: z.object({ overview }),
  example: { campaign: exampleCampaign },
  effect: 'read',
  needs: { action: 'outreach.campaign.read', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
  cost: 'long',
});

export const forecast = z.object({
  campaign_id: id,
  as_of: time,
  /** People who have steps left, and how many letters those come to. */
  people_left: z.int(),
  letters_left: z.int(),
  /** Day by day until it is done, at most a year: what can go, and what then does. */
  days: z.array(z.object({ day: date, capacity: z.int(), letters: z.int(), left: z.int() })),
  /** The day on which the last letter goes, as things exist; null: not within a year, and `why_not` says what is against it. */
  finishes_on: date.nullable(),
  why_not: z.string().nullable(),
});
export type Forecast = z.infer<typeof forecast>;
named('CampaignForecast', forecast);

export const campaignForecast = operation({
  name: 'campaign_forecast',
  says: 'Says what a campaign can send each day, by allowances, ramps, caps and windows, and on which day its last letter goes.',
  method: 'GET',
  path: '/api/admin/outreach/campaigns/:campaign/forecast',
  takes: z.strictObject({ campaign: id }),
  gives: z.object({ forecast }),
  example: { campaign: exampleCampaign },
  effect: 'read',
  needs: { action: 'outreach.campaign.read', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
  cost: 'long',
});

/** What each counts, and by which day: src/kernel/metrics.rules.ts. */
export const figure = z.object({
  letters: z.int(),
  enrolled: z.int(),
  contacted: z.int(),
  replied: z.int(),
  positive: z.int(),
  meetings: z.int(),
  won: z.int(),
  declined: z.int(),
  bounced: z.int(),
  unsubscribed: z.int(),
});

export const outreachStats = operation({
  name: 'outreach_stats',
  says: 'Returns metrics by day, for one campaign or all that the caller may read: letters started, and people by what they first reached that day. compare adds the totals of the same number of days before.',
  method: 'GET',
  path: '/api/admin/outreach/stats',
  takes: z.strictObject({
    campaign: id.optional(),
    /** The last 30 days where nothing is said; at most 366. */
    from: date.optional(),
    to: date.optional(),
    compare: z.literal('previous').optional(),
  }),
  gives: z.object({
    from: date,
    to: date,
    days: z.array(figure.extend({ day: date })),
    totals: figure,
    /** As many days, up to the one before `from`. */
    previous: z.object({ from: date, to: date, totals: figure }).exactOptional(),
  }),
  example: { from: '2026-03-01', to: '2026-03-31' },
  effect: 'read',
  needs: { action: 'outreach.stats.read', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
  cost: 'long',
});

/** A campaign that sent nothing and heard nothing in these days is left out. */
export const campaignDays = operation({
  name: 'campaign_days',
  says: 'Returns letters started and people who replied by day, for the last 14 days, of the 200 campaigns changed last.',
  method: 'GET',
  path: '/api/admin/outreach/stats/campaigns',
  takes: z.strictObject({}),
  gives: z.object({
    days: z.array(date),
    campaigns: z.array(z.object({ campaign_id: id, letters: z.array(z.int()), replied: z.array(z.int()) })),
  }),
  example: {},
  effect: 'read',
  needs: { action: 'outreach.stats.read', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
});
