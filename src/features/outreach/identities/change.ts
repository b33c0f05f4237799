// Works out a change of an identity before anything is written: which columns change, which secrets are removed, whether it
// stays active, and whether its letters change.
import { Refusal } from '../../../kernel/refusal.ts';
import type { Address } from '../../../mail/address.rules.ts';
import type { InboundWish, TransportWish } from './fields.contract.ts';
import { type IdentityRow, standingOf } from './row.ts';
import {
  refusedAsUnconfirmed,
  refusedRamp,
  refusedToActivate,
  ruleActive,
  unconfirmedAfter,
  wayChange,
} from './rules.ts';
import type { IdentityChange, Fields } from './save.store.ts';

export type WayWish = { transport?: TransportWish | undefined; inbound?: InboundWish | undefined };

type Plain = Omit<Fields, 'ramp_start' | 'ramp_step' | 'ramp_ceiling'>;
export type FieldWish = { [K in keyof Plain]?: Plain[K] | undefined } & {
  ramp?: { start?: number | undefined; step?: number | undefined; ceiling?: number | undefined } | undefined;
};

const PLAIN = [
  'name',
  'reply_to',
  'signature_text',
  'signature_html',
  'timezone',
  'workday',
  'daily_cap',
  'hourly_cap',
  'min_gap_s',
  'jitter_s',
  'envelope_sender',
  'sent_copies',
  'sent_folder',
] as const satisfies (keyof Plain)[];

/** The columns of what was given, and no other. */
export function fieldsIn(wish: FieldWish): Partial<Fields> {
  const { ramp } = wish;
  const plain = Object.fromEntries(PLAIN.map((field) => [field, wish[field]]));
  const all = { ...plain, ramp_start: ramp?.start, ramp_step: ramp?.step, ramp_ceiling: ramp?.ceiling };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>;
}

/** `place` is where a new address leads; null where none was given. */
export function changeOf(
  before: IdentityRow,
  { transport, inbound, active: asked, ...wish }: FieldWish & WayWish & { active?: boolean | undefined },
  place: { of: Address; domain_id: string } | null,
  by: { may_confirm: boolean; now: Date },
): IdentityChange | Refusal {
  const standing = standingOf(before);
  const fields = fieldsIn(wish);
  const ways = {
    transport: wayChange(standing.transport, transport),
    inbound: wayChange(standing.inbound, inbound),
  };
  const address = place !== null && place.of.normalised !== before.normalised ? place : null;
  const isOther = address !== null || Object.values(ways).some(({ kind }) => kind === 'replaces');
  const ruling = ruleActive(before, asked, isOther);
  if (ruling instanceof Refusal) return ruling;
  const { ramp_start: start, ramp_step: step, ramp_ceiling: ceiling } = { ...before, ...fields };
  const since = (way: 'transport' | 'inbound', given: boolean): Date | null =>
    unconfirmedAfter({ since: before[`${way}_unconfirmed_at`], settings: standing[way] }, ways[way], {
      ...by,
      given,
    });
  // Setting it active lets letters out by it, so that says where it connects, too.
  const activates = ruling.active && !before.active;
  const unconfirmed = {
    transport_unconfirmed_at: since('transport', transport !== undefined || activates),
    inbound_unconfirmed_at: since('inbound', inbound !== undefined || activates),
  };
  const refused =
    refusedRamp({ start, step, ceiling }) ??
    (activates ? (refusedToActivate(standing) ?? refusedAsUnconfirmed(unconfirmed)) : null);
  return refused ?? { fields, ways, address, ...ruling, ...unconfirmed };
}

const READ = ['name', 'reply_to', 'signature_text', 'signature_html'] as const;

/** Whether a recipient would see another letter by it. */
export const isRead = ({ fields, address }: IdentityChange): boolean =>
  address !== null || READ.some((field) => fields[field] !== undefined);

const PACES = [
  'timezone',
  'workday',
  'daily_cap',
  'hourly_cap',
  'min_gap_s',
  'ramp_start',
  'ramp_step',
  'ramp_ceiling',
  'envelope_sender',
] as const;

/** Whether letters that wait may leave by it. */
export const mayOpen = (before: { active: boolean }, { fields, active }: IdentityChange): boolean =>
  (active && !before.active) || PACES.some((field) => fields[field] !== undefined);
