// The deal that a positive answer opens, and what an answer needs to know of its campaign.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { firstStage } from '../../../crm/deals/pipeline.store.ts';
import { writeDeal } from '../../../crm/deals/save.store.ts';
import type { EndReason } from '../../../outreach/prospects/contract.ts';
import type { Stage } from '../../../outreach/prospects/spine/spine.rules.ts';

/** Whom and what an answer is about. */
export type DealPlace = {
  thread_id: string;
  person_id: string;
  prospect_id: string | null;
  campaign_id: string | null;
};

export type ProspectFacts = {
  id: string;
  campaign_id: string;
  stage: Stage;
  ended: EndReason | null;
  stop_on_reply: boolean;
  open_deal_on_positive: boolean;
  /** For the hours of whoever is away: their own zone, their company's, and the campaign's. */
  person_timezone: string | null;
  company_timezone: string | null;
  campaign_timezone: string;
  to_domain: string | null;
};

/** The prospect that an answer is about; of one outside any campaign, every campaign that still writes to the person. */
export const prospectsMeant = (
  tx: Transaction,
  { prospect_id, person_id }: DealPlace,
): Promise<ProspectFacts[]> =>
  tx<ProspectFacts[]>`
    select p.id, p.campaign_id, p.stage, p.ended, c.stop_on_reply, c.open_deal_on_positive,
      h.timezone as person_timezone, co.timezone as company_timezone, c.timezone as campaign_timezone,
      (select a.domain from person_addresses a where a.person_id = h.id and a.is_primary) as to_domain
    from prospects p join campaigns c on c.id = p.campaign_id
    left join people h on h.id = p.person_id left join companies co on co.id = h.company_id
    where ${prospect_id === null ? tx`p.person_id = ${person_id} and p.ended is null` : tx`p.id = ${prospect_id}`}
    order by p.id`;

/**
 * Opens a deal where the person has none open and none came of this place in a campaign before. The person's row is held:
 * of two answers at once, one opens it.
 */
export async function openDealOf(
  tx: Transaction,
  place: DealPlace,
  by: Principal,
  now: Date,
): Promise<string | null> {
  const [person] = await tx<{ name: string; address: string | null; company_id: string | null }[]>`
    select p.name, p.company_id,
      (select a.value from person_addresses a where a.person_id = p.id and a.is_primary) as address
    from people p where p.id = ${place.person_id} for no key update of p`;
  if (!person) return null;
  const [known] = await tx`
    select from deals where person_id = ${place.person_id} and (state = 'open' or prospect_id = ${place.prospect_id})
    limit 1`;
  if (known) return null;
  const [campaign] = await tx<{ owner: string | null }[]>`
    select owner from campaigns where id = ${place.campaign_id}`;
  const name = person.name.trim() || person.address || 'A positive answer';
  return await writeDeal(
    tx,
    {
      name,
      person_id: place.person_id,
      company_id: person.company_id,
      campaign_id: place.campaign_id,
      prospect_id: place.prospect_id,
      thread_id: place.thread_id,
      stage: await firstStage(tx),
      amount: null,
      currency: null,
      probability: null,
      expected_on: null,
      owner: campaign?.owner ?? null,
      custom: {},
      opened_by: 'reading',
      position: undefined,
    },
    { by, now },
  );
}
