// What writes deals: the row, and a fact of it beside, of the deal as it was loaded and locked.
import type { Author, Caller } from '../../../kernel/caller.ts';
import { json, type Reader, type Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { knownPrincipalIn, type PrincipalColumns, principalColumns } from '../../../kernel/principal-row.ts';
import { searchVector } from '../../../kernel/words.ts';
import type { Deal, DealFact } from './contract.ts';
import { changesOf, type DealChange, type DealFields } from './rules.ts';
import { type LoadedDeal, readAgain } from './store.ts';

/** The gap that new cards leave, so that others can be put between. */
const GAP = 1024;

/** New deals and those that arrive come last in their stage. */
async function arrival(tx: Transaction, stage: string): Promise<number> {
  const [row] = await tx<{ last: number | null }[]>`
    select max(position) as last from deals where state = 'open' and stage = ${stage}`;
  return (row?.last ?? 0) + GAP;
}

export type NewDeal = Omit<DealFields, 'custom'> & {
  custom: Deal['custom'];
  prospect_id: string | null;
  thread_id: string | null;
  opened_by: Deal['opened_by'];
  position: number | undefined;
};

export async function insertDeal(
  tx: Transaction,
  caller: Caller,
  given: NewDeal,
  now: Date,
): Promise<LoadedDeal> {
  return await readAgain(tx, caller, await writeDeal(tx, given, { by: caller.principal, now }));
}

/** The same for whoever opens one without being asked: gives its id. */
export async function writeDeal(tx: Transaction, given: NewDeal, { by, now }: Author): Promise<string> {
  const id = newId();
  const row = {
    ...given,
    id,
    state: 'open',
    position: given.position ?? (await arrival(tx, given.stage)),
    custom: json(tx, given.custom),
    search: searchVector(given.name),
    ...principalColumns(tx, 'created_by', by),
    created_at: now,
    updated_at: now,
  };
  await tx`insert into deals ${tx(row)}`;
  await insertFact(tx, id, 'opened', { changes: [] }, { by, now });
  return id;
}

/** Saves a loaded deal. Only a change that its history keeps counts as a new revision: where a card is does not. */
export async function saveDeal(
  tx: Transaction,
  caller: Caller,
  deal: LoadedDeal,
  { position, ...to }: Partial<DealFields> & { position?: number | undefined },
  now: Date,
): Promise<LoadedDeal> {
  const changes = changesOf(deal, to);
  const next = { ...deal, ...to };
  const moved = next.stage !== deal.stage;
  const row = {
    name: next.name,
    person_id: next.person_id,
    company_id: next.company_id,
    campaign_id: next.campaign_id,
    stage: next.stage,
    amount: next.amount,
    currency: next.currency,
    probability: next.probability,
    expected_on: next.expected_on,
    owner: next.owner,
    custom: json(tx, next.custom),
    position: position ?? (moved ? await arrival(tx, next.stage) : deal.position),
    search: searchVector(next.name),
    ...(changes.length > 0 && { revision: deal.revision + 1, updated_at: now }),
  };
  await tx`update deals set ${tx(row)} where id = ${deal.id}`;
  if (changes.length > 0)
    await insertFact(tx, deal.id, 'changed', { changes }, { by: caller.principal, now });
  return await readAgain(tx, caller, deal.id);
}

/** Closes or opens a loaded deal, with the reason. */
export async function saveState(
  tx: Transaction,
  caller: Caller,
  deal: LoadedDeal,
  fact: 'won' | 'lost' | 'reopened',
  reason: string | undefined,
  now: Date,
): Promise<LoadedDeal> {
  const row = {
    state: fact === 'reopened' ? 'open' : fact,
    lost_reason: fact === 'lost' ? (reason ?? null) : null,
    closed_at: fact === 'reopened' ? null : now,
    ...(fact === 'reopened' && { position: await arrival(tx, deal.stage) }),
    revision: deal.revision + 1,
    updated_at: now,
  };
  await tx`update deals set ${tx(row)} where id = ${deal.id}`;
  await insertFact(tx, deal.id, fact, { changes: [], reason }, { by: caller.principal, now });
  return await readAgain(tx, caller, deal.id);
}

/** Deletes a loaded deal with its history. */
export async function deleteDeal(tx: Transaction, deal: LoadedDeal): Promise<void> {
  await tx`delete from deals where id = ${deal.id}`;
}

type Details = { changes: DealChange[]; reason?: string | undefined };

async function insertFact(
  tx: Transaction,
  deal_id: string,
  kind: DealFact['kind'],
  details: Details,
  author: Author,
): Promise<void> {
  await insertFacts(tx, [deal_id], kind, details, author);
}

/** One fact of each of these deals. */
export async function insertFacts(
  tx: Transaction,
  deals: readonly string[],
  kind: DealFact['kind'],
  details: Details,
  { by, now }: Author,
): Promise<void> {
  const said = principalColumns(tx, 'by', by);
  await tx`
    insert into deal_facts (id, deal_id, kind, details, by_kind, by_id, by_name, by_on_behalf_of, at)
    select fact.id, fact.deal_id, ${kind}, ${json(tx, details)}, ${said['by_kind'] ?? null}, ${said['by_id'] ?? null},
      ${said['by_name'] ?? null}, ${said['by_on_behalf_of'] ?? null}, ${now}
    from unnest(${deals.map(() => newId())}::uuid[], ${[...deals]}::uuid[]) as fact (id, deal_id)`;
}

type FactRow = PrincipalColumns<'by'> & {
  id: string;
  kind: DealFact['kind'];
  details: Partial<Details>;
  at: Date;
};

/** What happened to a loaded deal, newest first. */
export async function listFacts(
  db: Reader,
  deal: LoadedDeal,
  after: readonly [at: string, id: string] | null,
  count: number,
): Promise<DealFact[]> {
  const rows = await db<FactRow[]>`
    select id, kind, details, by_kind, by_id, by_name, by_on_behalf_of, at from deal_facts
    where deal_id = ${deal.id} ${after === null ? db`` : db`and (at, id) < (${after[0]}, ${after[1]})`}
    order by at desc, id desc limit ${count}`;
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    by: knownPrincipalIn(row, 'by'),
    at: row.at.toISOString(),
    changes: row.details.changes ?? [],
    reason: row.details.reason ?? null,
  }));
}
