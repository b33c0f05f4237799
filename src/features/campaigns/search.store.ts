// Campaigns by the words of their names, for the search over everything.
import type { Caller } from '../../kernel/caller.ts';
import type { Reader } from '../../kernel/ground.ts';
import type { CampaignState } from './contract.ts';
import { allows } from './store.ts';

export type FoundCampaign = { id: string; name: string; state: CampaignState };

/** Last changed first. `words` is a tsquery; what the caller's policies deny one by one is not among them. */
export async function findCampaigns(
  db: Reader,
  caller: Caller,
  words: string,
  count: number,
): Promise<FoundCampaign[]> {
  const rows = await db<FoundCampaign[]>`
    select c.id, c.name, c.state from campaigns c
    where c.search @@ ${words}::tsquery order by c.updated_at desc, c.id desc limit ${count}`;
  return rows.filter(({ id }) => allows(caller, 'outreach.campaign.read', id));
}
