// A row of identities with its domain’s state, and how it is shown, without secrets.
import { knownPrincipalIn, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { allowanceOf, countedDay } from '../../../mail/timing/pacing.rules.ts';
import { dayIn, type Window } from '../../../mail/timing/windows.rules.ts';
import type { Identity } from './contract.ts';
import { filerOf, type SentCopies } from './ways/filing.rules.ts';
import type { IdentityStanding } from './rules.ts';
import { seenOfIdentity } from './seen.ts';
import {
  type EnvelopeSender,
  inboundIn,
  type InboundSettings,
  transportIn,
} from '../../../mail/transport.rules.ts';
import { WAIT_REASONS, waitText } from '../sends/letter/reasons.rules.ts';
import { bouncesShown, type ProbeColumns } from './probe/probe.rules.ts';
import { type TroubleColumns, troubleShown } from './trouble/trouble.rules.ts';

/** As it is in the database, save the secrets: only whether there are any. */
export type IdentityRow = PrincipalColumns<'created_by'> &
  TroubleColumns &
  ProbeColumns & {
    id: string;
    domain_id: string;
    domain: string;
    domain_state: IdentityStanding['domain_state'];
    domain_warned: boolean;
    name: string;
    address: string;
    normalised: string;
    reply_to: string | null;
    signature_text: string;
    signature_html: string;
    timezone: string;
    workday: (Window & { days: number[] }) | null;
    daily_cap: number;
    hourly_cap: number;
    min_gap_s: number;
    jitter_s: number;
    ramp_start: number;
    ramp_step: number;
    ramp_ceiling: number;
    ramp_day: number;
    ramp_counted_on: string | null;
    transport_kind: 'smtp' | 'vendor' | 'sandbox';
    transport: object;
    has_transport_secret: boolean;
    inbound_kind: 'imap' | 'vendor' | 'none';
    inbound: object;
    has_inbound_secret: boolean;
    envelope_sender: EnvelopeSender;
    transport_unconfirmed_at: Date | null;
    inbound_unconfirmed_at: Date | null;
    active: boolean;
    state_reason: string | null;
    gone_at: Date | null;
    asleep_why: string | null;
    asleep_until: Date | null;
    down_cause: string | null;
    down_since: Date | null;
    last_polled_at: Date | null;
    inbound_trouble: string | null;
    inbound_trouble_since: Date | null;
    sent_copies: SentCopies;
    sent_folder: string | null;
    sent_trouble: string | null;
    sent_trouble_since: Date | null;
    last_tested_at: Date | null;
    test_outcome: 'passing' | 'failing' | 'unknown' | null;
    revision: number;
    created_at: Date;
    updated_at: Date;
  };

export const standingOf = (row: IdentityRow): IdentityStanding & { inbound: InboundSettings } => ({
  address: row.address,
  revision: row.revision,
  gone_at: row.gone_at,
  domain: row.domain,
  domain_state: row.domain_state,
  transport: transportIn(row),
  inbound: inboundIn(row),
  has_transport_secret: row.has_transport_secret,
  transport_unconfirmed_at: row.transport_unconfirmed_at,
  inbound_unconfirmed_at: row.inbound_unconfirmed_at,
});

/** What the day allows, with the ramp as the first letter of the day will count it. */
function allowanceToday(row: IdentityRow, today: string): number {
  const { ramp_start: start, ramp_step: step, ramp_day: day, ramp_ceiling: ceiling, daily_cap } = row;
  const ramp = { start, step, day, ceiling };
  const warned = row.domain_warned;
  const counted = countedDay(ramp, { counted_on: row.ramp_counted_on, today, warned });
  return allowanceOf({ daily_cap, ramp: { ...ramp, day: counted.day } }, warned).allowance;
}

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

/** What the sender found for all of its letters, and wrote down. */
function waitsShown(row: IdentityRow, now: Date): Identity['waits'] {
  const { asleep_why, asleep_until, down_cause, down_since } = row;
  const reason = WAIT_REASONS.find((each) => each === asleep_why);
  if (!reason || !row.active || asleep_until === null || asleep_until <= now) return null;
  const { says } = waitText(reason, { cause: down_cause });
  const since = reason === 'transport_down' ? iso(down_since) : null;
  return { reason, says, since, until: asleep_until.toISOString() };
}

export function shownIdentity(row: IdentityRow, sent_today: number, now: Date): Identity {
  const transport = transportIn(row);
  const inbound = inboundIn(row);
  return {
    id: row.id,
    domain_id: row.domain_id,
    domain: row.domain,
    domain_state: row.domain_state,
    name: row.name,
    address: row.address,
    reply_to: row.reply_to,
    signature_text: row.signature_text,
    signature_html: row.signature_html,
    timezone: row.timezone,
    workday: row.workday,
    daily_cap: row.daily_cap,
    hourly_cap: row.hourly_cap,
    min_gap_s: row.min_gap_s,
    jitter_s: row.jitter_s,
    ramp: { start: row.ramp_start, step: row.ramp_step, day: row.ramp_day, ceiling: row.ramp_ceiling },
    transport: transport.kind === 'smtp' ? { ...transport, has_secret: row.has_transport_secret } : transport,
    inbound: inbound.kind === 'imap' ? { ...inbound, has_secret: row.has_inbound_secret } : inbound,
    envelope_sender: row.envelope_sender,
    transport_unconfirmed_at: iso(row.transport_unconfirmed_at),
    inbound_unconfirmed_at: iso(row.inbound_unconfirmed_at),
    active: row.active,
    state_reason: row.state_reason,
    trouble: troubleShown(row),
    waits: waitsShown(row, now),
    gone_at: iso(row.gone_at),
    sent_today,
    allowance_today: allowanceToday(row, dayIn(now, row.timezone)),
    last_polled_at: iso(row.last_polled_at),
    inbound_trouble: row.inbound_trouble,
    inbound_trouble_since: iso(row.inbound_trouble_since),
    sent_copies: row.sent_copies,
    sent_folder: row.sent_folder,
    sent_filed_by: filerOf({ ...row, transport, inbound }),
    sent_trouble: row.sent_trouble,
    sent_trouble_since: iso(row.sent_trouble_since),
    bounces: bouncesShown(row, now),
    last_tested_at: iso(row.last_tested_at),
    test_outcome: row.test_outcome,
    revision: row.revision,
    seen: seenOfIdentity(row),
    created_by: knownPrincipalIn(row, 'created_by'),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
