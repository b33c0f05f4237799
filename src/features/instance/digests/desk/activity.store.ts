// What the digest of activity reads of the audit log and of the log of reads: of each the newest rows alone are gone through.
import type { Reader } from '../../../../kernel/database.ts';
import type { Span } from '../span.ts';

/** Rows of each log that one digest goes through at most. */
export const LOOKED_AT_MAX = 10_000;

export type Activity = {
  kind: string;
  id: string;
  name: string;
  token: string | null;
  for: string | null;
  act: string;
  outcome: 'done' | 'rehearsed' | 'refused' | 'fault' | 'read';
  code: string | null;
  sentence: string | null;
  count: number;
  last_at: Date;
};

type Looked = { rows: Activity[]; looked_at: number; from: Date | null };

/** What tokens and agents did in that span, alike rows counted together, and how far back the newest rows went. */
export const actsIn = (db: Reader, { since, until }: Span, actor: string | undefined): Promise<Looked> =>
  alike(
    db,
    newestOf(db, db`audit`, actor),
    db`select principal_kind as kind, principal_id as id, principal_name as name, token_name as token,
         on_behalf_of_name as for, act,
         case when rehearsed then 'rehearsed' else outcome end as outcome, code, sentence, sum(times)::int as count, max(at) as last_at
       from looked where at >= ${since} and at < ${until} and (token_id is not null or principal_kind in ('agent', 'service'))
       group by 1, 2, 3, 4, 5, 6, 7, 8, 9`,
  );

/** What agents read in it, in the same way. */
export const readsIn = (db: Reader, { since, until }: Span, actor: string | undefined): Promise<Looked> =>
  alike(
    db,
    newestOf(db, db`activity_reads`, actor),
    db`select principal_kind as kind, principal_id as id, principal_name as name, token_name as token,
         on_behalf_of_name as for, act, 'read' as outcome, null as code, null as sentence, sum(count)::int as count,
         max(until) as last_at
       from looked where at >= ${since} and at < ${until} group by 1, 2, 3, 4, 5, 6`,
  );

type Part = ReturnType<Reader>;

function newestOf(db: Reader, table: Part, actor: string | undefined) {
  const newest = (as: Part) =>
    db`(select * from ${table} where ${as} order by id desc limit ${LOOKED_AT_MAX})`;
  if (actor === undefined) return newest(db`true`);
  return db`(select * from (${newest(db`principal_id = ${actor}`)} union ${newest(db`token_id = ${actor}`)}
    union ${newest(db`on_behalf_of_id = ${actor}`)}) u order by id desc limit ${LOOKED_AT_MAX})`;
}

async function alike(db: Reader, looked: ReturnType<typeof newestOf>, counted: Part): Promise<Looked> {
  const rows = await db<(Activity & { looked_at: number; from_at: Date | null })[]>`
    with looked as materialized (select * from ${looked} a),
    told as (${counted} order by count desc, last_at desc limit 5000)
    select t.*, l.looked_at, l.from_at
    from (select count(*)::int as looked_at, min(at) as from_at from looked) l left join told t on true`;
  const [first] = rows;
  return {
    rows: rows.filter(({ kind }) => kind !== null),
    looked_at: first?.looked_at ?? 0,
    from: first?.from_at ?? null,
  };
}
