// Starting and stopping a campaign: activating is wire act 4, also where it resumes; stopping is free (domain.md §1.2).
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { id, listOf, page, principal, seenIn, time } from '../../../kernel/shapes.ts';
import { campaign, exampleCampaign, ofCampaigns } from './contract.ts';

const one = { campaign: id };
const gives = z.object({ campaign });

export const campaignActivate = operation({
  name: 'campaign_activate',
  says: 'Starts a campaign, or resumes a paused or finished one: letters begin to leave. It refuses with every check that fails, at once, and where something changed since the seen that it carries.',
  method: 'POST',
  path: '/api/admin/outreach/campaigns/:campaign/activate',
  takes: z.strictObject({ ...one, seen: seenIn('campaign_preflight') }),
  gives,
  example: { campaign: exampleCampaign },
  effect: 'write',
  needs: { action: 'outreach.campaign.activate', on: 'row' },
  ...ofCampaigns,
  wire: { act: 'campaign.activate' },
  answers: OK,
});

export const campaignPause = operation({
  name: 'campaign_pause',
  says: 'Pauses an active campaign: no letter of it starts from now on. Activating it resumes.',
  method: 'POST',
  path: '/api/admin/outreach/campaigns/:campaign/pause',
  takes: z.strictObject(one),
  gives,
  example: { campaign: exampleCampaign },
  effect: 'write',
  needs: { action: 'outreach.campaign.pause', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
});

export const campaignArchive = operation({
  name: 'campaign_archive',
  says: 'Archives a campaign that is not active: its waiting letters are cancelled and it can only be read from then on.',
  method: 'POST',
  path: '/api/admin/outreach/campaigns/:campaign/archive',
  takes: z.strictObject(one),
  gives,
  example: { campaign: exampleCampaign },
  effect: 'write',
  needs: { action: 'outreach.campaign.archive', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
});

export const FACTS = [
  'created',
  'cloned',
  'changed',
  'activated',
  'paused',
  'finished',
  'archived',
  'review_policy',
  'no_human_review',
  'pool',
  'sequence',
] as const;

export const campaignFact = z.object({
  id,
  kind: z.enum(FACTS),
  details: z.record(z.string(), z.unknown()),
  by: principal,
  at: time,
});
export type CampaignFact = z.infer<typeof campaignFact>;
named('CampaignFact', campaignFact);

export const campaignHistory = operation({
  name: 'campaign_history',
  says: 'Lists what happened to a campaign, newest first: starts and stops, every changed setting, review and pool, with who did it.',
  method: 'GET',
  path: '/api/admin/outreach/campaigns/:campaign/history',
  takes: z.strictObject({ ...one, ...page }),
  gives: listOf(campaignFact),
  example: { campaign: exampleCampaign },
  effect: 'read',
  needs: { action: 'outreach.campaign.read', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
});
