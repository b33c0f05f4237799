// Handlers of starting and stopping a campaign, and of what happened to one.
import { z } from 'zod';
import { isPerson } from '../../../kernel/caller.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { conflict, stop, type Refusal } from '../../../kernel/refusal.ts';
import { bind } from '../../../kernel/context.ts';
import { cancelLetters } from '../sends/letter/flow.store.ts';
import type { Check } from './checks.contract.ts';
import { demandSeen, shown, touched, wakeCampaign } from './handlers.ts';
import { preflight } from './checks/preflight.ts';
import { campaignName } from './rules.ts';
import { refusedAct } from './running/campaign-states.rules.ts';
import { activateCampaign, archiveCampaign, pauseCampaign } from './running/campaign-states.store.ts';
import { campaignActivate, campaignArchive, campaignHistory, campaignPause } from './running.contract.ts';
import { listFacts } from './save.store.ts';
import { loadCampaign, lockCampaign } from './store.ts';

const PREFLIGHT = '/api/admin/outreach/campaigns/:campaign/preflight';

const activate = bind(campaignActivate, async (context, { campaign: id, seen }) => {
  const { db, caller, now } = context;
  const campaign = await lockCampaign(db, caller, 'outreach.campaign.activate', id);
  context.about(campaignName(campaign.id));
  stop(refusedAct(campaign.state, 'activate'));
  await demandSeen(context, campaign, seen, PREFLIGHT);
  stop(refusedByChecks(await preflight(db, campaign, now, context.app)));
  await activateCampaign(db, campaign, caller, now);
  await wakeCampaign(context, campaign.id);
  return await touched(context, campaign.id);
});

/** Every check that fails, in one sentence as far as it goes and whole in the details. */
function refusedByChecks(checks: readonly Check[]): Refusal | null {
  const failed = checks.filter((check) => check.required && check.ok === false);
  if (failed.length === 0) return null;
  const said: string[] = [];
  for (const { sentence } of failed) {
    if ([...said, sentence].join(' ').length > 230) break;
    said.push(sentence);
  }
  const left = failed.length - said.length;
  const more = left > 0 ? ` And ${left} more in details.checks.` : '';
  return conflict(`this campaign can’t start yet: ${said.join(' ')}${more}`, {
    checks: failed,
    fields: Object.fromEntries(failed.map(({ code, sentence }) => [code, sentence])),
  });
}

const pause = bind(campaignPause, async (context, { campaign: id }) => {
  const { db, caller, now } = context;
  const campaign = await lockCampaign(db, caller, 'outreach.campaign.pause', id);
  context.about(campaignName(campaign.id));
  // Whoever stops what is still already has what they wanted.
  if (campaign.state === 'paused') return await shown(context, campaign);
  stop(refusedAct(campaign.state, 'pause'));
  const reason = isPerson(caller) ? 'person' : 'agent';
  await pauseCampaign(db, campaign.id, reason, caller.principal, now);
  return await touched(context, campaign.id);
});

const archive = bind(campaignArchive, async (context, { campaign: id }) => {
  const { db, caller, now } = context;
  const campaign = await lockCampaign(db, caller, 'outreach.campaign.archive', id);
  context.about(campaignName(campaign.id));
  if (campaign.state === 'archived') return await shown(context, campaign);
  stop(refusedAct(campaign.state, 'archive'));
  const author = { by: caller.principal, now };
  await archiveCampaign(db, campaign, author);
  await cancelLetters(db, { campaign_id: campaign.id }, 'campaign_archived', author.by, now);
  return await touched(context, campaign.id);
});

const history = bind(campaignHistory, async ({ db, caller }, { campaign: id, limit, cursor }) => {
  const campaign = await loadCampaign(db, caller, 'outreach.campaign.read', id);
  const after = keyIn(cursor, () => z.tuple([z.iso.datetime(), z.guid()]));
  return pageOf(await listFacts(db, campaign, after, limit + 1), limit, ({ at, id: fact }) => [at, fact]);
});

export const runningHandlers = [activate, pause, archive, history];
