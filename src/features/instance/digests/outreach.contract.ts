// Digests of sending (domain.md §3.3): a campaign, its steps, held letters, and domains with their identities; never a body.
import { z } from 'zod';
import { date, id, time } from '../../../kernel/shapes.ts';
import { exampleCampaign } from '../../outreach/campaigns/contract.ts';
import { forecast, overview } from '../../outreach/campaigns/metrics.contract.ts';
import { deliveryReason } from '../../outreach/deliveries/report.contract.ts';
import { ARRIVES } from '../../outreach/identities/probe/probe.rules.ts';
import { FILERS } from '../../outreach/identities/ways/filing.rules.ts';
import { HOLD_REASONS } from '../../outreach/sends/letter/reasons.rules.ts';
import { digest, digestOf, few, section } from './frame.contract.ts';

const count = z.int();
const rate = z.number().nullable();
const who = z.enum(['person', 'operator', 'time']);

/** Why letters were not taken, most first, of those that you may read; `said` is the server's own text. */
export const notTaken = few(deliveryReason.omit({ last_at: true }));

export const campaignDigest = digestOf({
  name: 'campaign_digest',
  says: 'Sums up one campaign: its state, counts, rates (null below their floor), how many letters were not taken and why, what needs attention and who can fix it, what can still go today, and when it is finished.',
  takes: z.strictObject({ campaign: id }),
  gives: digest({
    campaign: section(
      overview.pick({
        campaign_id: true,
        name: true,
        state: true,
        paused_reason: true,
        counts: true,
        rates: true,
        today: true,
        attention: true,
      }),
    ),
    not_taken: section(notTaken),
    plan: section(
      forecast
        .pick({ people_left: true, letters_left: true, finishes_on: true, why_not: true })
        .extend({ next_days: z.array(z.object({ day: date, capacity: count, letters: count })) }),
    ),
  }),
  example: { campaign: exampleCampaign },
});

/** What each counts: src/kernel/metrics.rules.ts. */
const stepFigures = {
  letters: count,
  sent: count,
  replied: count,
  positive: count,
  bounced: count,
  letters_bounced: count,
  unsubscribed: count,
};

export const sequenceDigest = digestOf({
  name: 'sequence_digest',
  says: 'Compares the steps of a campaign: letters started and sent, and how many people replied, were positive, bounced or unsubscribed, with the median days to a reply. What someone reached counts for the last letter before it. step: position from 0.',
  takes: z.strictObject({ campaign: id, step: z.int().min(0).max(1000).optional() }),
  gives: digest({
    steps: section(
      z.array(
        z.object({
          step: count,
          step_id: id,
          kind: z.string(),
          subject: z.string().nullable(),
          ...stepFigures,
          reply_rate: rate,
          median_days: rate,
          /** Too few letters for the numbers to say anything. */
          sample_warning: z.string().nullable(),
        }),
      ),
    ),
    /** People who reached it before any letter, and letters of steps that are gone: with these the sums are the campaign’s. */
    no_step: section(z.object(stepFigures)),
  }),
  example: { campaign: exampleCampaign },
});

export const heldDigest = digestOf({
  name: 'held_digest',
  says: 'Sums up held letters by reason: how many, since when, in which campaigns, what lifts the hold and who may (person, operator or time).',
  takes: z.strictObject({ campaign: id.optional(), reason: z.enum(HOLD_REASONS).optional() }),
  gives: digest({
    held: section(
      z.object({
        count,
        reasons: z.array(
          z.object({
            reason: z.string(),
            count,
            oldest: time,
            sentence: z.string(),
            fix: z.string(),
            who,
            campaigns: few(z.object({ campaign_id: id.nullable(), count })),
          }),
        ),
      }),
    ),
    oldest: section(
      few(
        z.object({
          send_id: id,
          campaign_id: id.nullable(),
          person: z.string().nullable(),
          reason: z.string().nullable(),
          since: time.nullable(),
        }),
      ),
    ),
  }),
  example: {},
});

const check = z.enum(['passing', 'failing', 'unknown']);
const limit = z.object({
  reason: z.string(),
  count,
  rate,
  warn: z.string(),
  pause: z.string(),
  /** Letters below which it says nothing. */
  floor: count,
});

export const sendingDigest = digestOf({
  name: 'sending_digest',
  says: 'Sums up sending domains and identities: authentication, what the warden counts against its thresholds, ramps, what is left of today, and when the next letter goes or why none does.',
  takes: z.strictObject({ domain: id.optional(), identity: id.optional() }),
  gives: digest({
    domains: section(
      few(
        z.object({
          domain_id: id,
          domain: z.string(),
          state: z.string(),
          paused_by: z.string().nullable(),
          paused_reason: z.string().nullable(),
          warned: z.string().nullable(),
          auth: z.record(z.string(), check),
          checked_at: time.nullable(),
          letters_7_days: count,
          warden: z.array(limit),
          not_taken: notTaken,
          allowance_today: count,
          left_today: count,
        }),
      ),
    ),
    identities: section(
      few(
        z.object({
          identity_id: id,
          address: z.string(),
          domain: z.string(),
          active: z.boolean(),
          state_reason: z.string().nullable(),
          ramp: z.object({ start: count, step: count, day: count, ceiling: count }),
          allowance_today: count,
          left_today: count,
          scheduled: count,
          next_at: time.nullable(),
          why_none: z.string().nullable(),
          /** Why nothing leaves by it; `server_said` is its mail server's own text. */
          trouble: z
            .object({
              kind: z.string(),
              says: z.string(),
              fix: z.string(),
              since: time,
              server_said: z.string().nullable(),
            })
            .nullable(),
          /** Whether bounces of its letters arrive, as the last probe showed. */
          bounces_arrive: z.enum(ARRIVES),
          /** Who saves copies of its letters in the Sent folder of its mailbox. */
          copies_filed_by: z.enum(FILERS),
          /** What keeps it from being read, or copies from being saved. */
          mailbox_trouble: z.string().nullable(),
        }),
      ),
    ),
  }),
  example: {},
});
