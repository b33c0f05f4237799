// The campaigns whose people a caller may see, for finding people by campaign.
import { decide } from '../../../kernel/policy.ts';
import type { CampaignsRead } from '../../crm/people/holders.ts';
import { campaignIds } from './metrics/metrics.store.ts';
import { campaignName } from './rules.ts';
import { loadCampaign } from './store.ts';

const READ = 'outreach.prospect.read';

export const campaignsWithPeople: CampaignsRead = async ({ db, caller }, campaign) => {
  if (campaign !== null) return [(await loadCampaign(db, caller, READ, campaign)).id];
  if (caller.rights.admin) return null;
  const may = (id: string): boolean => decide(caller.rights, READ, [campaignName(id)]).allowed;
  return (await campaignIds(db)).filter(may);
};
