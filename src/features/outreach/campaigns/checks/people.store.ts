// What letters may say of people, for one or for thousands at once: the values behind the merge fields, and the few facts
// that the checks of a campaign count.
import type { Reader } from '../../../../kernel/database.ts';
import { personIsSuppressed } from '../../../crm/suppressions/store.ts';

export type LetterPerson = {
  id: string;
  person: Record<string, unknown>;
  custom: Record<string, unknown>;
  company: Record<string, unknown>;
  to: { address: string; domain: string; verdict: string | null } | null;
  timezone: string | null;
  company_timezone: string | null;
};

const columns = (db: Reader) => db`
  p.id,
  jsonb_build_object('name', p.name, 'given', p.given, 'family', p.family, 'title', p.title, 'email', a.value,
    'phone', p.phone, 'country', p.country, 'language', p.language, 'timezone', p.timezone, 'source', p.source,
    'tags', array_to_string(p.tags, ', ')) as person,
  p.custom,
  case when co.id is null then '{}' else jsonb_build_object('name', co.name, 'domain', co.domain, 'country', co.country,
    'size', co.size, 'timezone', co.timezone, 'custom', co.custom) end as company,
  case when a.id is not null then jsonb_build_object('address', a.normalised, 'domain', a.domain, 'verdict', a.verdict) end as to,
  p.timezone, co.timezone as company_timezone`;

/** Null where there is no such person. Whoever shows them has loaded the person as their caller. */
export async function letterPerson(db: Reader, id: string): Promise<LetterPerson | null> {
  const [row] = await db<LetterPerson[]>`
    select ${columns(db)} from people p
    left join person_addresses a on a.person_id = p.id and a.is_primary
    left join companies co on co.id = p.company_id where p.id = ${id}`;
  return row ?? null;
}

export type CheckedPerson = LetterPerson & { founded: boolean; suppressed: boolean };

/** People who can still be written to in a campaign, the first of them enrolled first, at most `count`. */
export async function livePeople(
  db: Reader,
  campaign_id: string,
  count: number,
  now: Date,
): Promise<CheckedPerson[]> {
  return await db<CheckedPerson[]>`
    select ${columns(db)}, p.basis <> 'none' and coalesce(p.source, '') <> '' as founded,
      ${personIsSuppressed(db, now)} as suppressed
    from prospects pr join people p on p.id = pr.person_id
    left join person_addresses a on a.person_id = p.id and a.is_primary
    left join companies co on co.id = p.company_id
    where pr.campaign_id = ${campaign_id} and pr.ended is null order by pr.id limit ${count}`;
}
