// All SQL of enrolment: who may be put into a campaign, asked of many at once, and their rows.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import { newId } from '../../../../kernel/ids.ts';
import { principalColumns } from '../../../../kernel/principal-row.ts';
import type { StandingMark } from '../../../crm/suppressions/contract.ts';
import { addressMark, personMark } from '../../../crm/suppressions/store.ts';
import { addFacts, countStages } from '../history.store.ts';

/** What decides about one person. */
export type Candidate = {
  person_id: string;
  name: string | null;
  /** Null where there is no such person. */
  there: boolean;
  present: 'in' | 'removed' | null;
  opted_out: boolean;
  /** The strongest suppression of any address of theirs, and that of the one that is written to. */
  mark: StandingMark | null;
  primary_mark: StandingMark | null;
  has_address: boolean;
  elsewhere: { id: string; name: string } | null;
};

/**
 * Keeps these people for this act: of two campaigns that would have the same person at once, the second sees the first, and
 * no one is merged or deleted meanwhile. In the order of their ids, always.
 */
export async function holdPeople(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx`select from people where id = any(${[...ids]}::uuid[]) order by id for no key update`;
}

/**
 * One for each id, in no order. Their places in campaigns are read in one go and put beside them here: asked of each person
 * within the query, they are gone through again and again while the rows of this very act are new to the planner (20,000
 * people took a hundred seconds).
 */
export async function candidates(
  db: Reader,
  campaign: { id: string; exclusive: boolean },
  ids: readonly string[],
  now: Date,
): Promise<Candidate[]> {
  const rows = await db<Omit<Candidate, 'present' | 'opted_out' | 'elsewhere'>[]>`
    select w.id as person_id, p.name, p.id is not null as there, ${personMark(db, now)} as mark,
      a.hash is not null as has_address, case when a.hash is not null then ${addressMark(db, now)} end as primary_mark
    from unnest(${[...ids]}::uuid[]) w (id)
    left join people p on p.id = w.id
    left join person_addresses a on a.person_id = w.id and a.is_primary`;
  const places = Map.groupBy(await placesOf(db, campaign, ids), ({ person_id }) => person_id);
  return rows.map((row) => {
    const of = places.get(row.person_id) ?? [];
    const here = of.find((place) => place.campaign_id === campaign.id);
    const live = of.find((place) => place.live);
    return {
      ...row,
      present: here ? (here.ended === 'removed' ? 'removed' : 'in') : null,
      opted_out: of.some((place) => place.opted_out),
      elsewhere: live ? { id: live.campaign_id, name: live.campaign_name } : null,
    };
  });
}

type PlaceOf = {
  person_id: string;
  campaign_id: string;
  campaign_name: string;
  ended: string | null;
  opted_out: boolean;
  /** In another campaign in which they are still written to, where one of the two is exclusive. */
  live: boolean;
};

async function placesOf(
  db: Reader,
  campaign: { id: string; exclusive: boolean },
  ids: readonly string[],
): Promise<PlaceOf[]> {
  return await db<PlaceOf[]>`
    select o.person_id, o.campaign_id, oc.name as campaign_name, o.ended,
      o.stage = 'unsubscribed' and not exists (
        select from person_addresses a join suppressions s on s.value_hash = a.hash
        where a.person_id = o.person_id and s.kind = 'address' and s.reason = 'unsubscribe'
          and s.lifted_at > o.stage_at) as opted_out,
      o.campaign_id <> ${campaign.id} and o.ended is null and (${campaign.exclusive}::boolean or oc.exclusive)
        and oc.state in ('draft', 'active', 'paused')
        and (o.next_at is not null or exists (select from sends x where x.prospect_id = o.id
          and x.state in ('drafted', 'review', 'scheduled', 'held', 'sending', 'uncertain'))) as live
    from prospects o join campaigns oc on oc.id = o.campaign_id
    where o.person_id = any(${[...ids]}::uuid[])`;
}

/** Rows of people whom nothing refuses; the constraint keeps out whoever is in already. Gives how many are new. */
export async function insertProspects(
  tx: Transaction,
  campaign_id: string,
  people: readonly string[],
  by: Principal,
  now: Date,
): Promise<number> {
  const rows = people.map((person_id) => ({ id: newId(), person_id }));
  const ids = rows.map(({ id }) => id);
  const columns = principalColumns(tx, 'enrolled_by', by);
  const made = await tx<{ id: string }[]>`
    insert into prospects (id, campaign_id, person_id, to_hash, stage, stage_at, next_at, enrolled_by_kind, enrolled_by_id,
      enrolled_by_name, enrolled_by_on_behalf_of, created_at, updated_at)
    select w.id, ${campaign_id}, w.person_id, a.hash, 'enrolled', ${now}, ${now}, ${columns['enrolled_by_kind'] as string},
      ${columns['enrolled_by_id'] as string}, ${columns['enrolled_by_name'] as string},
      ${columns['enrolled_by_on_behalf_of'] as null}::jsonb, ${now}, ${now}
    from unnest(${ids}::uuid[], ${rows.map(({ person_id }) => person_id)}::uuid[]) w (id, person_id)
    left join person_addresses a on a.person_id = w.person_id and a.is_primary
    on conflict (campaign_id, person_id) do nothing returning id`;
  await addFacts(
    tx,
    made.map(({ id }) => ({ prospect_id: id, kind: 'enrolled', details: {} })),
    by,
    now,
  );
  await countStages(
    tx,
    made.map(() => ({ campaign_id, from: null, to: 'enrolled' as const })),
    now,
  );
  return made.length;
}
