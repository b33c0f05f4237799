// Campaigns by what they are called, for arguments that name one.
import { type ByName, MOST_FOUND } from '../../../kernel/by-name.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { searchQuery } from '../../../kernel/words.ts';
import { findCampaigns } from './search.store.ts';

export const campaignsByName: ByName = {
  noun: 'campaign',
  how: 'GET /api/admin/outreach/campaigns lists campaigns',
  action: 'outreach.campaign.read',
  takes: (_op, key) => key === 'campaign' || key === 'campaign_id',
  isName: (value) => !isUuid(value),
  async find({ db, caller }, name) {
    const words = searchQuery(name);
    return words === null ? [] : await findCampaigns(db, caller, words, MOST_FOUND);
  },
};
