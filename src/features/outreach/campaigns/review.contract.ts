// What decides whether a person reads a letter before it goes, and who sends it: wire act 6, three routes (domain.md §1.2).
import { z } from 'zod';
import { OK, operation } from '../../../kernel/operation.ts';
import { id, revision, seenIn } from '../../../kernel/shapes.ts';
import { campaign, exampleCampaign, ofCampaigns, pool, REVIEW_POLICIES } from './contract.ts';

const gives = z.object({ campaign });
const review = {
  effect: 'write',
  needs: { action: 'outreach.campaign.review', on: 'row' },
  ...ofCampaigns,
  wire: { act: 'campaign.review' },
  answers: OK,
} as const;

export const campaignReviewPolicy = operation({
  name: 'campaign_review_policy',
  says: 'Sets which letters a person reviews: every_letter, first_touch, changed, sample, or none, which needs a standing confirmation.',
  method: 'PUT',
  path: '/api/admin/outreach/campaigns/:campaign/review-policy',
  takes: z.strictObject({
    campaign: id,
    revision,
    review_policy: z.enum(REVIEW_POLICIES),
    review_sample: z.int().min(0).max(100).optional(),
    seen: seenIn('campaign_read'),
  }),
  gives,
  example: { campaign: exampleCampaign, revision: 1, review_policy: 'first_touch' },
  ...review,
});

export const campaignNoHumanReview = operation({
  name: 'campaign_no_human_review',
  says: 'Confirms that letters of these very steps may leave unread by any person. Changing the steps afterwards voids it.',
  method: 'PUT',
  path: '/api/admin/outreach/campaigns/:campaign/no-human-review',
  takes: z.strictObject({
    campaign: id,
    confirmed: z.literal(true),
    sequence_revision: revision,
    seen: seenIn('campaign_read'),
  }),
  gives,
  example: { campaign: exampleCampaign, confirmed: true, sequence_revision: 2 },
  ...review,
});

export const campaignPool = operation({
  name: 'campaign_pool',
  says: 'Replaces the identities a campaign sends from, with the weight of each. People already contacted keep their sender.',
  method: 'PUT',
  path: '/api/admin/outreach/campaigns/:campaign/pool',
  takes: z.strictObject({ campaign: id, revision, identity_pool: pool, seen: seenIn('campaign_read') }),
  gives,
  example: {
    campaign: exampleCampaign,
    revision: 1,
    identity_pool: [{ identity_id: exampleCampaign, weight: 1 }],
  },
  ...review,
});
