// Which changes of a campaign's settings let it write more, sooner, at other hours or to other people than whoever activated it
// agreed to. Pure. By somebody who may not activate it, they wait for a person (gate 4).
import type { Caller } from '../../kernel/caller.ts';
import { actsWithWire } from '../../kernel/gates.ts';
import { decide } from '../../kernel/policy.ts';
import type { Campaign } from './contract.ts';
import { campaignName, type Settings } from './rules.ts';

/** Whether this caller could have activated it with what they change. */
export const mayActivate = (caller: Caller, campaign: string): boolean =>
  actsWithWire(caller) &&
  decide(caller.rights, 'outreach.campaign.activate', [campaignName(campaign)]).allowed;

type Eases<K extends keyof Settings> = (before: Settings[K], to: Settings[K]) => boolean;

const more = (before: number | null, to: number | null): boolean =>
  before !== null && (to === null || to > before);
const off = (before: boolean, to: boolean): boolean => before && !to;
const other = (before: unknown, to: unknown): boolean => JSON.stringify(before) !== JSON.stringify(to);

/** How sure an address must be, from anything to certain. */
const SURE: readonly Campaign['verification_policy'][] = ['any', 'not_undeliverable', 'deliverable_only'];

const EASES: { [K in keyof Settings]: Eases<K> | 'no' } = {
  // What letters say is theirs to notice (sends/touch.store.ts).
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

/** The settings that a change eases; every setting is ruled on here, or the table does not compile. */
export const easedSettings = (before: Settings, to: Settings): string[] =>
  (Object.keys(EASES) as (keyof Settings)[]).filter((field) => {
    const eases = EASES[field] as Eases<typeof field> | 'no';
    return eases !== 'no' && eases(before[field] as never, to[field] as never);
  });

type Hours = Settings['windows'][number];

const within = (hours: Hours, open: Hours): boolean =>
  hours.days.every((day) => open.days.includes(day)) && hours.from >= open.from && hours.to <= open.to;

const hoursOf = ({ days, hours }: Settings['first_delay']): number => days * 24 + hours;
