// How far a suppression would reach, of what its caller may read: people who have such an address, how many of them are in a
// campaign, and their letters that have not started.
import type { Caller } from '../../../kernel/caller.ts';
import type { Reader } from '../../../kernel/database.ts';
import { couldAllow } from '../../../kernel/policy.ts';
import { addressHash } from '../../../mail/address.ts';
import { readable } from '../people/store.ts';
import type { Reach } from './contract.ts';
import type { Target } from './rules.ts';

export async function reachOf(db: Reader, caller: Caller, targets: readonly Target[]): Promise<Reach> {
  const may = (action: string): boolean => couldAllow(caller.rights, action);
  if (!may('crm.person.read')) return { people: null, in_campaigns: null, letters_withdrawn: null };
  const of = (kind: Target['kind']) => targets.filter((each) => each.kind === kind).map(({ value }) => value);
  const [hashes, domains] = [of('address').map(addressHash), of('domain')];
  const [row] = await db<{ people: number; in_campaigns: number; letters: number }[]>`
    with reached as (
      select p.id from people p
      where p.id in (
        select a.person_id from person_addresses a where a.hash = any(${hashes}::text[])
        union select a.person_id from person_addresses a where a.domain = any(${domains}::text[]))
        and ${readable(db, caller, 'crm.person.read')})
    select (select count(*) from reached)::int as people,
      (select count(distinct pr.person_id) from prospects pr join reached r on r.id = pr.person_id
       where pr.ended is null)::int as in_campaigns,
      (select count(*) from sends s join reached r on r.id = s.person_id
       where s.state in ('drafted', 'review', 'scheduled')
         and (s.to_hash = any(${hashes}::text[])
           or regexp_replace(s.to_address, '^.*@', '') = any(${domains}::text[])))::int as letters`;
  return {
    people: row?.people ?? 0,
    in_campaigns: may('outreach.prospect.read') ? (row?.in_campaigns ?? 0) : null,
    letters_withdrawn: may('outreach.send.read') ? (row?.letters ?? 0) : null,
  };
}
