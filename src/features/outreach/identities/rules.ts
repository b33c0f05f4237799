// What may happen to an identity, as pure rules: when it may be activated, and what a change means.
import type { Caller } from '../../../kernel/caller.ts';
import { actsWithWire } from '../../../kernel/gates.ts';
import { decide } from '../../../kernel/policy.ts';
import { type Refusal, changedSince, conflict, invalid } from '../../../kernel/refusal.ts';
import { identityName } from './contract.ts';
import {
  asksForSecret,
  isSameWay,
  type InboundSettings,
  type TransportSettings,
} from '../../../mail/transport.rules.ts';

export type IdentityStanding = {
  address: string;
  revision: number;
  gone_at: Date | null;
  domain: string;
  domain_state: 'unverified' | 'active' | 'paused' | 'retired';
  transport: TransportSettings;
  has_transport_secret: boolean;
  /** Its connections as someone who may create identities left them; a date: since when one waits for that. */
  transport_unconfirmed_at: Date | null;
  inbound_unconfirmed_at: Date | null;
};

export const refusedAsGone = ({
  gone_at,
  address,
}: Pick<IdentityStanding, 'gone_at' | 'address'>): Refusal | null =>
  gone_at === null
    ? null
    : conflict(`the identity ${address} was deleted and can’t be used again: create another identity`);

export function refusedAsStale(
  { address, revision }: Pick<IdentityStanding, 'address' | 'revision'>,
  read: number,
): Refusal | null {
  return revision === read ? null : changedSince(`the identity ${address}`, revision);
}

const UNCONFIRMED =
  'this identity’s connection was changed by someone without permission to create identities: someone with that permission must save it again before it is used';

type Unconfirmed = Pick<IdentityStanding, 'transport_unconfirmed_at' | 'inbound_unconfirmed_at'>;

/** Until then no text of the changer's choice reaches a server of their choice, as a user, a password or a letter. */
export const refusedAsUnconfirmed = (identity: Unconfirmed): Refusal | null =>
  identity.transport_unconfirmed_at === null && identity.inbound_unconfirmed_at === null
    ? null
    : conflict(UNCONFIRMED);

/** Who may say where an identity connects: whoever could make another one that connects there (wire act 8). */
export const mayConfirm = (caller: Caller): boolean =>
  actsWithWire(caller) && decide(caller.rights, 'outreach.identity.create', ['outreach:identity']).allowed;

/**
 * Who ends the trouble of an identity, and so lets go what someone approved: whoever could set it active (wire act 9). What
 * anyone else tests or changes is kept, and its letters go on waiting.
 */
export const mayEndTrouble = (caller: Caller, identity: string): boolean =>
  actsWithWire(caller) &&
  decide(caller.rights, 'outreach.identity.activate', [identityName(identity)]).allowed;

/**
 * Since when a connection waits to be confirmed, after a change. Only servers are connected to; a vendor is at one address,
 * and the sandbox at none.
 */
export function unconfirmedAfter(
  before: { since: Date | null; settings: Way },
  change: WayChange<Way>,
  { given, may_confirm, now }: { given: boolean; may_confirm: boolean; now: Date },
): Date | null {
  if (given && may_confirm) return null;
  if (change.kind === 'keeps' || isSameWay(before.settings, change.settings)) return before.since;
  return change.settings.kind === 'smtp' || change.settings.kind === 'imap' ? now : null;
}

const NOT_ACTIVE = {
  unverified: 'hasn’t passed its checks: publish its DNS records, then check it',
  paused: 'is paused: read the evidence, then resume it',
  retired: 'is permanently retired: give the identity an address on another domain',
} as const;

/** Nothing leaves through the sandbox, so it needs no domain that receivers believe. */
export function refusedToActivate(identity: IdentityStanding): Refusal | null {
  const { domain, domain_state, transport, has_transport_secret } = identity;
  if (domain_state === 'retired' || (domain_state !== 'active' && transport.kind !== 'sandbox'))
    return conflict(`${domain} ${NOT_ACTIVE[domain_state as keyof typeof NOT_ACTIVE]}`);
  if (asksForSecret(transport) && !has_transport_secret)
    return conflict(
      `${identity.address} has no password for its mail server: save one with the transport, then activate it`,
    );
  return null;
}

type Way = TransportSettings | InboundSettings;

/** `keeps`: nothing of it changes. `replaces`: by these settings and this secret, or none. */
export type WayChange<Settings> =
  | { kind: 'keeps' }
  | { kind: 'replaces'; settings: Settings; secret: string | null };

/** `before`: null for an identity that is being born. A stored secret belongs to exactly the place it was stored for: it never goes along to another (domain.md §4.1). */
export function wayChange<Settings extends Way>(
  before: Settings | null,
  wish: (Settings & { secret?: string | undefined }) | undefined,
): WayChange<Settings> {
  if (!wish) return { kind: 'keeps' };
  const { secret, ...settings } = wish;
  if (before && isSameWay(before, settings as Way) && secret === undefined) return { kind: 'keeps' };
  return { kind: 'replaces', settings: settings as unknown as Settings, secret: secret ?? null };
}

export type Ramp = { start: number; step: number; ceiling: number };

export function refusedRamp({ start, ceiling }: Ramp): Refusal | null {
  if (start <= ceiling) return null;
  const says = `ramp: the ceiling, ${ceiling}, must be at least the start, ${start} letters a day`;
  return invalid(says, { ramp: says });
}

const AFTERWARDS =
  'active: can’t be true, because this change makes the identity inactive; test its outgoing mail, then activate it';

/** What becomes of `active`, with why it is not. A change of who or where it sends as is never active in one go. */
export function ruleActive(
  before: { active: boolean; state_reason: string | null },
  asked: boolean | undefined,
  isOther: boolean,
): { active: boolean; state_reason: string | null } | Refusal {
  if (isOther && asked === true) return invalid(AFTERWARDS, { active: AFTERWARDS });
  if (isOther) return { active: false, state_reason: before.active ? 'changed' : before.state_reason };
  if (asked === undefined || asked === before.active)
    return { active: before.active, state_reason: before.state_reason };
  return asked ? { active: true, state_reason: null } : { active: false, state_reason: 'person' };
}
