// What campaigns keep of a person, for the acts on people that reach every row of one: merging, deleting, erasing, the
// timeline.
import type { PersonHolder } from '../../crm/people/holders.ts';
import { knownPrincipalIn, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { decide } from '../../../kernel/policy.ts';
import type { Transaction } from '../../../kernel/database.ts';
import type { EndReason } from './contract.ts';
import { addressGiven } from './enrol/address.store.ts';
import { addFacts } from './history.store.ts';
import { endProspects, endProspectsOf } from './spine/move.store.ts';
import { prospectNames, STEPPING } from './names.rules.ts';
import { mergedAway, stageReached } from './spine/prospect-states.store.ts';
import { leads, type Stage } from './spine/spine.rules.ts';

type Row = {
  id: string;
  campaign_id: string;
  person_id: string;
  stage: Stage;
  stage_at: Date;
  ended: EndReason | null;
  written_to: boolean;
  created_at: Date;
};

type FactRow = PrincipalColumns<'by'> & {
  id: string;
  prospect_id: string;
  campaign_id: string;
  campaign: string;
  kind: string;
  details: Record<string, unknown>;
  at: Date;
};

const rowsOf = (tx: Transaction, people: readonly string[]): Promise<Row[]> => tx<Row[]>`
  select p.id, p.campaign_id, p.person_id, p.stage, p.stage_at, p.ended, p.created_at,
    exists (select from sends s where s.prospect_id = p.id and s.sending_at is not null) as written_to
  from prospects p where p.person_id = any(${[...people]}::uuid[]) order by p.id for no key update of p`;

/** Of two rows in one campaign the one goes on that was written to, else the older one. */
const goesOn = (a: Row, b: Row): [goes: Row, over: Row] => {
  const first = a.written_to === b.written_to ? a.created_at <= b.created_at : a.written_to;
  return first ? [a, b] : [b, a];
};

export const prospectsOfPerson: PersonHolder = {
  name: 'prospects',
  async move(tx, from, into, now) {
    const rows = await rowsOf(tx, [from, into]);
    const mine = rows.filter((row) => row.person_id === into);
    for (const theirs of rows.filter((row) => row.person_id === from)) {
      const other = mine.find((row) => row.campaign_id === theirs.campaign_id);
      if (!other) continue;
      await become(tx, ...goesOn(other, theirs), now);
    }
    await tx`update prospects set person_id = ${into}, updated_at = ${now} where person_id = ${from}`;
    // Whoever opted out under either name has opted out, in every campaign.
    if (rows.some(({ stage }) => stage === 'unsubscribed'))
      await endProspectsOf(tx, into, 'unsubscribed', STEPPING, now);
  },
  addressed: addressGiven,
  async release(tx, person, now) {
    await endProspectsOf(tx, person, 'person_deleted', STEPPING, now);
    await tx`update prospects set person_id = null, to_hash = null, updated_at = ${now} where person_id = ${person}`;
  },
  // What people wrote about someone goes; stages and days stay in the numbers.
  async erase(tx, person, now) {
    await endProspectsOf(tx, person, 'person_deleted', STEPPING, now);
    await tx`
      update prospect_facts f set details = f.details - 'reason' from prospects p
      where p.id = f.prospect_id and p.person_id = ${person} and f.kind <> 'ended'`;
    const prospects = await tx<{ id: string }[]>`
      update prospects set person_id = null, to_hash = null, hold_reason = case when hold_by is not null then 'Erased'::text end, updated_at = ${now}
      where person_id = ${person} returning id`;
    return prospects.map(({ id }) => id);
  },
  // Enrolments in campaigns that haven't started, of which no letter was written.
  idle: {
    table: 'prospects',
    async of(db, people) {
      const rows = await db<{ person_id: string }[]>`
        select p.person_id from prospects p join campaigns c on c.id = p.campaign_id
        where p.person_id = any(${[...people]}::uuid[]) group by p.person_id
        having bool_and(c.activated_at is null
          and not exists (select from sends s where s.prospect_id = p.id)
          and not exists (select from threads t where t.prospect_id = p.id))`;
      return new Set(rows.map(({ person_id }) => person_id));
    },
    async drop(tx, people) {
      await tx`delete from prospects where person_id = any(${[...people]}::uuid[])`;
    },
  },
  async timeline(db, caller, person, after, count) {
    const all = await db<{ id: string; campaign_id: string }[]>`
      select id, campaign_id from prospects where person_id = ${person}`;
    const seen = all.filter(
      (each) => decide(caller.rights, 'outreach.prospect.read', prospectNames(each)).allowed,
    );
    if (seen.length === 0) return [];
    const rows = await db<FactRow[]>`
      select f.id, f.prospect_id, p.campaign_id, c.name as campaign, f.kind, f.details, f.by_kind, f.by_id, f.by_name,
        f.by_on_behalf_of, f.at
      from prospect_facts f join prospects p on p.id = f.prospect_id join campaigns c on c.id = p.campaign_id
      where f.prospect_id = any(${seen.map(({ id }) => id)}::uuid[])
        ${after === null ? db`` : db`and (f.at, f.id) < (${after[0]}, ${after[1]})`}
      order by f.at desc, f.id desc limit ${count}`;
    return rows.map(({ id, prospect_id, campaign_id, campaign, kind, details, at, ...by }) => ({
      id,
      kind: `prospect_${kind}`,
      text: null,
      details: { prospect_id, campaign_id, campaign, ...details },
      by: knownPrincipalIn(by, 'by'),
      at: at.toISOString(),
    }));
  },
};

/** The one row takes over how far the other came and that it was ended; the other is over and no one's. */
async function become(tx: Transaction, goes: Row, over: Row, now: Date): Promise<void> {
  await endProspects(tx, [over.id], 'merged', STEPPING, now);
  await mergedAway(tx, over.id, now);
  if (over.ended !== null && over.ended !== 'merged' && goes.ended === null)
    await endProspects(tx, [goes.id], over.ended, STEPPING, now);
  if (over.stage !== 'enrolled' && leads(goes.stage, over.stage)) {
    await stageReached(tx, [goes.id], over.stage, over.stage_at, now);
    const details = { from: goes.stage, to: over.stage, cause: 'merge' };
    await addFacts(tx, [{ prospect_id: goes.id, kind: 'stage', details }], STEPPING, now);
  }
}
