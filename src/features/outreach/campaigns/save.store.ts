// Writes campaigns: the row and a fact, of the campaign as it was loaded and locked.
import type { Author, Caller } from '../../../kernel/caller.ts';
import { json, type Reader, type Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { knownPrincipalIn, type PrincipalColumns, principalColumns } from '../../../kernel/principal-row.ts';
import { searchVector } from '../../../kernel/words.ts';
import { nameKey } from '../../crm/people/rules.ts';
import type { Campaign } from './contract.ts';
import { changesOf, type CampaignSettings, settingsOf } from './rules.ts';
import type { CampaignFact } from './running.contract.ts';
import type { LoadedCampaign } from './store.ts';

const settingsRow = (tx: Transaction, to: CampaignSettings) => ({
  name: to.name,
  name_key: nameKey(to.name),
  search: searchVector(to.name),
  goal: to.goal,
  owner: to.owner,
  timezone: to.timezone,
  windows: json(tx, to.windows),
  blackout_dates: to.blackout_dates,
  starts_on: to.starts_on,
  ends_on: to.ends_on,
  daily_cap: to.daily_cap,
  new_per_day: to.new_per_day,
  first_delay_hours: to.first_delay.days * 24 + to.first_delay.hours,
  stop_on_reply: to.stop_on_reply,
  open_deal_on_positive: to.open_deal_on_positive,
  exclusive: to.exclusive,
  max_touches_per_week_per_person: to.max_touches_per_week_per_person,
  unsubscribe_mode: to.unsubscribe_mode,
  postal_address_id: to.postal_address_id,
  require_basis: to.require_basis,
  verification_policy: to.verification_policy,
  guardrails: json(tx, to.guardrails),
});

/** A draft: every letter is reviewed, no one sends, no one confirmed anything, whatever it was copied from. */
export async function insertCampaign(
  tx: Transaction,
  settings: CampaignSettings,
  of: { copied_from: string | null },
  { by, now }: Author,
): Promise<string> {
  const id = newId();
  const row = {
    id,
    state: 'draft',
    ...settingsRow(tx, settings),
    review_policy: 'every_letter',
    ...principalColumns(tx, 'created_by', by),
    created_at: now,
    updated_at: now,
  };
  await tx`insert into campaigns ${tx(row)}`;
  const details = of.copied_from === null ? {} : { copied_from: of.copied_from };
  await writeFact(tx, id, of.copied_from === null ? 'created' : 'cloned', details, { by, now });
  return id;
}

/** Only what a loaded campaign does not have already counts as a change. */
export async function saveSettings(
  tx: Transaction,
  campaign: LoadedCampaign,
  to: CampaignSettings,
  author: Author,
): Promise<boolean> {
  const changes = changesOf(settingsOf(campaign), to);
  if (changes.length === 0) return false;
  await update(tx, campaign, settingsRow(tx, to), author.now);
  await writeFact(tx, campaign.id, 'changed', { changes }, author);
  return true;
}

/** What someone eased who may not activate it: none of its letters leaves until it is activated again, or that is undone. */
export async function saveEased(
  tx: Transaction,
  campaign: LoadedCampaign,
  eased: Campaign['eased'],
): Promise<void> {
  const agreed = Object.fromEntries(
    eased.flatMap(({ setting, was }) => (was === null ? [] : [[setting, was]])),
  );
  const settings = eased.map(({ setting }) => setting);
  await tx`
    update campaigns set eased = ${settings}::text[], agreed = ${json(tx, agreed)} where id = ${campaign.id}`;
}

/** Its state is written by running/campaign-states.store.ts alone. */
type Columns = Record<string, unknown> & { state?: never };

async function update(tx: Transaction, campaign: LoadedCampaign, row: Columns, now: Date): Promise<void> {
  const next = { ...row, revision: campaign.revision + 1, updated_at: now };
  await tx`update campaigns set ${tx(next as never)} where id = ${campaign.id}`;
}

/** Whose word it is, and which token it was given with where that is not the principal itself. */
export function wordOf(
  tx: Transaction,
  name: 'activated' | 'no_human_review',
  { principal, credential }: Caller,
): Columns {
  const carried = principal.kind === 'person' && credential.kind === 'token' ? credential.id : null;
  return { ...principalColumns(tx, `${name}_by`, principal), [`${name}_token`]: carried };
}

/** The policy is bound to the steps as they are now. */
const bound = (campaign: LoadedCampaign, now: Date): Columns => ({
  review_bound_revision: campaign.sequence_revision,
  review_bound_at: now,
});

export async function savePolicy(
  tx: Transaction,
  campaign: LoadedCampaign,
  to: Pick<Campaign, 'review_policy' | 'review_sample'>,
  author: Author,
): Promise<void> {
  await update(tx, campaign, { ...to, ...bound(campaign, author.now) }, author.now);
  const { review_policy: from } = campaign;
  await writeFact(tx, campaign.id, 'review_policy', { from, ...to }, author);
}

export async function saveConfirmation(
  tx: Transaction,
  campaign: LoadedCampaign,
  caller: Caller,
  now: Date,
): Promise<void> {
  const row = {
    ...wordOf(tx, 'no_human_review', caller),
    no_human_review_at: now,
    no_human_review_revision: campaign.sequence_revision,
    ...bound(campaign, now),
  };
  await update(tx, campaign, row, now);
  const details = { sequence_revision: campaign.sequence_revision };
  await writeFact(tx, campaign.id, 'no_human_review', details, { by: caller.principal, now });
}

export async function savePool(
  tx: Transaction,
  campaign: LoadedCampaign,
  pool: Campaign['identity_pool'],
  author: Author,
): Promise<void> {
  await tx`delete from campaign_identities where campaign_id = ${campaign.id}`;
  const rows = pool.map((entry) => ({ campaign_id: campaign.id, ...entry }));
  if (rows.length > 0) await tx`insert into campaign_identities ${tx(rows)}`;
  await update(tx, campaign, {}, author.now);
  await writeFact(tx, campaign.id, 'pool', { from: campaign.identity_pool, to: pool }, author);
}

/** Deletes a loaded draft; false where people or letters hang on it. */
export async function deleteCampaign(tx: Transaction, campaign: LoadedCampaign): Promise<boolean> {
  const [used] = await tx`
    select 1 where exists (select from prospects where campaign_id = ${campaign.id})
      or exists (select from sends where campaign_id = ${campaign.id})`;
  if (used) return false;
  await tx`delete from campaigns where id = ${campaign.id}`;
  return true;
}

export async function writeFact(
  tx: Transaction,
  campaign_id: string,
  kind: CampaignFact['kind'],
  details: Record<string, unknown>,
  { by, now }: Author,
): Promise<void> {
  const row = {
    id: newId(),
    campaign_id,
    kind,
    details: json(tx, details),
    ...principalColumns(tx, 'by', by),
    at: now,
  };
  await tx`insert into campaign_facts ${tx(row)}`;
}

type FactRow = PrincipalColumns<'by'> & Omit<CampaignFact, 'by' | 'at'> & { at: Date };

/** What happened to a loaded campaign, newest first. */
export async function listFacts(
  db: Reader,
  campaign: LoadedCampaign,
  after: readonly [at: string, id: string] | null,
  count: number,
): Promise<CampaignFact[]> {
  const rows = await db<FactRow[]>`
    select id, kind, details, by_kind, by_id, by_name, by_on_behalf_of, at from campaign_facts
    where campaign_id = ${campaign.id} ${after === null ? db`` : db`and (at, id) < (${after[0]}, ${after[1]}::uuid)`}
    order by at desc, id desc limit ${count}`;
  return rows.map(({ id, kind, details, at, ...row }) => ({
    id,
    kind,
    details,
    by: knownPrincipalIn(row, 'by'),
    at: at.toISOString(),
  }));
}
