// Which changes to a campaign’s settings let it write more, sooner, at other hours or to other people than the activation agreed
// to. Made by someone who may not activate it, they wait for a person (gate 4). Pure.
import type { Caller } from '../../../kernel/caller.ts';
import { actsWithWire } from '../../../kernel/gates.ts';
import { decide } from '../../../kernel/policy.ts';
import type { Campaign } from './contract.ts';
import { campaignName, type CampaignSettings } from './rules.ts';

/** Whether this caller could have activated it with what they change. */
export const mayActivate = (caller: Caller, campaign: string): boolean =>
  actsWithWire(caller) &&
  decide(caller.rights, 'outreach.campaign.activate', [campaignName(campaign)]).allowed;

type Eases<K extends keyof CampaignSettings> = (
  before: CampaignSettings[K],
  to: CampaignSettings[K],
) => boolean;

const more = (before: number | null, to: number | null): boolean =>
  before !== null && (to === null || to > before);
const off = (before: boolean, to: boolean): boolean => before && !to;
const other = (before: unknown, to: unknown): boolean => JSON.stringify(before) !== JSON.stringify(to);

/** How sure an address must be, from anything to certain. */
const SURE: readonly Campaign['verification_policy'][] = ['any', 'not_undeliverable', 'deliverable_only'];

/** Every setting is ruled on here, or the table does not compile. */
const EASES: { [K in keyof CampaignSettings]: Eases<K> | 'no' } = {
  // What letters say is theirs to notice (outreach/sends/draft/re-render.store.ts).
  name: 'no',
  goal: 'no',
  postal_address_id: 'no',
  owner: 'no',
  open_deal_on_positive: 'no',
  timezone: other,
  windows: (before, to) => !to.every((hours) => before.some((open) => within(hours, open))),
  blackout_dates: (before, to) => !before.every((day) => to.includes(day)),
  starts_on: (before, to) => before !== null && (to === null || to < before),
  ends_on: (before, to) => before !== null && (to === null || to > before),
  daily_cap: more,
  new_per_day: more,
  first_delay: (before, to) => hoursOf(to) < hoursOf(before),
  stop_on_reply: off,
  exclusive: off,
  max_touches_per_week_per_person: (before, to) => to > before,
  unsubscribe_mode: (before, to) => before === 'one_click' && to !== 'one_click',
  require_basis: off,
  verification_policy: (before, to) => SURE.indexOf(to) < SURE.indexOf(before),
  guardrails: (before, to) =>
    more(before.bounce_rate, to.bounce_rate) ||
    more(before.complaint_rate, to.complaint_rate) ||
    (before.reply_rate !== null && (to.reply_rate === null || to.reply_rate < before.reply_rate)) ||
    to.min_sends > before.min_sends ||
    to.window_days !== before.window_days,
};

const eases = (field: keyof CampaignSettings, before: unknown, to: unknown): boolean => {
  const rule = EASES[field] as Eases<typeof field> | 'no';
  return rule !== 'no' && rule(before as never, to as never);
};

type Shown = Campaign['eased'];

/**
 * What waits for an activation after a change: what was eased from what was agreed to, in how many steps ever. What is taken
 * back is agreed to again, and so is what someone changes who may activate it. What a setting was is not known (null) of one
 * that was eased in a release before this: it waits for the activation.
 */
export function easedAfter(
  eased: Shown,
  before: CampaignSettings,
  to: CampaignSettings,
  by: 'may_activate' | 'may_not',
): Shown {
  return (Object.keys(EASES) as (keyof CampaignSettings)[]).toSorted().flatMap((field) => {
    const changed = JSON.stringify(before[field]) !== JSON.stringify(to[field]);
    const waits = eased.find(({ setting }) => setting === field);
    if (changed ? by === 'may_activate' : !waits) return [];
    const was = waits ? waits.was : before[field];
    return was === null || eases(field, was, to[field]) ? [{ setting: field, was, is: to[field] }] : [];
  });
}

/** As its row has it: the settings, and what they were as far as that is known. */
export const easedOf = (
  settings: readonly string[],
  agreed: Readonly<Record<string, unknown>>,
  now: CampaignSettings,
): Shown =>
  settings.map((setting) => ({
    setting,
    was: agreed[setting] ?? null,
    is: now[setting as keyof CampaignSettings],
  }));

type Hours = CampaignSettings['windows'][number];

const within = (hours: Hours, open: Hours): boolean =>
  hours.days.every((day) => open.days.includes(day)) && hours.from >= open.from && hours.to <= open.to;

const hoursOf = ({ days, hours }: CampaignSettings['first_delay']): number => days * 24 + hours;

const WORDS: Partial<Record<keyof CampaignSettings, string>> = {
  timezone: 'time zone',
  windows: 'hours',
  blackout_dates: 'days without letters',
  starts_on: 'first day',
  ends_on: 'last day',
  daily_cap: 'letters per day',
  new_per_day: 'new people per day',
  first_delay: 'delay before the first step',
  stop_on_reply: 'stop when someone replies',
  exclusive: 'exclusive',
  max_touches_per_week_per_person: 'letters per person per week',
  unsubscribe_mode: 'unsubscribe link',
  require_basis: 'legal basis required',
  verification_policy: 'address verification',
  guardrails: 'automatic stop',
};

const told = (value: unknown): string => {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? `${value}`.replaceAll('_', ' ') : '';
};

/** "letters a day from 100 to 101, hours": what is longer than a word is looked at in the settings. */
export const easedInWords = (eased: Shown): string =>
  eased
    .map(({ setting, was, is }) => {
      const name = WORDS[setting as keyof CampaignSettings] ?? setting;
      const short = was !== null && typeof was !== 'object' && typeof is !== 'object';
      return short || (was !== null && is === null) ? `${name} from ${told(was)} to ${told(is)}` : name;
    })
    .join(', ');
