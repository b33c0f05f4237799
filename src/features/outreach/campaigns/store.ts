// The loaders of campaigns: the only way to have one is through a loader that names the action and the caller. What writes
// them (save.store.ts) takes the loaded row, never an id.
import { type Caller } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { denied } from '../../../kernel/denied.ts';
import { decide } from '../../../kernel/policy.ts';
import { knownPrincipalIn, principalIn, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { type Refusal, notFound } from '../../../kernel/refusal.ts';
import { allowedBy } from '../../access/policies/named.store.ts';
import type { Campaign, CampaignState, ListedCampaign } from './contract.ts';
import { easedOf } from './eased.rules.ts';
import { campaignName } from './rules.ts';

const loaded = Symbol('loaded');

/** A campaign that its caller may have for the action it was loaded for; counts and seen are asked apart (counts.store.ts, seen.store.ts). */
export type LoadedCampaign = Omit<Campaign, 'counts' | 'seen'> & { readonly [loaded]: true };

type ListedRow = PrincipalColumns<'created_by'> &
  Omit<ListedCampaign, 'counts' | 'created_by' | 'created_at' | 'updated_at' | 'activated_at'> & {
    created_at: Date;
    updated_at: Date;
    activated_at: Date | null;
  };

type Row = ListedRow &
  PrincipalColumns<'no_human_review_by'> &
  Pick<
    Campaign,
    | 'windows'
    | 'blackout_dates'
    | 'daily_cap'
    | 'new_per_day'
    | 'stop_on_reply'
    | 'open_deal_on_positive'
    | 'exclusive'
    | 'max_touches_per_week_per_person'
    | 'unsubscribe_mode'
    | 'postal_address_id'
    | 'require_basis'
    | 'verification_policy'
    | 'review_sample'
    | 'review_bound_revision'
    | 'identity_pool'
    | 'guardrails'
  > & {
    first_delay_hours: number;
    no_human_review_at: Date | null;
    no_human_review_revision: number | null;
    loosened_at: Date | null;
    eased: string[];
    agreed: Record<string, unknown>;
  };

const listedColumns = (db: Reader) => db`
  c.id, c.name, c.state, c.paused_reason, c.goal, c.owner, c.starts_on, c.ends_on, c.review_policy, c.timezone,
  c.sequence_revision, c.revision, c.created_by_kind, c.created_by_id, c.created_by_name, c.created_by_on_behalf_of,
  c.created_at, c.updated_at, c.activated_at`;

const columns = (db: Reader) => db`
  ${listedColumns(db)}, c.windows, c.blackout_dates::text[] as blackout_dates, c.daily_cap, c.new_per_day,
  c.first_delay_hours, c.stop_on_reply, c.open_deal_on_positive, c.exclusive, c.max_touches_per_week_per_person,
  c.unsubscribe_mode, c.postal_address_id, c.require_basis, c.verification_policy,
  c.review_sample, c.review_bound_revision, c.no_human_review_by_kind, c.no_human_review_by_id, c.no_human_review_by_name,
  c.no_human_review_by_on_behalf_of, c.no_human_review_at, c.no_human_review_revision, c.loosened_at, c.guardrails, c.eased, c.agreed,
  (select coalesce(jsonb_agg(jsonb_build_object('identity_id', e.identity_id, 'weight', e.weight) order by e.identity_id), '[]')
   from campaign_identities e where e.campaign_id = c.id) as identity_pool`;

const noCampaign = (): Refusal => notFound('campaign', 'GET /api/admin/outreach/campaigns lists campaigns');

/** A campaign is named so too where its sequence or its letters are what is asked for. */
export const allows = (caller: Caller, action: string, id: string): boolean =>
  decide(caller.rights, action, [campaignName(id)]).allowed;

export type Listed = Omit<ListedCampaign, 'counts'>;

function toListed(row: ListedRow): Listed {
  return {
    id: row.id,
    name: row.name,
    state: row.state,
    paused_reason: row.paused_reason,
    goal: row.goal,
    owner: row.owner,
    starts_on: row.starts_on,
    ends_on: row.ends_on,
    review_policy: row.review_policy,
    timezone: row.timezone,
    sequence_revision: row.sequence_revision,
    revision: row.revision,
    created_by: knownPrincipalIn(row, 'created_by'),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    activated_at: row.activated_at?.toISOString() ?? null,
  };
}

function confirmationOf(row: Row): Campaign['no_human_review'] {
  const confirmed_by = principalIn(row, 'no_human_review_by');
  if (!confirmed_by || !row.no_human_review_at || row.no_human_review_revision === null) return null;
  return {
    confirmed_by,
    confirmed_at: row.no_human_review_at.toISOString(),
    sequence_revision: row.no_human_review_revision,
    stale:
      row.no_human_review_revision !== row.sequence_revision ||
      (row.loosened_at !== null && row.loosened_at > row.no_human_review_at),
  };
}

const asLoaded = (row: Row): LoadedCampaign => {
  const settings = asSettings(row);
  return { ...settings, eased: easedOf(row.eased, row.agreed, settings), [loaded]: true };
};

const asSettings = (row: Row): Omit<LoadedCampaign, 'eased' | typeof loaded> => ({
  ...toListed(row),
  windows: row.windows,
  blackout_dates: row.blackout_dates,
  daily_cap: row.daily_cap,
  new_per_day: row.new_per_day,
  first_delay: { days: Math.floor(row.first_delay_hours / 24), hours: row.first_delay_hours % 24 },
  stop_on_reply: row.stop_on_reply,
  open_deal_on_positive: row.open_deal_on_positive,
  exclusive: row.exclusive,
  max_touches_per_week_per_person: row.max_touches_per_week_per_person,
  unsubscribe_mode: row.unsubscribe_mode,
  postal_address_id: row.postal_address_id,
  require_basis: row.require_basis,
  verification_policy: row.verification_policy,
  review_sample: row.review_sample,
  no_human_review: confirmationOf(row),
  identity_pool: row.identity_pool,
  guardrails: row.guardrails,
  review_bound_revision: row.review_bound_revision,
});

async function rowOf(db: Reader, id: string): Promise<Row | undefined> {
  const [row] = await db<Row[]>`select ${columns(db)} from campaigns c where c.id = ${id}`;
  return row;
}

/** Whoever may not even read it is not told that it is there. */
export async function loadCampaign(
  db: Reader,
  caller: Caller,
  action: string,
  id: string,
): Promise<LoadedCampaign> {
  const row = await rowOf(db, id);
  if (!row) throw noCampaign();
  if (!allows(caller, action, row.id))
    throw allows(caller, 'outreach.campaign.read', row.id)
      ? denied(caller, action, campaignName(row.id))
      : noCampaign();
  return asLoaded(row);
}

/** Loads a campaign and keeps everyone else from changing it until this act is over: the first lock of every act on one. */
export async function lockCampaign(
  tx: Transaction,
  caller: Caller,
  action: string,
  id: string,
): Promise<LoadedCampaign> {
  await tx`select 1 from campaigns where id = ${id} for no key update`;
  return await loadCampaign(tx, caller, action, id);
}

/** The campaign as this very act, which was allowed already, has left it. */
export async function readAgain(tx: Transaction, id: string): Promise<LoadedCampaign> {
  const row = await rowOf(tx, id);
  if (!row) throw new Error('a campaign that was just written is gone');
  return asLoaded(row);
}

/** Last changed first, as if those that the caller's policies deny were not there. */
export async function listCampaigns(
  db: Reader,
  caller: Caller,
  state: CampaignState | undefined,
  after: readonly [at: string, id: string] | null,
  count: number,
): Promise<Listed[]> {
  const { rights } = caller;
  const may = allowedBy(db, rights, 'outreach.campaign.read', { 'outreach:campaign/': db`c.id` }) ?? db`true`;
  const rows = await db<ListedRow[]>`
    select ${listedColumns(db)} from campaigns c
    where ${may} ${state === undefined ? db`` : db`and c.state = ${state}`}
      ${after === null ? db`` : db`and (c.updated_at, c.id) < (${after[0]}, ${after[1]}::uuid)`}
    order by c.updated_at desc, c.id desc limit ${count}`;
  return rows.map(toListed);
}
