// What a campaign’s checks and previews need besides its own row: its senders with their domains, and the postal address in its
// letters.
import type { Reader } from '../../../../kernel/database.ts';
import type { PoolSender } from '../hours.rules.ts';

const columns = (db: Reader) => db`
  i.id as identity_id, i.name, i.address, i.active and i.gone_at is null as active, i.timezone, i.workday, i.daily_cap,
  i.signature_text, i.signature_html, i.transport_kind, d.name as domain, d.state as domain_state, d.daily_cap as domain_cap,
  array[coalesce(d.auth -> 'spf' ->> 'outcome', 'unknown'), coalesce(d.auth -> 'dkim' ->> 'outcome', 'unknown'),
    coalesce(d.auth -> 'dmarc' ->> 'outcome', 'unknown')] as auth`;

export const sendersOf = (db: Reader, campaign_id: string) => db<PoolSender[]>`
  select ${columns(db)}, e.weight from campaign_identities e
  join identities i on i.id = e.identity_id join domains d on d.id = i.domain_id
  where e.campaign_id = ${campaign_id} order by i.id`;

export type Enrolled = { prospect_id: string; sender: PoolSender | null };

/** How someone is in a campaign, with whoever writes to them where that is settled; null: they are not in it. */
export async function enrolledAs(
  db: Reader,
  campaign_id: string,
  person_id: string,
): Promise<Enrolled | null> {
  const [row] = await db<{ id: string; identity_id: string | null }[]>`
    select id, identity_id from prospects where campaign_id = ${campaign_id} and person_id = ${person_id}`;
  if (!row) return null;
  const [pinned] = await db<PoolSender[]>`
    select ${columns(db)}, 1 as weight from identities i join domains d on d.id = i.domain_id
    where i.id = ${row.identity_id}`;
  return { prospect_id: row.id, sender: pinned ?? null };
}

/** The lines of a postal address; null where the campaign has none. */
export async function postalLines(db: Reader, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const [row] = await db<{ lines: string }[]>`select lines from postal_addresses where id = ${id}`;
  return row?.lines ?? null;
}
