// A person’s deals, for acts that reach every row of a person: merging, deleting, erasing, the timeline.
import { ERASED, type PersonHolder } from '../people/holders.ts';
import { knownPrincipalIn, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { announceDeals } from './opened.store.ts';
import { allows } from './store.ts';

type FactRow = PrincipalColumns<'by'> & {
  id: string;
  deal_id: string;
  name: string;
  kind: string;
  details: Record<string, unknown>;
  at: Date;
};

export const dealsOfPerson: PersonHolder = {
  name: 'deals',
  async move(tx, from, into, now, emit) {
    await tx`update deals set person_id = ${into} where person_id = ${from}`;
    await tx`
      insert into positive_readings (person_id, prospect_id, campaign_id, at)
      select ${into}, prospect_id, campaign_id, at from positive_readings where person_id = ${from} on conflict do nothing`;
    await tx`delete from positive_readings where person_id = ${from}`;
    await announceDeals(tx, emit, into, now);
  },
  // The money stays in the numbers; that an answer was positive goes with the person.
  async release(tx, person) {
    await tx`update deals set person_id = null where person_id = ${person}`;
    await tx`delete from positive_readings where person_id = ${person}`;
  },
  // Names, reasons and fields of a deal are people's words about someone; what it came to is not.
  async erase(tx, person, now) {
    await tx`
      update deal_facts f set details = '{"changes": []}'
      from deals d where d.id = f.deal_id and d.person_id = ${person}`;
    const deals = await tx<{ id: string }[]>`
      update deals set person_id = null, name = ${ERASED}, search = '', custom = '{}',
        lost_reason = case when lost_reason is not null then ${ERASED}::text end, revision = revision + 1, updated_at = ${now}
      where person_id = ${person} returning id`;
    await tx`delete from positive_readings where person_id = ${person}`;
    return deals.map(({ id }) => id);
  },
  async timeline(db, caller, person, after, count) {
    const all = await db<{ id: string }[]>`select id from deals where person_id = ${person}`;
    const seen = all.map(({ id }) => id).filter((id) => allows(caller, 'crm.deal.read', id));
    if (seen.length === 0) return [];
    const rows = await db<FactRow[]>`
      select f.id, f.deal_id, d.name, f.kind, f.details, f.by_kind, f.by_id, f.by_name, f.by_on_behalf_of, f.at
      from deal_facts f join deals d on d.id = f.deal_id
      where f.deal_id = any(${seen}) ${after === null ? db`` : db`and (f.at, f.id) < (${after[0]}, ${after[1]})`}
      order by f.at desc, f.id desc limit ${count}`;
    return rows.map((row) => ({
      id: row.id,
      kind: `deal_${row.kind}`,
      text: null,
      details: { deal_id: row.deal_id, deal: row.name, ...row.details },
      by: knownPrincipalIn(row, 'by'),
      at: row.at.toISOString(),
    }));
  },
};
