// Gates 10 to 13: the identity, the domain’s state, the campaign’s volume and the clock.
import { closedBy, dayIn, nextDayIn, nextOpening } from '../../../../mail/timing/windows.rules.ts';
import type { LetterFacts } from './facts.rules.ts';
import { type Stop, later } from './stop.rules.ts';

/** A check takes seconds, and wakes the letters of its domain. */
const CHECKED_SOON_MS = 60_000;

export function identityStop({ identity }: LetterFacts, now: Date): Stop | null {
  if (!identity) return { hold: 'no_identity' };
  if (identity.gone) return { hold: 'identity_gone' };
  if (identity.trouble?.trouble === 'credentials')
    return { hold: 'identity_credentials', evidence: identity.trouble };
  if (!identity.active) return { hold: 'identity_inactive' };
  if (identity.started_today >= identity.allowance)
    return {
      defer: identity.allowance_by,
      until: nextDayIn(now, identity.timezone),
      evidence: { allowance: identity.allowance },
    };
  if (identity.started_hour >= identity.hourly_cap)
    return {
      defer: 'identity_cap',
      until: identity.hour_free_at ?? later(now),
      evidence: { hourly_cap: identity.hourly_cap },
    };
  const slot = identity.next_slot_at;
  return slot && slot > now ? { defer: 'min_gap', until: slot } : null;
}

/** A domain's pause does not keep an answer from someone who wrote to us (domain.md §1.5). */
export function domainStop({ kind, domain, identity }: LetterFacts, now: Date): Stop | null {
  if (!domain) return null;
  // The built-in sink lets nothing out, so no one's reputation hangs on it; it keeps to the day's allowance all the same, so
  // that a rehearsal goes as the real thing will.
  const shut = identity?.transport === 'sandbox' ? null : reputationStop(kind, domain, now);
  if (shut) return shut;
  if (domain.started_today >= domain.allowance)
    return { defer: 'domain_cap', until: nextDayIn(now, 'UTC'), evidence: { allowance: domain.allowance } };
  return null;
}

function reputationStop(
  kind: LetterFacts['kind'],
  domain: NonNullable<LetterFacts['domain']>,
  now: Date,
): Stop | null {
  if (domain.state === 'retired' || (domain.state === 'paused' && kind !== 'answer'))
    return { hold: 'domain_paused' };
  if (domain.check_pending) return { defer: 'auth_check_pending', until: later(now, CHECKED_SOON_MS) };
  if (domain.state === 'unverified') return { hold: 'domain_unverified' };
  return domain.unauthenticated ? { hold: 'domain_unauthenticated' } : null;
}

export function volumeStop({ campaign, letter }: LetterFacts, now: Date): Stop | null {
  if (!campaign) return null;
  const tomorrow = () => nextDayIn(now, campaign.timezone);
  if (campaign.daily_cap !== null && campaign.started_today >= campaign.daily_cap)
    return { defer: 'campaign_cap', until: tomorrow(), evidence: { daily_cap: campaign.daily_cap } };
  const full = campaign.new_per_day !== null && campaign.new_today >= campaign.new_per_day;
  return letter.first_touch && full
    ? { defer: 'new_per_day', until: tomorrow(), evidence: { new_per_day: campaign.new_per_day } }
    : null;
}

/** Asked of this moment, never of the due time; the answer is the earliest instant that is open, without jitter. */
export function clockStop({ campaign, schedules }: LetterFacts, now: Date): Stop | null {
  const first = campaign ? notBefore(campaign, now) : now;
  const opens = nextOpening(first, schedules);
  if (opens === null) return { hold: 'window_never_opens' };
  if (campaign?.ends_on && dayIn(opens, campaign.timezone) > campaign.ends_on)
    return { hold: 'past_end_date', evidence: { ends_on: campaign.ends_on } };
  return opens > now ? { defer: closedBy(now, schedules) ?? 'outside_window', until: opens } : null;
}

/** A campaign opens with its first day, in its own zone. */
function notBefore({ starts_on, timezone }: { starts_on: string | null; timezone: string }, now: Date): Date {
  if (starts_on === null || dayIn(now, timezone) >= starts_on) return now;
  const start = Temporal.PlainDate.from(starts_on).toZonedDateTime({ timeZone: timezone });
  return new Date(start.epochMilliseconds);
}
