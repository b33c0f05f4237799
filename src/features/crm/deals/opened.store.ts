// The only place that emits `deal.opened` (domain.md §1.9): once per prospect and deal, when a reply of the person was read as
// positive and they have an open deal. The later of the two emits it.
import type { EventData } from '../../../kernel/events.rules.ts';
import type { Transaction } from '../../../kernel/database.ts';

/** An answer outside any campaign has no prospect. */
const NO_PROSPECT = '00000000-0000-0000-0000-000000000000';

/** Queues the event in the transaction of the fact: a context's or the database's `emit`. */
export type Announce = (event: 'deal.opened', data: EventData['deal.opened']) => Promise<unknown>;

export type PositiveReading = {
  person_id: string;
  prospect_id: string | null;
  campaign_id: string | null;
  at: Date;
};

type Opened = {
  deal_id: string;
  prospect_id: string;
  deal_campaign: string | null;
  campaign_id: string | null;
};

/**
 * Tells of every open deal of this person that a positive reading is beside and that was not told of yet. Called after
 * the fact was written, in its transaction. The person's row is held first: of a deal and a reading that are written at the
 * same moment, the later one so sees the other, and neither is missed.
 */
export async function announceDeals(
  tx: Transaction,
  announce: Announce,
  person_id: string,
  now: Date,
): Promise<void> {
  await tx`select 1 from people where id = ${person_id} for no key update`;
  const opened = await tx<Opened[]>`
    with told as (
      insert into deals_announced (deal_id, prospect_id, at)
      select d.id, r.prospect_id, ${now} from deals d join positive_readings r on r.person_id = d.person_id
      where d.person_id = ${person_id} and d.state = 'open'
      on conflict do nothing returning deal_id, prospect_id
    )
    select t.deal_id, t.prospect_id, d.campaign_id as deal_campaign, r.campaign_id
    from told t join deals d on d.id = t.deal_id
    join positive_readings r on r.person_id = d.person_id and r.prospect_id = t.prospect_id
    order by t.deal_id, t.prospect_id`;
  for (const { deal_id, prospect_id, deal_campaign, campaign_id } of opened)
    await announce('deal.opened', {
      deal_id,
      campaign_id: campaign_id ?? deal_campaign,
      person_id,
      prospect_id: prospect_id === NO_PROSPECT ? null : prospect_id,
      state: 'open',
    });
}

/** Keeps that an answer of this person was read as positive, once for each prospect, and tells of the deals it opens. */
export async function notePositive(
  tx: Transaction,
  announce: Announce,
  { person_id, prospect_id, campaign_id, at }: PositiveReading,
): Promise<void> {
  await tx`
    insert into positive_readings (person_id, prospect_id, campaign_id, at)
    values (${person_id}, ${prospect_id ?? NO_PROSPECT}, ${campaign_id}, ${at}) on conflict do nothing`;
  await announceDeals(tx, announce, person_id, at);
}
