// The warden’s table (domain.md §1.6) as pure rules: counts of a domain in, verdict out. Each row is a function; below its
// minimum it says nothing, and unknown counts as no fault.
import { HOUR_MS } from '../../../kernel/clock.ts';

export const WARDEN_REASONS = [
  'complaints',
  'hard_bounces',
  'policy_rejections',
  'auth_failing',
  'deferrals',
] as const;
export type WardenReason = (typeof WARDEN_REASONS)[number];

/** Letters of which something was reported; `samples` are their ids, at most ten. */
export type Tally = { count: number; samples: readonly string[] };

export type Counted = {
  /** The next hop took it. */
  accepted: number;
  /** Something was heard of it at all, good or bad. */
  attempts: number;
  complaints: Tally;
  hard: Tally;
  policy: Tally;
  /** Of the last two hours alone. */
  recent: { attempts: number; deferred: Tally };
  /** Definite failures of SPF, DKIM or DMARC: since when, and that a later one confirmed it. */
  auth: { failing_since: Date | null; confirmed_at: Date | null; what: readonly string[] };
};

export type Finding = {
  reason: WardenReason;
  level: 'warn' | 'pause';
  /** Of how many letters. */
  sent: number;
  count: number;
  /** Null where the row counts and takes no share. */
  rate: number | null;
  /** What `count`, or `rate` where there is one, had to reach. */
  threshold: number;
  /** Where it looks at less than the window: since when. */
  since: Date | null;
  samples: readonly string[];
};

/** A share is too small to say anything of so few. */
const HARD_FLOOR = 50;
const POLICY_FLOOR = 20;
const DEFERRAL_FLOOR = 20;
/** From so many accepted letters on, complaints are a share and no number. */
const MANY_ACCEPTED = 1_000;
export const DEFERRALS_MS = 2 * HOUR_MS;

/** Of whole numbers, so that a threshold that is met exactly is met. */
const reaches = (count: number, of: number, share: number): boolean => count * 10_000 >= of * share * 10_000;

const found = (
  reason: WardenReason,
  { count, samples }: Tally,
  sent: number,
  rest: Pick<Finding, 'level' | 'threshold'> & { share?: true; since?: Date | null },
): Finding => ({
  reason,
  level: rest.level,
  sent,
  count,
  rate: rest.share && sent > 0 ? count / sent : null,
  threshold: rest.threshold,
  since: rest.since ?? null,
  samples: samples.slice(0, 10),
});

function complaints({ complaints: tally, accepted }: Counted): Finding | null {
  if (tally.count === 0) return null;
  if (accepted >= MANY_ACCEPTED) {
    const level = reaches(tally.count, accepted, 0.001) ? 'pause' : 'warn';
    return found('complaints', tally, accepted, { level, threshold: 0.001, share: true });
  }
  const level = tally.count >= 2 ? 'pause' : 'warn';
  return found('complaints', tally, accepted, { level, threshold: level === 'pause' ? 2 : 1 });
}

function hardBounces({ hard: tally, attempts }: Counted): Finding | null {
  if (attempts < HARD_FLOOR) return null;
  if (tally.count >= 3 && reaches(tally.count, attempts, 0.05))
    return found('hard_bounces', tally, attempts, { level: 'pause', threshold: 0.05, share: true });
  if (!reaches(tally.count, attempts, 0.03)) return null;
  return found('hard_bounces', tally, attempts, { level: 'warn', threshold: 0.03, share: true });
}

function policyRejections({ policy: tally, attempts }: Counted): Finding | null {
  if (attempts < POLICY_FLOOR) return null;
  if (tally.count >= 5) return found('policy_rejections', tally, attempts, { level: 'pause', threshold: 5 });
  if (tally.count > 0 && reaches(tally.count, attempts, 0.1))
    return found('policy_rejections', tally, attempts, { level: 'pause', threshold: 0.1, share: true });
  return tally.count >= 2
    ? found('policy_rejections', tally, attempts, { level: 'warn', threshold: 2 })
    : null;
}

function deferrals({ recent: { attempts, deferred } }: Counted, now: Date): Finding | null {
  if (attempts < DEFERRAL_FLOOR || !reaches(deferred.count, attempts, 0.2)) return null;
  const isPause = reaches(deferred.count, attempts, 0.5);
  return found('deferrals', deferred, attempts, {
    level: isPause ? 'pause' : 'warn',
    threshold: isPause ? 0.5 : 0.2,
    share: true,
    since: new Date(now.getTime() - DEFERRALS_MS),
  });
}

function authFailing({ auth, attempts }: Counted): Finding | null {
  const { failing_since: since, confirmed_at, what } = auth;
  if (since === null) return null;
  const count = confirmed_at === null ? 1 : 2;
  const level = confirmed_at === null ? 'warn' : 'pause';
  return found('auth_failing', { count, samples: what }, attempts, { level, threshold: count, since });
}

/** What is against a domain, pauses before warnings, each in the order of the reasons. */
export function ruleWarden(counted: Counted, now: Date): Finding[] {
  const all = [
    complaints(counted),
    hardBounces(counted),
    policyRejections(counted),
    authFailing(counted),
    deferrals(counted, now),
  ].flatMap((each) => each ?? []);
  return [...all.filter(({ level }) => level === 'pause'), ...all.filter(({ level }) => level === 'warn')];
}

export type CampaignMetrics = {
  letters: number;
  bounced: number;
  complained: number;
  /** People who were written to in the window, and those of them who wrote back. */
  people: number;
  replied: number;
};

export type Limits = {
  bounce_rate?: number | null | undefined;
  complaint_rate?: number | null | undefined;
  reply_rate?: number | null | undefined;
  min_sends: number;
};

/** Why a campaign stops itself: a share that was set for it is reached, or is not, once enough letters say so. */
export function ruleGuardrails(
  { letters, bounced, complained, people, replied }: CampaignMetrics,
  { bounce_rate, complaint_rate, reply_rate, min_sends }: Limits,
): 'guardrail_bounce' | 'guardrail_complaint' | 'guardrail_reply' | null {
  if (letters < min_sends) return null;
  const over = (count: number, limit: number | null | undefined): boolean =>
    typeof limit === 'number' && count > 0 && reaches(count, letters, limit);
  if (over(complained, complaint_rate)) return 'guardrail_complaint';
  if (over(bounced, bounce_rate)) return 'guardrail_bounce';
  if (typeof reply_rate === 'number' && people > 0 && !reaches(replied, people, reply_rate))
    return 'guardrail_reply';
  return null;
}
