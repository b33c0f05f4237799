// Handlers of deals. Any change that can open a deal for a person checks whether to emit `deal.opened` (opened.store.ts).
import { z } from 'zod';
import { isAgent } from '../../../kernel/caller.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { Refusal, stop } from '../../../kernel/refusal.ts';
import { bind, type Bound, type ReadContext, type WriteContext } from '../../../kernel/context.ts';
import { searchQuery } from '../../../kernel/words.ts';
import { asRefusal, mergedCustom, refusedCustom } from '../fields/rules.ts';
import { holdFields } from '../fields/store.ts';
import { dealCreate, dealDelete, dealGet, dealHistory, dealList, dealState, dealUpdate } from './contract.ts';
import { type DealFilters, searchDeals, sortKey } from './list.store.ts';
import { announceDeals } from './opened.store.ts';
import { firstStage } from './pipeline.store.ts';
import { type DealRelations, strangers } from './relations.store.ts';
import {
  dealName,
  moneyAfter,
  refusedAsStale,
  refusedAsTooLarge,
  refusedToMove,
  ruleState,
} from './rules.ts';
import { deleteDeal, insertDeal, listFacts, saveDeal, saveState } from './save.store.ts';
import { type LoadedDeal, loadDeal, lockDeal } from './store.ts';
import type { OnWon } from './won.ts';

type FilterArgs = Omit<DealFilters, 'words'> & { query?: string | undefined };

/** Null where the words hold none that could be found. */
export function filtersOf(context: ReadContext, { owner, query, ...rest }: FilterArgs): DealFilters | null {
  const words = query === undefined ? undefined : searchQuery(query);
  if (words === null) return null;
  // Someone without a user account owns no deal: their own id finds none.
  return {
    ...rest,
    owner: owner === 'me' ? (context.caller.user_id ?? context.caller.principal.id) : owner,
    words,
  };
}

const keyOf = {
  updated: () => z.tuple([z.iso.datetime(), z.guid()]),
  expected: () => z.tuple([z.union([z.iso.date(), z.literal('infinity')]), z.guid()]),
  amount: () => z.tuple([z.int(), z.guid()]),
};

const list = bind(dealList, async (context, { state, stage, sort, limit, cursor, ...args }) => {
  const filters = filtersOf(context, args);
  const after = keyIn<[string | number, string]>(cursor, keyOf[sort]);
  if (filters === null) return { items: [], next_cursor: null };
  const search = { ...filters, state, stage, sort, after, count: limit + 1 };
  const found = await searchDeals(context.db, context.caller, 'crm.deal.read', search);
  return pageOf(found, limit, (row) => sortKey(sort, row));
});

const get = bind(dealGet, async ({ db, caller }, args) => {
  return { deal: shown(await loadDeal(db, caller, 'crm.deal.read', args.deal)) };
});

const history = bind(dealHistory, async ({ db, caller }, { deal: id, limit, cursor }) => {
  const deal = await loadDeal(db, caller, 'crm.deal.read', id);
  const after = keyIn(cursor, () => z.tuple([z.iso.datetime(), z.guid()]));
  return pageOf(await listFacts(db, deal, after, limit + 1), limit, ({ at, id: fact }) => [at, fact]);
});

const shown = ({ ...deal }: LoadedDeal): LoadedDeal => deal;

/** Whom `owner` means: the caller's own user for `me`, who has to be one. */
function ownerNamed(context: WriteContext, owner: string | null | undefined): string | null | undefined {
  if (owner !== 'me') return owner;
  if (context.caller.user_id !== null) return context.caller.user_id;
  throw asRefusal({ owner: 'owner: a token without a user can’t own a deal; give a user’s id' });
}

async function checkNamed(
  context: WriteContext,
  named: DealRelations,
  given: Record<string, unknown>,
): Promise<void> {
  stop(asRefusal(await strangers(context.db, named)));
  if (Object.keys(given).length > 0)
    stop(refusedCustom(await holdFields(context.db, 'deal'), given, 'a deal'));
}

/** The deal is there, or is again, or is another person's now: the world may have to be told. */
async function announce(context: WriteContext, { person_id, state }: LoadedDeal): Promise<void> {
  if (person_id !== null && state === 'open')
    await announceDeals(context.db, context.emit, person_id, context.now);
}

function tell(context: WriteContext, deal: LoadedDeal): { deal: LoadedDeal } {
  context.about(dealName(deal.id));
  context.tell('deals', deal.id);
  return { deal: shown(deal) };
}

function checkedMoney(
  ...args: Parameters<typeof moneyAfter>
): Exclude<ReturnType<typeof moneyAfter>, Refusal> {
  const money = moneyAfter(...args);
  if (money instanceof Refusal) throw money;
  return money;
}

const create = bind(dealCreate, async (context, { owner: ref, ...given }) => {
  const { db, caller, now } = context;
  const money = checkedMoney({ amount: null, currency: null }, given);
  const owner = ownerNamed(context, ref) ?? null;
  const custom = mergedCustom({}, given.custom ?? {});
  await checkNamed(context, { ...given, owner }, custom);
  stop(refusedAsTooLarge(custom));
  const deal = await insertDeal(
    db,
    caller,
    {
      name: given.name,
      person_id: given.person_id ?? null,
      company_id: given.company_id ?? null,
      campaign_id: given.campaign_id ?? null,
      prospect_id: null,
      thread_id: null,
      stage: given.stage ?? (await firstStage(db)),
      probability: given.probability ?? null,
      expected_on: given.expected_on ?? null,
      ...money,
      owner,
      custom,
      opened_by: isAgent(caller) ? 'agent' : 'person',
      position: given.position,
    },
    now,
  );
  await announce(context, deal);
  return tell(context, deal);
});

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(given: T): Given<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given<T>;
}

const update = bind(dealUpdate, async (context, { deal: id, revision, owner: ref, custom, ...given }) => {
  const { db, caller, now } = context;
  const deal = await lockDeal(db, caller, 'crm.deal.write', id);
  context.about(dealName(deal.id));
  stop(refusedAsStale(deal, revision) ?? refusedToMove(deal.state, deal.stage, given.stage));
  const money = checkedMoney(deal, given);
  const owner = ownerNamed(context, ref);
  await checkNamed(context, { ...given, owner }, custom ?? {});
  const merged = custom && mergedCustom(deal.custom, custom);
  stop(refusedAsTooLarge(merged ?? {}));
  const saved = await saveDeal(
    db,
    caller,
    deal,
    withoutUndefined({ ...given, ...money, owner, custom: merged }),
    now,
  );
  if (saved.person_id !== deal.person_id) await announce(context, saved);
  return tell(context, saved);
});

const remove = bind(dealDelete, async (context, args) => {
  const deal = await lockDeal(context.db, context.caller, 'crm.deal.delete', args.deal);
  await deleteDeal(context.db, deal);
  tell(context, deal);
  return { ok: true as const };
});

const settle = (won: readonly OnWon[]): Bound =>
  bind(dealState, async (context, { deal: id, revision, ...asked }) => {
    const { db, caller, now } = context;
    const deal = await lockDeal(db, caller, 'crm.deal.write', id);
    context.about(dealName(deal.id));
    stop(refusedAsStale(deal, revision));
    const ruling = ruleState(deal.state, asked);
    if (ruling.kind === 'refused') throw ruling.refusal;
    if (ruling.kind === 'stays') return tell(context, deal);
    const reason = ruling.fact === 'lost' ? asked.lost_reason : asked.reason;
    const saved = await saveState(db, caller, deal, ruling.fact, reason, now);
    if (ruling.fact === 'reopened') await announce(context, saved);
    if (ruling.fact === 'won') for (const hear of won) await hear(context, saved);
    return tell(context, saved);
  });

export const dealHandlers = (won: readonly OnWon[]): Bound[] => [
  list,
  create,
  get,
  update,
  remove,
  settle(won),
  history,
];
