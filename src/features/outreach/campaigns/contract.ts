// Campaigns: what one is, and the operations that find, make, read, change and delete one (domain.md §1.2). Starting and
// stopping are in running.contract.ts, review and the pool in review.contract.ts, what is looked at before in
// checks.contract.ts.
import { z } from 'zod';
import { csvOf } from '../../../kernel/csv.ts';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { date, done, id, listOf, page, principal, revision, text, time } from '../../../kernel/shapes.ts';
import { timezone } from '../../crm/people/contract.ts';
import { gatedFields } from './gated.contract.ts';

export const STATES = ['draft', 'active', 'paused', 'finished', 'archived'] as const;
export type CampaignState = (typeof STATES)[number];

export const PAUSED_REASONS = [
  'person',
  'agent',
  'guardrail_bounce',
  'guardrail_complaint',
  'guardrail_reply',
  'pool_empty',
  'ended',
] as const;
export type PausedReason = (typeof PAUSED_REASONS)[number];

export const REVIEW_POLICIES = ['every_letter', 'first_touch', 'changed', 'sample', 'none'] as const;
export type ReviewPolicy = (typeof REVIEW_POLICIES)[number];

export const VERIFICATION_POLICIES = ['any', 'not_undeliverable', 'deliverable_only'] as const;
export const UNSUBSCRIBE_MODES = ['one_click', 'reply_only'] as const;

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of the day, such as 09:00');
const untilTime = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'a time of the day, such as 17:00, at most 24:00');

/** Hours of weekdays in the recipient's zone; Monday is 1, Sunday 7. */
export const window = z
  .strictObject({ days: z.array(z.int().min(1).max(7)).min(1).max(7), from: clockTime, to: untilTime })
  .refine(({ from, to }) => from < to, 'from must be before to: a night is two windows');
named('SendingWindow', window);

const count = z.int();
/** Of people by how far they came, each counted wherever it passed; of letters by the state they are in. */
export const counts = z.object({
  people: count,
  /** Whoever was ever there, from here to `unsubscribed` (docs/guide/metrics-defined.md). */
  contacted: count,
  replied: count,
  positive: count,
  meetings: count,
  won: count,
  declined: count,
  bounced: count,
  unsubscribed: count,
  drafted: count,
  review: count,
  scheduled: count,
  held: count,
  sent: count,
  /** Letters that started in the campaign's present day. */
  sent_today: count,
  uncertain: count,
});
export type Counts = z.infer<typeof counts>;
named('CampaignCounts', counts);

const share = z.number().min(0).max(1);
/** Shares of letters at which a campaign stops itself; null: this one never does. */
export const guardrails = z.strictObject({
  bounce_rate: share.nullable(),
  complaint_rate: share.nullable(),
  /** The only one that is a floor: below it, it stops. */
  reply_rate: share.nullable(),
  /** No rate is looked at before so many letters. */
  min_sends: z.int().min(1).max(100_000),
  window_days: z.int().min(1).max(365),
});
export type Guardrails = z.infer<typeof guardrails>;
named('Guardrails', guardrails);
export const GUARDRAILS: Guardrails = {
  bounce_rate: 0.05,
  complaint_rate: 0.003,
  reply_rate: null,
  min_sends: 50,
  window_days: 7,
};

const poolEntry = z.strictObject({ identity_id: id, weight: z.int().min(1).max(100) });
export const pool = z
  .array(
    poolEntry.extend({
      seen: z.string().min(1).max(80).optional(),
    }),
  )
  .max(50);
named('CampaignPool', pool);

const wait = z.strictObject({ days: z.int().min(0).max(90), hours: z.int().min(0).max(23) });

/** As lists show one. */
export const listedCampaign = z.object({
  id,
  name: z.string(),
  state: z.enum(STATES),
  paused_reason: z.enum(PAUSED_REASONS).nullable(),
  goal: z.string().nullable(),
  /** A user's id. */
  owner: id.nullable(),
  timezone: z.string(),
  starts_on: date.nullable(),
  ends_on: date.nullable(),
  review_policy: z.enum(REVIEW_POLICIES),
  counts,
  sequence_revision: revision,
  revision,
  created_by: principal,
  created_at: time,
  updated_at: time,
  activated_at: time.nullable(),
});
export type ListedCampaign = z.infer<typeof listedCampaign>;
named('ListedCampaign', listedCampaign);

export const campaign = listedCampaign.extend({
  windows: z.array(window),
  blackout_dates: z.array(date),
  daily_cap: z.int().nullable(),
  new_per_day: z.int().nullable(),
  /** How long after someone was enrolled the first step comes. */
  first_delay: wait,
  stop_on_reply: z.boolean(),
  open_deal_on_positive: z.boolean(),
  /** A person is live in one exclusive campaign at a time. */
  exclusive: z.boolean(),
  max_touches_per_week_per_person: z.int(),
  unsubscribe_mode: z.enum(UNSUBSCRIBE_MODES),
  postal_address_id: id.nullable(),
  require_basis: z.boolean(),
  verification_policy: z.enum(VERIFICATION_POLICIES),
  /** Of `sample`: how many in a hundred, after the first twenty. */
  review_sample: z.int(),
  /** The sequence's revision that the policy was set or the campaign activated for: later ones by someone without wire are reviewed. */
  review_bound_revision: revision.nullable(),
  no_human_review: z
    .object({
      confirmed_by: principal,
      confirmed_at: time,
      sequence_revision: revision,
      /** The sequence changed since: it confirms nothing any more. */
      stale: z.boolean(),
    })
    .nullable(),
  identity_pool: z.array(poolEntry),
  guardrails,
  /** Settings that someone who may not activate it eased: its letters are held until it is activated again, or this is undone. */
  eased: z.array(z.object({ setting: z.string(), was: z.unknown(), is: z.unknown() })),
  /** Of all that its letters depend on; activation and review carry it. */
  seen: z.string(),
});
export type Campaign = z.infer<typeof campaign>;
named('Campaign', campaign);

const windows = z.array(window).max(28);
const cap = z.int().min(0).max(100_000).nullable();
const fields = {
  goal: text(500).nullable(),
  /** A user's id, or `me`. */
  owner: z.union([z.literal('me'), id]).nullable(),
  timezone,
  windows,
  blackout_dates: z.array(date).max(400),
  starts_on: date.nullable(),
  ends_on: date.nullable(),
  daily_cap: cap,
  new_per_day: cap,
  first_delay: wait,
  stop_on_reply: z.boolean(),
  open_deal_on_positive: z.boolean(),
  exclusive: z.boolean(),
  max_touches_per_week_per_person: z.int().min(1).max(50),
  unsubscribe_mode: z.enum(UNSUBSCRIBE_MODES),
  postal_address_id: id.nullable(),
  require_basis: z.boolean(),
  verification_policy: z.enum(VERIFICATION_POLICIES),
  guardrails,
};

export const ofCampaigns = { who: 'anyone', step_up: 'no' } as const;
export const exampleCampaign = '0198c0de-0000-7000-8000-000000000051';

export const campaignList = operation({
  name: 'campaign_list',
  says: 'Lists every campaign with its state and counts, last changed first.',
  method: 'GET',
  path: '/api/admin/outreach/campaigns',
  takes: z.strictObject({ state: z.enum(STATES).optional(), ...page }),
  gives: listOf(listedCampaign),
  brief: ['id', 'name', 'state', 'paused_reason', 'counts', 'starts_on', 'ends_on'],
  example: {},
  effect: 'read',
  needs: { action: 'outreach.campaign.read', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
});

export const campaignExport = csvOf(campaignList, 'campaign_export', 'campaigns');

export const campaignCreate = operation({
  name: 'campaign_create',
  says: 'Creates a draft with safe defaults: every letter is reviewed, no identity sends, no one is enrolled. Review, pool and start have routes of their own.',
  method: 'POST',
  path: '/api/admin/outreach/campaigns',
  takes: z.strictObject({ name: text(200), ...z.object(fields).partial().shape, ...gatedFields }),
  gives: z.object({ campaign }),
  example: { name: 'Spring outreach' },
  effect: 'write',
  needs: { action: 'outreach.campaign.create', on: () => ['outreach:campaign'] },
  ...ofCampaigns,
  wire: 'never',
  answers: CREATED,
});

export const campaignClone = operation({
  name: 'campaign_clone',
  says: 'Makes a draft of a campaign’s settings and steps, with safe defaults: every letter is reviewed, no pool, no people, no confirmation.',
  method: 'POST',
  path: '/api/admin/outreach/campaigns/:campaign/clone',
  takes: z.strictObject({ campaign: id, name: text(200).optional(), ...gatedFields }),
  gives: z.object({ campaign }),
  example: { campaign: exampleCampaign, name: 'Autumn outreach' },
  effect: 'write',
  needs: { action: 'outreach.campaign.clone', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: CREATED,
});

export const campaignRead = operation({
  name: 'campaign_read',
  says: 'Reads one campaign whole, with its counts and its revision.',
  method: 'GET',
  path: '/api/admin/outreach/campaigns/:campaign',
  takes: z.strictObject({ campaign: id }),
  gives: z.object({ campaign }),
  example: { campaign: exampleCampaign },
  effect: 'read',
  needs: { action: 'outreach.campaign.read', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
});

export const campaignUpdate = operation({
  name: 'campaign_update',
  says: 'Changes a campaign; it needs the revision that was read. Review, confirmation, pool and start are refused here and have routes of their own.',
  method: 'PATCH',
  path: '/api/admin/outreach/campaigns/:campaign',
  takes: z.strictObject({
    campaign: id,
    revision,
    name: text(200).optional(),
    ...z.object(fields).partial().shape,
    ...gatedFields,
  }),
  gives: z.object({ campaign }),
  example: { campaign: exampleCampaign, revision: 1, daily_cap: 40 },
  effect: 'write',
  needs: { action: 'outreach.campaign.write', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
});

export const campaignDelete = operation({
  name: 'campaign_delete',
  says: 'Deletes a draft that has no people. Every other campaign is archived instead, since its letters stay on record.',
  method: 'DELETE',
  path: '/api/admin/outreach/campaigns/:campaign',
  takes: z.strictObject({ campaign: id }),
  gives: done,
  example: { campaign: exampleCampaign },
  effect: 'destroy',
  needs: { action: 'outreach.campaign.delete', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
});
