// Reports as shown on a letter, a person and a domain. The caller says which letters the reader may read; for others the
// server’s words are left out, because servers name the recipient.
import type { Reader } from '../../../kernel/database.ts';
import type { Condition } from '../../access/policies/named.store.ts';
import type { DeliveryReason, DeliveryReport } from './report.contract.ts';

export type ReportRow = Omit<DeliveryReport, 'at'> & { at: Date | string };

export const reportIn = ({ at, ...row }: ReportRow): DeliveryReport => ({
  ...row,
  at: new Date(at).toISOString(),
});

/** Of `sends s`: the last bad word about this attempt, where that is what it is at, or what it waits for. */
export const lastReport = (db: Reader) => db`
  case when s.delivery in ('soft', 'hard', 'policy', 'complaint') or s.waiting_for in ('retry', 'greylisted') then (
    select jsonb_build_object('kind', e.kind, 'source', e.source, 'status', e.status, 'cause', e.cause, 'said', e.said, 'at', e.at)
    from send_outcomes e
    where e.send_id = s.id and e.kind in ('soft', 'hard', 'policy', 'complaint') and e.kind = coalesce(s.delivery, e.kind)
      and (s.resent_at is null or e.received_at >= s.resent_at)
    order by e.at desc limit 1) end`;

/** More of one letter says nothing new. */
const MOST_REPORTS = 20;

/** Newest first. */
export async function reportsOf(db: Reader, send_id: string): Promise<DeliveryReport[]> {
  const rows = await db<ReportRow[]>`
    select kind, source, status, cause, said, at from send_outcomes where send_id = ${send_id}
    order by at desc, id desc limit ${MOST_REPORTS}`;
  return rows.map(reportIn);
}

export type PersonReport = DeliveryReport & {
  id: string;
  send_id: string;
  campaign_id: string | null;
  campaign: string | null;
};

/**
 * What kept letters from someone, newest first. `readable`: of `sends s`. A server that puts a letter off again and again is
 * told of once, by its last word.
 */
export async function reportsOfPerson(
  db: Reader,
  person: string,
  readable: Condition,
  after: readonly [at: string, id: string] | null,
  count: number,
): Promise<PersonReport[]> {
  const rows = await db<(Omit<PersonReport, 'at'> & { at: Date })[]>`
    select e.id, e.kind, e.source, e.status, e.cause, e.said, e.at, s.id as send_id, s.campaign_id,
      (select c.name from campaigns c where c.id = s.campaign_id) as campaign
    from sends s join send_outcomes e on e.send_id = s.id
    where s.person_id = ${person} and ${readable} and e.kind in ('soft', 'hard', 'policy', 'complaint')
      and not (e.kind = 'soft' and exists (select from send_outcomes n where n.send_id = s.id and n.at > e.at))
      ${after === null ? db`` : db`and (e.at, e.id) < (${after[0]}, ${after[1]})`}
    order by e.at desc, e.id desc limit ${count}`;
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
}

type ReasonRow = Omit<DeliveryReason, 'last_at'> & { last_at: Date };

/** So many of each domain, campaign or person, most letters first. */
const MOST_REASONS = 10;

/** Of `send_outcomes e`: each reason once, with its last words. */
const grouped = (db: Reader) => db`
  e.kind, e.status, e.cause, (count(distinct coalesce(e.send_id, e.id)))::int as letters, max(e.at) as last_at,
  (array_agg(e.said order by e.at desc) filter (where e.said is not null))[1] as said,
  (array_agg(e.send_id order by e.at desc) filter (where e.send_id is not null))[1] as send_id`;

/** Why letters of these domains were not taken since a moment of each. `readable`: of `sends s`; others are counted nowhere. */
export async function reasonsOf(
  db: Reader,
  domains: readonly { id: string; since: Date }[],
  readable: Condition,
): Promise<Map<string, DeliveryReason[]>> {
  const ids = domains.map(({ id }) => id);
  const starts = domains.map(({ since }) => since.toISOString());
  const rows = await db<(ReasonRow & { domain_id: string })[]>`
    select w.id as domain_id, r.*
    from unnest(${ids}::uuid[], ${starts}::timestamptz[]) as w (id, start)
    cross join lateral (
      select ${grouped(db)}
      from send_outcomes e left join sends s on s.id = e.send_id
      where e.domain_id = w.id and e.at >= w.start and e.kind in ('soft', 'hard', 'policy', 'complaint') and ${readable}
      group by e.kind, e.status, e.cause order by letters desc, last_at desc limit ${MOST_REASONS}) r
    order by r.letters desc, r.last_at desc`;
  const byDomain = Map.groupBy(rows, ({ domain_id }) => domain_id);
  return new Map([...byDomain].map(([id, all]) => [id, all.map(reasonIn)]));
}

/** So many of the newest letters are gone through at most. */
const LETTERS_LOOKED_AT = 20_000;

/** Why letters of a campaign or to a person were not taken, where that is what they are at. */
export async function reasonsAmong(
  db: Reader,
  of: { campaign: string } | { person: string },
  readable: Condition,
): Promise<DeliveryReason[]> {
  const whose = 'campaign' in of ? db`s.campaign_id = ${of.campaign}` : db`s.person_id = ${of.person}`;
  const rows = await db<ReasonRow[]>`
    select ${grouped(db)}
    from (
      select s.id, s.delivery from sends s
      where ${whose} and s.delivery in ('soft', 'hard', 'policy', 'complaint') and ${readable}
      order by s.delivery_at desc limit ${LETTERS_LOOKED_AT}) s
    cross join lateral (
      select * from send_outcomes o where o.send_id = s.id and o.kind = s.delivery order by o.at desc limit 1) e
    group by e.kind, e.status, e.cause order by letters desc, last_at desc limit ${MOST_REASONS}`;
  return rows.map(reasonIn);
}

const reasonIn = ({ kind, status, cause, said, letters, last_at, send_id }: ReasonRow): DeliveryReason => ({
  kind,
  status,
  cause,
  said,
  letters,
  last_at: last_at.toISOString(),
  send_id,
});
