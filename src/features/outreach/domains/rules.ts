// What may happen to a sending domain, as pure rules: its states, and the account of its checks.
import { DAY_MS, HOUR_MS, MINUTE_MS, after } from '../../../kernel/clock.ts';
import { type Refusal, changedSince, conflict } from '../../../kernel/refusal.ts';
import type { DomainState } from './contract.ts';

/*
 *   is            act       becomes
 *   unverified    a check in which SPF, DKIM and DMARC pass: active
 *   unverified, active     pause     paused
 *   paused        pause     paused: a person's does not take the place of the warden's, the warden's takes a person's
 *   paused        resume    active, or unverified where it never passed its checks (wire act 7)
 *   paused        a check   paused: no check lifts a pause
 *   all but retired         retire    retired, for good; a pause stays with it
 */
export type DomainStanding = {
  name: string;
  state: DomainState;
  paused_by: 'warden' | 'person' | null;
  verified_at: Date | null;
};

export const resumedState = ({ verified_at }: Pick<DomainStanding, 'verified_at'>): 'active' | 'unverified' =>
  verified_at === null ? 'unverified' : 'active';

/** `stays`: it is paused already, by someone whose word this one does not replace. */
export function rulePause({ state, paused_by }: DomainStanding, by: 'warden' | 'person'): 'pauses' | 'stays' {
  if (state === 'retired') return 'stays';
  return state === 'paused' && (by === 'person' || paused_by === 'warden') ? 'stays' : 'pauses';
}

export const refusedAsRetired = ({ state, name }: DomainStanding): Refusal | null =>
  state === 'retired' ? conflict(`${name} is permanently retired: send from another domain`) : null;

export function refusedToResume(domain: DomainStanding): Refusal | null {
  return (
    refusedAsRetired(domain) ??
    (domain.state === 'paused'
      ? null
      : conflict(`${domain.name} isn’t paused, so there is nothing to resume`))
  );
}

export function refusedAsStale(domain: { name: string; revision: number }, read: number): Refusal | null {
  return domain.revision === read ? null : changedSince(domain.name, domain.revision);
}

/** What a name that already exists is answered with: adding it again changes nothing of it. */
export function refusedAsKnown({ name, state }: DomainStanding): Refusal {
  const what: Record<DomainState, string> = {
    unverified: 'publish its DNS records, then check it',
    active: 'choose it when you set up an identity',
    paused: 'it is paused. Read the evidence, then resume it.',
    retired: 'it is permanently retired: send from another domain',
  };
  return conflict(`${name} already exists: ${what[state]}`);
}

type CheckOutcome = 'passing' | 'failing' | 'unknown';

/** By what receivers decide whether to believe a letter; MX and PTR are shown, and stop nothing. */
const DECIDING = ['spf', 'dkim', 'dmarc'] as const;

/** One definite failure is the whole's; what could not be asked leaves it open. */
export function verdictOf(
  checks: Record<(typeof DECIDING)[number], { outcome: CheckOutcome }>,
): CheckOutcome {
  const outcomes = DECIDING.map((name) => checks[name].outcome);
  if (outcomes.includes('failing')) return 'failing';
  return outcomes.includes('unknown') ? 'unknown' : 'passing';
}

/** How far apart two definite failures are that count as one that is (domain.md §1.6). */
export const FAILS_TWICE_MS = HOUR_MS;

export type DomainAccount = {
  state: DomainState;
  verified_at: Date | null;
  auth_failing_since: Date | null;
  unauthenticated_since: Date | null;
};

/** What a check that ended at `now` leaves. A resolver that failed is no failure, and no proof of anything either. */
export function accountAfter(before: DomainAccount, verdict: CheckOutcome, now: Date): DomainAccount {
  if (verdict === 'unknown') return before;
  if (verdict === 'passing')
    return {
      state: before.state === 'unverified' ? 'active' : before.state,
      verified_at: before.verified_at ?? now,
      auth_failing_since: null,
      unauthenticated_since: null,
    };
  const since = before.auth_failing_since ?? now;
  const isSecond = after(since, FAILS_TWICE_MS) <= now;
  return {
    ...before,
    auth_failing_since: since,
    unauthenticated_since: before.unauthenticated_since ?? (isSecond ? now : null),
  };
}

/** Daily; sooner where something is open: a second failure, a resolver that did not answer, records just published. */
export function nextCheck(account: DomainAccount, verdict: CheckOutcome, now: Date): Date {
  if (verdict === 'passing') return after(now, DAY_MS);
  if (verdict === 'unknown') return after(now, 30 * MINUTE_MS);
  return after(now, account.unauthenticated_since === null ? FAILS_TWICE_MS + MINUTE_MS : 6 * HOUR_MS);
}

/** Whether letters that wait for this domain are to be asked again. */
export const opensAfter = (
  before: DomainAccount & { checked_at: Date | null },
  verdict: CheckOutcome,
): boolean =>
  before.checked_at === null ||
  (verdict === 'passing' && (before.state === 'unverified' || before.auth_failing_since !== null));
