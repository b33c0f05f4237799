// What writes identities: a new one, a change, the outcome of a test, and its end. Secrets come here in the open and leave
// sealed to their row.
import type { Principal } from '../../../kernel/caller.ts';
import type { Sealer } from '../../../kernel/app.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { principalColumns } from '../../../kernel/principal-row.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { Address } from '../../../mail/address.rules.ts';
import type { SentCopies } from './ways/filing.rules.ts';
import type { WayChange } from './rules.ts';
import { sealed } from './ways/secrets.ts';
import type { LoadedIdentity } from './store.ts';
import type { EnvelopeSender, InboundSettings, TransportSettings } from '../../../mail/transport.rules.ts';
import { NO_PROBE } from './probe/probe.rules.ts';
import { NO_TROUBLE } from './trouble/trouble.rules.ts';

/** What a person sets, by column; `ramp_day` and the slots are counted and are apart. */
export type Fields = {
  name: string;
  reply_to: string | null;
  signature_text: string;
  signature_html: string;
  timezone: string;
  workday: { days: number[]; from: string; to: string } | null;
  daily_cap: number;
  hourly_cap: number;
  min_gap_s: number;
  jitter_s: number;
  envelope_sender: EnvelopeSender;
  ramp_start: number;
  ramp_step: number;
  ramp_ceiling: number;
  sent_copies: SentCopies;
  sent_folder: string | null;
};

export type SendingDomain = {
  id: string;
  name: string;
  state: 'unverified' | 'active' | 'paused' | 'retired';
};

/** The domain that an address ends in. */
export async function domainOf(db: Reader, { domain }: Address): Promise<SendingDomain | null> {
  const [row] = await db<SendingDomain[]>`select id, name, state from domains where name = ${domain}`;
  return row ?? null;
}

/** Whoever takes an address does so one after the other: of two who want the same, the second sees the first. */
async function inTurn(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('identities.address', 0))`;
}

export type IdentityWays = { transport: WayChange<TransportSettings>; inbound: WayChange<InboundSettings> };

/** Columns of a way that is replaced: what the test found and what the server said belong to the one before. */
function columnsOf(tx: Transaction, sealer: Sealer, id: string, { transport, inbound }: IdentityWays) {
  const keep = (column: 'transport_secret' | 'inbound_secret', secret: string | null): string | null =>
    secret === null ? null : sealed(sealer, `identities.${column}`, id, new Secret(secret));
  // The kind has a column of its own.
  const rest = (way: TransportSettings | InboundSettings) => tx.json({ ...way, kind: undefined });
  return {
    ...(transport.kind === 'replaces' && {
      transport_kind: transport.settings.kind,
      transport: rest(transport.settings),
      transport_secret: keep('transport_secret', transport.secret),
      last_tested_at: null,
      test_outcome: null,
      ...NO_TROUBLE,
      ...NO_PROBE,
    }),
    ...(inbound.kind === 'replaces' && {
      inbound_kind: inbound.settings.kind,
      inbound: rest(inbound.settings),
      inbound_secret: keep('inbound_secret', inbound.secret),
      ...NO_PROBE,
    }),
  };
}

const fieldColumns = (tx: Transaction, { workday, ...fields }: Partial<Fields>) => ({
  ...fields,
  ...(workday !== undefined && { workday: workday && tx.json(workday) }),
});

type Place = { of: Address; domain_id: string };

/** Always inactive. Null where another identity has that address. */
export async function insertIdentity(
  tx: Transaction,
  sealer: Sealer,
  { place, fields, ways }: { place: Place; fields: Partial<Fields>; ways: IdentityWays },
  by: Principal,
  now: Date,
): Promise<string | null> {
  const id = newId();
  await inTurn(tx);
  const row = {
    id,
    domain_id: place.domain_id,
    address: place.of.shown,
    normalised: place.of.normalised,
    ...fieldColumns(tx, fields),
    ...columnsOf(tx, sealer, id, ways),
    active: false,
    state_reason: 'created',
    ...principalColumns(tx, 'created_by', by),
    created_at: now,
    updated_at: now,
  };
  const made = await tx`
    insert into identities ${tx(row)} on conflict (normalised) where gone_at is null do nothing returning 1`;
  return made.length > 0 ? id : null;
}

export type IdentityChange = {
  fields: Partial<Fields>;
  ways: IdentityWays;
  /** Null: it keeps its address. Secrets of the one before do not come along. */
  address: Place | null;
  active: boolean;
  state_reason: string | null;
  transport_unconfirmed_at: Date | null;
  inbound_unconfirmed_at: Date | null;
};

/** With another envelope sender, what the server said of the one before is void. */
const isVoid = (identity: LoadedIdentity, fields: Partial<Fields>): boolean =>
  isOtherEnvelope(identity, fields) &&
  (identity.trouble === 'sender_refused' || identity.trouble === 'refused');

const isOtherEnvelope = (
  { envelope_sender: before }: LoadedIdentity,
  { envelope_sender: asked = before }: Partial<Fields>,
): boolean => asked !== before;

/** Saves a locked identity. False where another one has the new address. */
export async function saveIdentity(
  tx: Transaction,
  sealer: Sealer,
  identity: LoadedIdentity,
  { fields, ways, address, ...standing }: IdentityChange,
  { ends_trouble, now }: { ends_trouble: boolean; now: Date },
): Promise<boolean> {
  const { id } = identity;
  const moved = address && {
    address: address.of.shown,
    normalised: address.of.normalised,
    domain_id: address.domain_id,
    transport_secret: null,
    inbound_secret: null,
    ...NO_TROUBLE,
    ...NO_PROBE,
  };
  const row = {
    ...fieldColumns(tx, fields),
    ...moved,
    ...columnsOf(tx, sealer, id, ways),
    ...standing,
    ...((standing.active && !identity.active) || (ends_trouble && isVoid(identity, fields))
      ? NO_TROUBLE
      : {}),
    ...(isOtherEnvelope(identity, fields) && NO_PROBE),
    revision: identity.revision + 1,
    updated_at: now,
  };
  if (moved) await inTurn(tx);
  const taken =
    moved &&
    (await tx`select 1 from identities where normalised = ${moved.normalised} and gone_at is null and id <> ${id}`);
  if (taken && taken.length > 0) return false;
  await tx`update identities set ${tx(row)} where id = ${id}`;
  return true;
}

export async function saveActive(
  tx: Transaction,
  identity: LoadedIdentity,
  to: { active: boolean; state_reason: string | null },
  now: Date,
): Promise<void> {
  // Someone who activates it says that its trouble is over; the next letter shows whether it is.
  const row = { ...to, ...(to.active && NO_TROUBLE), revision: identity.revision + 1, updated_at: now };
  await tx`update identities set ${tx(row)} where id = ${identity.id}`;
}

/** Someone who may create identities said that it connects where it does. */
export async function confirmConnections(tx: Transaction, { id }: LoadedIdentity): Promise<void> {
  await tx`
    update identities set transport_unconfirmed_at = null, inbound_unconfirmed_at = null where id = ${id}`;
}

/**
 * What a test found, of a locked identity. Where the outgoing mail works again, and whoever tested may say so, its trouble is over and
 * its revision goes up, so that what the sender learned of it while it did not is void.
 */
export async function saveTest(
  tx: Transaction,
  identity: LoadedIdentity,
  outcome: 'passing' | 'failing' | 'unknown',
  { ends_trouble, now }: { ends_trouble: boolean; now: Date },
): Promise<void> {
  const ends = outcome === 'passing' && ends_trouble;
  const again = ends && (identity.test_outcome !== 'passing' || identity.trouble !== null);
  const row = {
    last_tested_at: now,
    test_outcome: outcome,
    revision: identity.revision + (again ? 1 : 0),
    ...(ends && NO_TROUBLE),
  };
  await tx`update identities set ${tx(row)} where id = ${identity.id}`;
}

/** Its letters and the people it wrote to go on naming it; its secrets are gone, and its address is free. */
export async function endIdentity(tx: Transaction, identity: LoadedIdentity, now: Date): Promise<void> {
  await tx`
    update identities set gone_at = ${now}, active = false, state_reason = 'deleted', transport_secret = null,
      inbound_secret = null, revision = ${identity.revision + 1}, updated_at = ${now}
    where id = ${identity.id}`;
}
