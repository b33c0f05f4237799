// Deals: what one is, and the operations that find, make, read, change, close, reopen and delete it (domain.md §1.9). The
// pipeline's stages and the board are in pipeline.contract.ts.
import { z } from 'zod';
import { csvOf } from '../../../kernel/csv.ts';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import {
  date,
  done,
  id,
  listOf,
  moment,
  page,
  principal,
  revision,
  text,
  time,
} from '../../../kernel/shapes.ts';
import { customValues } from '../fields/contract.ts';

export const STATES = ['open', 'won', 'lost'] as const;
export const state = named('DealState', z.enum(STATES));
export type DealState = (typeof STATES)[number];

export const stageKey = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'a small letter, then small letters, digits and underscores: at most 40');

/** Minor units of the currency: cents, not euros. */
const amount = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const currency = z.string().regex(/^[A-Z]{3}$/, 'three capitals, as EUR');
const probability = z.int().min(0).max(100);

export const listedDeal = z.object({
  id,
  name: z.string(),
  person_id: id.nullable(),
  /** Null too where the caller may not read that person or company. */
  person_name: z.string().nullable(),
  company_id: id.nullable(),
  company_name: z.string().nullable(),
  campaign_id: id.nullable(),
  prospect_id: id.nullable(),
  thread_id: id.nullable(),
  state,
  stage: z.string(),
  /** Minor units, as `amount_minor`, which says so. */
  amount: z.number().nullable(),
  amount_minor: z.number().nullable(),
  currency: z.string().nullable(),
  /** With its unit: `1,250.00 EUR`. */
  amount_text: z.string().nullable(),
  /** In per cent; null where the stage's holds. */
  probability: z.int().nullable(),
  expected_on: date.nullable(),
  owner: id.nullable(),
  owner_name: z.string().nullable(),
  lost_reason: z.string().nullable(),
  opened_by: z.enum(['reading', 'person', 'agent']),
  /** Where the card is in its stage. */
  position: z.number(),
  revision,
  created_by: principal,
  created_at: time,
  updated_at: time,
  closed_at: time.nullable(),
});
export type ListedDeal = z.infer<typeof listedDeal>;
named('ListedDeal', listedDeal);

export const deal = named('Deal', listedDeal.extend({ custom: z.record(z.string(), z.unknown()) }));
export type Deal = z.infer<typeof deal>;

/** What a list and the board are narrowed by. */
export const dealFilters = {
  /** `me`, `none`, or a user's id. */
  owner: z.union([z.enum(['me', 'none']), id]).optional(),
  person: id.optional(),
  company: id.optional(),
  campaign: id.optional(),
  /** Words of the name. */
  query: text(200).optional(),
};

const fields = {
  person_id: id.nullable(),
  company_id: id.nullable(),
  campaign_id: id.nullable(),
  stage: stageKey,
  amount: amount.nullable(),
  currency: currency.nullable(),
  probability: probability.nullable(),
  expected_on: date.nullable(),
  owner: z.union([z.literal('me'), id]).nullable(),
  custom: customValues,
  /** Where in its stage; a number between its neighbours'. At the end where nothing is said. */
  position: z.number(),
};

const one = '0198c0de-0000-7000-8000-000000000011';

export const SORTS = ['updated', 'expected', 'amount'] as const;

export const dealList = operation({
  name: 'deal_list',
  says: 'Finds deals by state, stage, owner, person, company, campaign or words; newest change first, or by expected day or amount.',
  method: 'GET',
  path: '/api/admin/crm/deals',
  takes: z.strictObject({
    state: state.optional(),
    stage: stageKey.optional(),
    /** Last changed at or after the one, and before the other. */
    since: moment.optional(),
    until: moment.optional(),
    ...dealFilters,
    /** `expected` soonest first, `amount` largest number first, whatever its currency. */
    sort: z.enum(SORTS).default('updated'),
    ...page,
  }),
  gives: listOf(listedDeal),
  example: { state: 'open' },
  effect: 'read',
  needs: { action: 'crm.deal.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
  cost: ({ query }) => query !== undefined,
});

export const dealExport = csvOf(dealList, 'deal_export', 'deals');

export const dealCreate = operation({
  name: 'deal_create',
  says: 'Opens a deal, in the first stage where none is named. Amounts are in minor units: 125000 with EUR is 1,250 euros.',
  method: 'POST',
  path: '/api/admin/crm/deals',
  takes: z.strictObject({ name: text(200), ...z.object(fields).partial().shape }),
  gives: z.object({ deal }),
  example: { name: 'Forty seats for Roe & Sons', amount: 125_000, currency: 'EUR' },
  effect: 'write',
  needs: { action: 'crm.deal.create', on: () => ['crm:deal'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: CREATED,
});

export const dealGet = operation({
  name: 'deal_get',
  says: 'Reads one deal whole.',
  method: 'GET',
  path: '/api/admin/crm/deals/:deal',
  takes: z.strictObject({ deal: id }),
  gives: z.object({ deal }),
  example: { deal: one },
  effect: 'read',
  needs: { action: 'crm.deal.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const dealUpdate = operation({
  name: 'deal_update',
  says: 'Changes a deal or moves it to another stage; it needs the revision that was read, and refuses when the deal changed since.',
  method: 'PATCH',
  path: '/api/admin/crm/deals/:deal',
  takes: z.strictObject({
    deal: id,
    revision,
    name: text(200).optional(),
    ...z.object(fields).partial().shape,
  }),
  gives: z.object({ deal }),
  example: { deal: one, revision: 1, stage: 'qualified' },
  effect: 'write',
  needs: { action: 'crm.deal.write', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const dealState = operation({
  name: 'deal_state',
  says: 'Closes a deal as won or lost, or opens it again. Lost and opened again need a reason, which its history keeps.',
  method: 'POST',
  path: '/api/admin/crm/deals/:deal/state',
  takes: z.strictObject({
    deal: id,
    revision,
    state,
    /** Why it was lost. */
    lost_reason: text(500).optional(),
    /** Why a closed deal is opened again. */
    reason: text(500).optional(),
  }),
  gives: z.object({ deal }),
  example: { deal: one, revision: 1, state: 'won' },
  effect: 'write',
  needs: { action: 'crm.deal.write', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const dealDelete = operation({
  name: 'deal_delete',
  says: 'Deletes a deal with its history. Close a deal that came to nothing as lost instead, so that metrics keep it.',
  method: 'DELETE',
  path: '/api/admin/crm/deals/:deal',
  takes: z.strictObject({ deal: id }),
  gives: done,
  example: { deal: one },
  effect: 'destroy',
  needs: { action: 'crm.deal.delete', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

const change = z.object({ field: z.string(), from: z.unknown(), to: z.unknown() });

export const dealFact = z.object({
  id,
  kind: z.enum(['opened', 'changed', 'won', 'lost', 'reopened']),
  by: principal,
  at: time,
  changes: z.array(change),
  reason: z.string().nullable(),
});
export type DealFact = z.infer<typeof dealFact>;
named('DealFact', dealFact);

export const dealHistory = operation({
  name: 'deal_history',
  says: 'Lists what happened to a deal, newest first, with who did it.',
  method: 'GET',
  path: '/api/admin/crm/deals/:deal/history',
  takes: z.strictObject({ deal: id, ...page }),
  gives: listOf(dealFact),
  example: { deal: one },
  effect: 'read',
  needs: { action: 'crm.deal.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
