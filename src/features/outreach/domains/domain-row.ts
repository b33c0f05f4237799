// A row of domains and how it is shown, without its private key.
import { DAY_MS, after } from '../../../kernel/clock.ts';
import { knownPrincipalIn, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { seenOf } from '../../../kernel/seen.ts';
import type { DomainChecks } from '../../../mail/authentication/check.ts';
import { domainAllowance } from '../../../mail/timing/pacing.rules.ts';
import { CHECKED, type Domain, type DomainState, type Evidence } from './contract.ts';

export type DomainRow = PrincipalColumns<'created_by'> & {
  id: string;
  name: string;
  organisation: string;
  state: DomainState;
  verified_at: Date | null;
  paused_by: 'warden' | 'person' | null;
  paused_reason: string | null;
  paused_at: Date | null;
  evidence: Evidence | null;
  dkim_selector: string;
  dkim_algorithm: 'rsa' | 'ed25519';
  dkim_public: string;
  sending_hosts: string[];
  spf_includes: string[];
  dmarc_rua: string | null;
  mx_host: string | null;
  auth: Partial<DomainChecks>;
  checked_at: Date | null;
  next_check_at: Date;
  auth_failing_since: Date | null;
  unauthenticated_since: Date | null;
  daily_cap: number;
  warned: string | null;
  warned_at: Date | null;
  resumed_at: Date | null;
  revision: number;
  created_at: Date;
  updated_at: Date;
};

/** Counted of letters and reports, beside the row. */
export type Metrics = {
  sent_today: number;
  sent: number;
  hard: number;
  soft: number;
  policy: number;
  complaints: number;
};

const WINDOW_MS = 7 * DAY_MS;

/** Seven days, and never back past a resume (domain.md §1.6). */
export function windowOf(
  { resumed_at }: Pick<DomainRow, 'resumed_at'>,
  now: Date,
): { start: Date; end: Date } {
  const week = after(now, -WINDOW_MS);
  return { start: resumed_at !== null && resumed_at > week ? resumed_at : week, end: now };
}

/** Of what a person weighs before they resume it: its revision goes up with every pause and every setting. */
export const seenOfDomain = ({
  id,
  revision,
  state,
  paused_by,
  paused_reason,
  evidence,
}: DomainRow): string => seenOf('domain', id, revision, state, paused_by, paused_reason, evidence);

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

export function shownDomain(row: DomainRow, { sent_today, ...figures }: Metrics, now: Date): Domain {
  const { start, end } = windowOf(row, now);
  return {
    id: row.id,
    name: row.name,
    state: row.state,
    verified_at: iso(row.verified_at),
    paused_by: row.paused_by,
    paused_reason: row.paused_reason,
    paused_at: iso(row.paused_at),
    evidence: row.evidence,
    dkim: { selector: row.dkim_selector, algorithm: row.dkim_algorithm },
    auth: Object.fromEntries(CHECKED.map((name) => [name, row.auth[name] ?? null])),
    checked_at: iso(row.checked_at),
    next_check_at: row.next_check_at.toISOString(),
    auth_failing_since: iso(row.auth_failing_since),
    unauthenticated_since: iso(row.unauthenticated_since),
    sending_hosts: row.sending_hosts,
    spf_includes: row.spf_includes,
    dmarc_rua: row.dmarc_rua,
    mx_host: row.mx_host,
    daily_cap: row.daily_cap,
    sent_today,
    allowance_today: domainAllowance(row.daily_cap, row.warned !== null),
    rates: { ...figures, window: { start: start.toISOString(), end: end.toISOString() } },
    warned: row.warned,
    warned_at: iso(row.warned_at),
    resumed_at: iso(row.resumed_at),
    revision: row.revision,
    seen: seenOfDomain(row),
    created_by: knownPrincipalIn(row, 'created_by'),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
