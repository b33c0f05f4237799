// Campaigns as pure rules: what an archived one refuses, what a new one is, and what changed. Its states are a table of their own
// (running/campaign-states.rules.ts).
import { type Refusal, changedSince, conflict, invalid } from '../../../kernel/refusal.ts';
import { type Campaign, GUARDRAILS } from './contract.ts';

export const campaignName = (id: string): string => `outreach:campaign/${id}`;

export const readOnly = (): Refusal =>
  conflict('this campaign is archived and read-only: clone it to continue', {
    state: 'archived',
  });

export const refusedArchived = ({ state }: Pick<Campaign, 'state'>): Refusal | null =>
  state === 'archived' ? readOnly() : null;

export function refusedAsStale({ revision }: Pick<Campaign, 'revision'>, read: number): Refusal | null {
  if (revision === read) return null;
  return changedSince('this campaign', revision);
}

/** The days it runs on must be some: either alone may be open. */
export function refusedDays({ starts_on, ends_on }: Pick<Campaign, 'starts_on' | 'ends_on'>): Refusal | null {
  if (starts_on === null || ends_on === null || starts_on <= ends_on) return null;
  const says = 'ends_on must not be before starts_on';
  return invalid(says, { ends_on: says });
}

/** What can be changed by whoever may write the campaign; nothing here makes a letter leave unread or by someone else. */
export type CampaignSettings = Pick<
  Campaign,
  | 'name'
  | 'goal'
  | 'owner'
  | 'timezone'
  | 'windows'
  | 'blackout_dates'
  | 'starts_on'
  | 'ends_on'
  | 'daily_cap'
  | 'new_per_day'
  | 'first_delay'
  | 'stop_on_reply'
  | 'open_deal_on_positive'
  | 'exclusive'
  | 'max_touches_per_week_per_person'
  | 'unsubscribe_mode'
  | 'postal_address_id'
  | 'require_basis'
  | 'verification_policy'
  | 'guardrails'
>;

/** A new campaign where nothing is said. */
export const DEFAULTS: Omit<CampaignSettings, 'name'> = {
  goal: null,
  owner: null,
  timezone: 'UTC',
  windows: [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }],
  blackout_dates: [],
  starts_on: null,
  ends_on: null,
  daily_cap: null,
  new_per_day: null,
  first_delay: { days: 0, hours: 0 },
  stop_on_reply: true,
  open_deal_on_positive: true,
  exclusive: true,
  max_touches_per_week_per_person: 3,
  unsubscribe_mode: 'one_click',
  postal_address_id: null,
  require_basis: true,
  verification_policy: 'not_undeliverable',
  guardrails: GUARDRAILS,
};

const KEPT = ['name', ...Object.keys(DEFAULTS)] as (keyof CampaignSettings)[];

export const settingsOf = (campaign: CampaignSettings): CampaignSettings =>
  Object.fromEntries(KEPT.map((field) => [field, campaign[field]])) as CampaignSettings;

export type SettingChange = { field: string; from: unknown; to: unknown };

export function changesOf(before: CampaignSettings, to: CampaignSettings): SettingChange[] {
  return KEPT.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(to[field])).map((field) => ({
    field,
    from: before[field],
    to: to[field],
  }));
}

/** What of a campaign is in its letters: under each of them, or where a step asks for it. */
const FOOT: readonly string[] = ['postal_address_id', 'unsubscribe_mode'];
const ASKED_FOR: readonly string[] = ['name', 'goal'];

/** Whether letters would say something else by these changes, and whether each of them would; null: none. */
export function saidByLetters(before: CampaignSettings, to: CampaignSettings): { foot: boolean } | null {
  const fields = changesOf(before, to).map(({ field }) => field);
  const foot = fields.some((field) => FOOT.includes(field));
  return foot || fields.some((field) => ASKED_FOR.includes(field)) ? { foot } : null;
}

/** The copy of a campaign: its settings without its days, which are over or another's. */
export const settingsOfClone = (campaign: CampaignSettings, name: string | undefined): CampaignSettings => ({
  ...settingsOf(campaign),
  name: name ?? `${campaign.name.slice(0, 190)} (copy)`,
  starts_on: null,
  ends_on: null,
});
