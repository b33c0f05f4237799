// Whose place in a campaign a deal speaks of.
import type { Reader } from '../../../../kernel/database.ts';

/**
 * The prospect that the deal names; else the person's in the deal's campaign; else, where the deal names no campaign, the one
 * in which they came furthest, the latest of those. Null: the person was in none.
 */
export async function prospectOfDeal(
  db: Reader,
  deal: { prospect_id: string | null; person_id: string | null; campaign_id: string | null },
): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`
    select id from prospects
    where ${
      deal.prospect_id === null
        ? db`person_id = ${deal.person_id} ${deal.campaign_id === null ? db`` : db`and campaign_id = ${deal.campaign_id}`}`
        : db`id = ${deal.prospect_id}`
    }
    order by stage in ('positive', 'meeting', 'won') desc, stage_at desc, id desc limit 1`;
  return row?.id ?? null;
}
