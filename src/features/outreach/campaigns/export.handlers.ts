// The columns of campaigns as a CSV file.
import { bindCsv } from '../../../kernel/csv.ts';
import { campaignExport, campaignList } from './contract.ts';

export const exportCampaigns = bindCsv(campaignExport, campaignList, 'campaigns', {
  id: (c) => c.id,
  name: (c) => c.name,
  goal: (c) => c.goal,
  state: (c) => c.state,
  paused_reason: (c) => c.paused_reason,
  people: (c) => c.counts.people,
  sent: (c) => c.counts.sent,
  replied: (c) => c.counts.replied,
  updated_at: (c) => c.updated_at,
});
