// Handlers of wire act 6: the review policy, the confirmation that no person reviews, and the pool of identities.
import { stop } from '../../../kernel/refusal.ts';
import { bind } from '../../../kernel/context.ts';
import { lettersUnderPolicy } from '../sends/draft/policy.store.ts';
import { demandSeen, touched, wakeCampaign } from './handlers.ts';
import { knownIdentities } from './named.store.ts';
import { campaignNoHumanReview, campaignPool, campaignReviewPolicy } from './review.contract.ts';
import { refusedConfirmation, refusedPolicy, refusedPool } from './review.rules.ts';
import { campaignName, refusedArchived, refusedAsStale } from './rules.ts';
import { saveConfirmation, savePolicy, savePool } from './save.store.ts';
import { pauseCampaign } from './running/campaign-states.store.ts';
import { lockCampaign } from './store.ts';

const READ = '/api/admin/outreach/campaigns/:campaign';
const REVIEW = 'outreach.campaign.review';

const policy = bind(
  campaignReviewPolicy,
  async (context, { campaign: id, revision, review_policy, review_sample, seen }) => {
    const { db, caller, now } = context;
    const campaign = await lockCampaign(db, caller, REVIEW, id);
    context.about(campaignName(campaign.id));
    stop(
      refusedArchived(campaign) ??
        refusedAsStale(campaign, revision) ??
        refusedPolicy(campaign, review_policy),
    );
    await demandSeen(context, campaign, seen, READ);
    const to = { review_policy, review_sample: review_sample ?? campaign.review_sample };
    await savePolicy(db, campaign, to, { by: caller.principal, now });
    await lettersUnderPolicy(db, campaign.id, { by: caller.principal, now });
    await wakeCampaign(context, campaign.id);
    return await touched(context, campaign.id);
  },
);

const confirmation = bind(
  campaignNoHumanReview,
  async (context, { campaign: id, sequence_revision, seen }) => {
    const { db, caller, now } = context;
    const campaign = await lockCampaign(db, caller, REVIEW, id);
    context.about(campaignName(campaign.id));
    stop(refusedArchived(campaign) ?? refusedConfirmation(campaign, sequence_revision));
    await demandSeen(context, campaign, seen, READ);
    await saveConfirmation(db, campaign, caller, now);
    await wakeCampaign(context, campaign.id);
    return await touched(context, campaign.id);
  },
);

const pool = bind(campaignPool, async (context, { campaign: id, revision, identity_pool: entries, seen }) => {
  const { db, caller, now } = context;
  const campaign = await lockCampaign(db, caller, REVIEW, id);
  context.about(campaignName(campaign.id));
  stop(refusedArchived(campaign) ?? refusedAsStale(campaign, revision));
  await demandSeen(context, campaign, seen, READ);
  const known = await knownIdentities(
    db,
    entries.map((entry) => entry.identity_id),
  );
  stop(refusedPool(entries, known));
  const identity_pool = entries.map(({ identity_id, weight }) => ({ identity_id, weight }));
  const author = { by: caller.principal, now };
  await savePool(db, campaign, identity_pool, author);
  // No one is left to send: it stops, rather than drafting letters that no one can send.
  if (identity_pool.length === 0) await pauseCampaign(db, campaign.id, 'pool_empty', author.by, now);
  await wakeCampaign(context, campaign.id);
  return await touched(context, campaign.id);
});

export const reviewHandlers = [policy, confirmation, pool];
