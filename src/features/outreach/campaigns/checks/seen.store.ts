// The fingerprint of a campaign as a person sees it before activating it or changing its review: everything its letters depend
// on except the people in it. Enrolling people has a gate of its own, and each letter’s gates check their values.
import type { Reader } from '../../../../kernel/database.ts';
import { seenOf } from '../../../../kernel/seen.ts';
import type { LoadedCampaign } from '../store.ts';

type Row = { senders: unknown[]; postal_address: string | null };

export async function seenOfCampaign(db: Reader, campaign: LoadedCampaign): Promise<string> {
  const { id, revision, sequence_revision, no_human_review, postal_address_id } = campaign;
  const [around] = await db<Row[]>`
    select
      (select coalesce(jsonb_agg(jsonb_build_array(e.identity_id, e.weight, i.revision, i.active, i.gone_at is null,
         d.name, d.state) order by e.identity_id), '[]')
       from campaign_identities e join identities i on i.id = e.identity_id join domains d on d.id = i.domain_id
       where e.campaign_id = ${id}) as senders,
      (select lines from postal_addresses where id = ${postal_address_id}) as postal_address`;
  return seenOf('campaign', id, revision, sequence_revision, no_human_review?.stale ?? null, around);
}
