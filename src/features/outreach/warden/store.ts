// What the warden counts of a domain: letters, each once, however often someone reported it. Only reports whose sender is
// known (our own sessions, vendors who sign, reports to an address that we drew) carry a domain, so only they count.
import type { Transaction } from '../../../kernel/database.ts';
import type { DomainChecks } from '../../../mail/authentication/check.ts';
import type { DomainRow } from '../domains/domain-row.ts';
import { windowOf } from '../domains/domain-row.ts';
import { type Counted, DEFERRALS_MS } from './warden.rules.ts';

type Row = {
  accepted: number;
  attempts: number;
  complaints: number;
  hard: number;
  policy: number;
  recent_attempts: number;
  deferred: number;
};

type SampleRow = { kind: keyof typeof TALLIES; samples: string[] };
const TALLIES = { complaint: true, hard: true, policy: true, soft: true } as const;

/** Counts once; the ids of letters are read only where there is something to show. */
export async function countDomain(
  tx: Transaction,
  domain: DomainRow,
  now: Date,
): Promise<{ counted: Counted; window_start: Date }> {
  const { start } = windowOf(domain, now);
  const recently = new Date(Math.max(start.getTime(), now.getTime() - DEFERRALS_MS));
  const letter = tx`coalesce(e.send_id, e.id)`;
  const of = (kind: string) => tx`(count(distinct ${letter}) filter (where e.kind = ${kind}))::int`;
  const [row] = await tx<Row[]>`
    select ${of('accepted')} as accepted, (count(distinct ${letter}))::int as attempts, ${of('complaint')} as complaints,
      ${of('hard')} as hard, ${of('policy')} as policy,
      (count(distinct ${letter}) filter (where e.at >= ${recently}))::int as recent_attempts,
      (count(distinct ${letter}) filter (where e.at >= ${recently} and e.kind = 'soft'))::int as deferred
    from send_outcomes e where e.domain_id = ${domain.id} and e.at >= ${start} and e.at <= ${now}`;
  if (!row) throw new Error('a count gave no row');
  const bad = row.complaints + row.hard + row.policy + row.deferred;
  const samples = bad === 0 ? [] : await samplesOf(tx, domain.id, start, recently, now);
  const tally = (kind: SampleRow['kind'], count: number) => ({
    count,
    samples: samples.find((each) => each.kind === kind)?.samples ?? [],
  });
  return {
    window_start: start,
    counted: {
      accepted: row.accepted,
      attempts: row.attempts,
      complaints: tally('complaint', row.complaints),
      hard: tally('hard', row.hard),
      policy: tally('policy', row.policy),
      recent: { attempts: row.recent_attempts, deferred: tally('soft', row.deferred) },
      auth: authOf(domain),
    },
  };
}

/** Of a domain that never passed its checks nothing failed: its records wait to be published. */
function authOf({
  verified_at,
  auth_failing_since,
  unauthenticated_since,
  auth,
}: DomainRow): Counted['auth'] {
  if (verified_at === null) return { failing_since: null, confirmed_at: null, what: [] };
  const failing = (Object.keys(auth) as (keyof DomainChecks)[]).filter(
    (name) => ['spf', 'dkim', 'dmarc'].includes(name) && auth[name]?.outcome === 'failing',
  );
  return { failing_since: auth_failing_since, confirmed_at: unauthenticated_since, what: failing };
}

const samplesOf = (
  tx: Transaction,
  domain_id: string,
  start: Date,
  recently: Date,
  now: Date,
): Promise<SampleRow[]> => tx<SampleRow[]>`
  select e.kind, (array_agg(distinct e.send_id) filter (where e.send_id is not null))[1:10] as samples
  from send_outcomes e
  where e.domain_id = ${domain_id} and e.at <= ${now} and e.at >= case when e.kind = 'soft' then ${recently}::timestamptz
    else ${start}::timestamptz end and e.kind in ('complaint', 'hard', 'policy', 'soft')
  group by e.kind`;

/** A warning halves what a day allows. The revision is raised, so that the sender forgets what it knew of the day. */
export async function saveWarning(
  tx: Transaction,
  domain_id: string,
  reason: string | null,
  now: Date,
): Promise<void> {
  await tx`
    update domains set warned = ${reason}, warned_at = ${reason === null ? null : now}, revision = revision + 1,
      updated_at = ${now}
    where id = ${domain_id}`;
}
