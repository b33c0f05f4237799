// What may happen to a deal and to the pipeline, as pure rules. Handlers throw these refusals; screens show their sentences.
import { type Refusal, changedSince, conflict, invalid } from '../../../kernel/refusal.ts';
import type { Deal, DealState } from './contract.ts';
import type { Stage } from './pipeline.contract.ts';

export const dealName = (id: string): string => `crm:deal/${id}`;

export function refusedAsStale(deal: { revision: number }, read: number): Refusal | null {
  return deal.revision === read ? null : changedSince('this deal', deal.revision);
}

/*
 * The state of a deal. A closed deal is opened again before it is closed the other way, so that its history says why.
 *
 *   is     asked for      ruling
 *   any    the same       stays
 *   open   won            closes
 *   open   lost           closes; needs lost_reason
 *   won    open           reopens; needs reason
 *   lost   open           reopens; needs reason
 *   won    lost           refused: open it again first
 *   lost   won            refused: open it again first
 */
export type StateRuling =
  | { kind: 'stays' }
  | { kind: 'moves'; fact: 'won' | 'lost' | 'reopened' }
  | { kind: 'refused'; refusal: Refusal };

export function ruleState(
  from: DealState,
  {
    state,
    lost_reason,
    reason,
  }: { state: DealState; lost_reason?: string | undefined; reason?: string | undefined },
): StateRuling {
  const refused = (refusal: Refusal): StateRuling => ({ kind: 'refused', refusal });
  const missing = (field: string, says: string) => refused(invalid(says, { [field]: says }));
  if (state === from) return { kind: 'stays' };
  if (state === 'open')
    return reason === undefined
      ? missing('reason', 'reason: say why you’re reopening this deal; it’s saved in the deal’s history')
      : { kind: 'moves', fact: 'reopened' };
  if (from !== 'open')
    return refused(
      conflict(`this deal is closed as ${from}: reopen it with a reason, then close it as ${state}`),
    );
  if (state === 'lost' && lost_reason === undefined)
    return missing('lost_reason', 'lost_reason: say why the deal was lost');
  return { kind: 'moves', fact: state };
}

type Money = Pick<Deal, 'amount' | 'currency'>;

/** The money of a deal after `given`: without an amount there is no currency either. */
export function moneyAfter(
  before: Money,
  given: { amount?: number | null | undefined; currency?: string | null | undefined },
): Money | Refusal {
  const amount = given.amount === undefined ? before.amount : given.amount;
  const currency = given.currency === undefined ? before.currency : given.currency;
  if (amount === null && (given.currency === undefined || given.currency === null))
    return { amount: null, currency: null };
  if (amount !== null && currency !== null) return { amount, currency };
  const [field, says] =
    amount === null
      ? ['amount', 'amount: a currency needs an amount']
      : ['currency', 'currency: give the amount’s currency, such as EUR'];
  return invalid(says, { [field]: says });
}

/** The fields of a deal that its history keeps. Where a card is in its column is the column's matter, not its own. */
const KEPT = [
  'name',
  'person_id',
  'company_id',
  'campaign_id',
  'stage',
  'amount',
  'currency',
  'probability',
  'expected_on',
  'owner',
  'custom',
] as const satisfies (keyof Deal)[];

export type DealFields = Pick<Deal, (typeof KEPT)[number]>;
export type DealChange = { field: string; from: unknown; to: unknown };

/** What really differs between a deal and what it is to become; of custom fields each is alone. */
export function changesOf(before: DealFields, to: Partial<DealFields>): DealChange[] {
  return KEPT.flatMap((field) => {
    if (to[field] === undefined) return [];
    if (field === 'custom') return customChanges(before.custom, to.custom ?? {});
    return before[field] === to[field] ? [] : [{ field, from: before[field], to: to[field] }];
  });
}

function customChanges(before: Deal['custom'], to: Deal['custom']): DealChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(to)])];
  return keys
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(to[key]))
    .map((key) => ({ field: `custom.${key}`, from: before[key] ?? null, to: to[key] ?? null }));
}

/** A closed deal keeps the stage it was closed in. */
export function refusedToMove(state: DealState, from: string, to: string | undefined): Refusal | null {
  return to === undefined || to === from || state === 'open'
    ? null
    : conflict(`this deal is closed as ${state}: reopen it before you move it to another stage`);
}

/** Everything of a deal must fit into one answer of a tool (specification §8: 48,000 characters). */
export const CUSTOM_MAX_CHARS = 40_000;

export function refusedAsTooLarge(custom: unknown): Refusal | null {
  const chars = JSON.stringify(custom).length;
  if (chars <= CUSTOM_MAX_CHARS) return null;
  const says = `custom: the fields are ${chars} characters of JSON and the limit is ${CUSTOM_MAX_CHARS}`;
  return invalid(says, { custom: says });
}

/** Stages of which two have one key, or moves that lead from or to none. */
export function refusedStages(
  before: readonly Stage[],
  to: readonly Stage[],
  move: Record<string, string>,
): Refusal | null {
  const faults: Record<string, string> = {};
  for (const [at, { key }] of to.entries())
    if (to.findIndex((stage) => stage.key === key) !== at)
      faults[`stages.${at}`] = `stages.${at}: the key ${key} is used twice`;
  for (const [from, target] of Object.entries(move)) {
    if (!before.some(({ key }) => key === from) || to.some(({ key }) => key === from))
      faults[`move.${from}`] = `move.${from}: list only stages that are removed`;
    else if (!to.some(({ key }) => key === target))
      faults[`move.${from}`] = `move.${from}: stage ${target} doesn’t exist`;
  }
  const all = Object.values(faults);
  return all.length > 0 ? invalid(all.join('; ').slice(0, 290), faults) : null;
}

export const goneStages = (before: readonly Stage[], to: readonly Stage[]): Stage[] =>
  before.filter(({ key }) => !to.some((stage) => stage.key === key));

/** `standing` says how many deals, open and closed, are in each stage that goes. */
export function refusedToDrop(
  standing: readonly { stage: string; count: number }[],
  move: Record<string, string>,
): Refusal | null {
  const left = standing.filter(({ stage, count }) => count > 0 && !(stage in move));
  if (left.length === 0) return null;
  const named = left
    .slice(0, 2)
    .map(({ stage, count }) => `${stage} (${count} ${count === 1 ? 'deal' : 'deals'})`)
    .join(', ');
  const more = left.length > 2 ? ` and ${left.length - 2} more` : '';
  return conflict(`deals in ${named}${more} need another stage: give it in move`, {
    standing: Object.fromEntries(left.map(({ stage, count }) => [stage, count])),
  });
}
