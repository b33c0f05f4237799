// Campaigns by the words of their names, for the search over everything.
import type { Caller } from '../../../kernel/caller.ts';
import type { Reader } from '../../../kernel/database.ts';
import { allowedBy } from '../../access/policies/named.store.ts';
import type { CampaignState } from './contract.ts';

export type FoundCampaign = { id: string; name: string; state: CampaignState };

/** Last changed first. `words` is a tsquery; as if what the caller's policies deny one by one were not there. */
export async function findCampaigns(
  db: Reader,
  caller: Caller,
  words: string,
  count: number,
): Promise<FoundCampaign[]> {
  const theirs = allowedBy(db, caller.rights, 'outreach.campaign.read', { 'outreach:campaign/': db`c.id` });
  return await db<FoundCampaign[]>`
    select c.id, c.name, c.state from campaigns c
    where c.search @@ ${words}::tsquery ${theirs === null ? db`` : db`and ${theirs}`}
    order by c.updated_at desc, c.id desc limit ${count}`;
}
