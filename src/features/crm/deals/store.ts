// The loaders of deals: the only way to have one is through a loader that names the action and the caller. What writes them
// (save.store.ts) takes the loaded row, never an id.
import { type Caller } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { denied } from '../../../kernel/denied.ts';
import { decide } from '../../../kernel/policy.ts';
import { knownPrincipalIn, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { type Refusal, notFound } from '../../../kernel/refusal.ts';
import type { Deal, ListedDeal } from './contract.ts';
import { dealName } from './rules.ts';
import { withUnit } from './units.rules.ts';

const loaded = Symbol('loaded');

/** A deal that its caller may have for the action it was loaded for. */
export type LoadedDeal = Deal & { readonly [loaded]: true };

export const noDeal = (): Refusal => notFound('deal', 'GET /api/admin/crm/deals lists deals');

export const allows = (caller: Caller, action: string, id: string): boolean =>
  decide(caller.rights, action, [dealName(id)]).allowed;

type Moment = Date | string;

export type ListedRow = PrincipalColumns<'created_by'> &
  Omit<
    ListedDeal,
    'amount_minor' | 'amount_text' | 'created_by' | 'created_at' | 'updated_at' | 'closed_at'
  > & {
    created_at: Moment;
    updated_at: Moment;
    closed_at: Moment | null;
  };

export type DealRow = ListedRow & Pick<Deal, 'custom'>;

/** Of `deals d`, of which no more are there than will be shown: each looks up whom its ids mean. */
export const listedColumns = (db: Reader) => db`
  d.id, d.name, d.person_id, (select p.name from people p where p.id = d.person_id) as person_name, d.company_id,
  (select c.name from companies c where c.id = d.company_id) as company_name, d.campaign_id, d.prospect_id, d.thread_id,
  d.state, d.stage, d.amount, d.currency, d.probability, d.expected_on, d.owner,
  (select u.name from users u where u.id = d.owner) as owner_name, d.lost_reason, d.opened_by, d.position, d.revision,
  d.created_by_kind, d.created_by_id, d.created_by_name, d.created_by_on_behalf_of, d.created_at, d.updated_at, d.closed_at`;

const iso = (moment: Moment): string => new Date(moment).toISOString();

/** A name is shown to those alone who may read whom it names. */
function readable(
  caller: Caller,
  noun: 'person' | 'company',
  id: string | null,
  name: string | null,
): string | null {
  const may = id !== null && decide(caller.rights, `crm.${noun}.read`, [`crm:${noun}/${id}`]).allowed;
  return may && name !== '' ? name : null;
}

export function toListed(row: ListedRow, caller: Caller): ListedDeal {
  return {
    id: row.id,
    name: row.name,
    person_id: row.person_id,
    person_name: readable(caller, 'person', row.person_id, row.person_name),
    company_id: row.company_id,
    company_name: readable(caller, 'company', row.company_id, row.company_name),
    campaign_id: row.campaign_id,
    prospect_id: row.prospect_id,
    thread_id: row.thread_id,
    state: row.state,
    stage: row.stage,
    amount: row.amount,
    amount_minor: row.amount,
    amount_text: row.amount === null || row.currency === null ? null : withUnit(row.amount, row.currency),
    currency: row.currency,
    probability: row.probability,
    expected_on: row.expected_on,
    owner: row.owner,
    owner_name: row.owner_name,
    lost_reason: row.lost_reason,
    opened_by: row.opened_by,
    position: row.position,
    revision: row.revision,
    created_by: knownPrincipalIn(row, 'created_by'),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    closed_at: row.closed_at && iso(row.closed_at),
  };
}

async function rowOf(db: Reader, id: string): Promise<DealRow | undefined> {
  const [row] = await db<DealRow[]>`
    select ${listedColumns(db)}, d.custom from deals d where d.id = ${id}`;
  return row;
}

const asLoaded = (row: DealRow, caller: Caller): LoadedDeal => ({
  ...toListed(row, caller),
  custom: row.custom,
  [loaded]: true,
});

/** Whoever may not even read it is not told that it is there. */
export async function loadDeal(db: Reader, caller: Caller, action: string, id: string): Promise<LoadedDeal> {
  const row = await rowOf(db, id);
  if (!row) throw noDeal();
  if (!allows(caller, action, row.id))
    throw allows(caller, 'crm.deal.read', row.id) ? denied(caller, action, dealName(row.id)) : noDeal();
  return asLoaded(row, caller);
}

/** The deal as it is after this very act wrote it: the act was allowed already. */
export async function readAgain(tx: Transaction, caller: Caller, id: string): Promise<LoadedDeal> {
  const row = await rowOf(tx, id);
  if (!row) throw new Error('a deal that was just written is gone');
  return asLoaded(row, caller);
}

/** Loads a deal and keeps everyone else from changing it until this act is over. */
export async function lockDeal(
  tx: Transaction,
  caller: Caller,
  action: string,
  id: string,
): Promise<LoadedDeal> {
  await tx`select 1 from deals where id = ${id} for no key update`;
  return await loadDeal(tx, caller, action, id);
}
