// Fields that creating, cloning and changing a campaign refuse: those with a route of their own, and those that nothing reads.
import { z } from 'zod';

const route = (verb: string, tail: string): string =>
  `${verb} /api/admin/outreach/campaigns/:campaign/${tail}`;
const gated = (says: string) => z.never({ error: says }).optional();
const byPolicy = `this is changed by ${route('PUT', 'review-policy')} alone`;
const byState = `a campaign starts by ${route('POST', 'activate')} and stops by pause or archive`;

const UNTRACKED = 'letters track no opens and no links, so this can only be false';
const BY_EMAIL =
  'letters go by email alone; other channels are tasks among the steps, so this can only be ["email"]';

/** Fields of domain.md §1.2 that nothing reads: taken as what is so, and refused with the reason where more is asked. */
const unread = {
  tracking: z
    .strictObject({ opens: z.literal(false, UNTRACKED), links: z.literal(false, UNTRACKED) })
    .partial()
    .optional(),
  channel_mix: z.array(z.literal('email', BY_EMAIL)).max(5).optional(),
};

/** What only its own route may change, whatever value is given: also where it is the one that exists. */
export const gatedFields = {
  review_policy: gated(byPolicy),
  review_sample: gated(byPolicy),
  no_human_review: gated(`this is changed by ${route('PUT', 'no-human-review')} alone`),
  identity_pool: gated(`this is changed by ${route('PUT', 'pool')} alone`),
  state: gated(byState),
  paused_reason: gated(byState),
  activated_at: gated(byState),
  ...unread,
};
