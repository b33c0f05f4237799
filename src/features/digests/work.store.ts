// What digests read of the board and of the audit log. Items are looked up by the columns of their project; of the audit log
// the newest rows alone are gone through.
import type { Reader } from '../../kernel/ground.ts';
import { NEWEST_MAX } from './people.store.ts';

export type OpenItem = {
  id: string;
  key: string;
  title: string;
  status: string;
  author: string;
  due_on: string | null;
  approval_id: string | null;
  parked_at: Date | null;
  claim_kind: 'person' | 'agent' | 'service' | 'system' | null;
  claim_id: string | null;
  claim_name: string | null;
  claim_expires_at: Date | null;
  blockers: number;
};

export type Which = 'parked' | 'claimed' | 'blocked' | 'overdue';

/** Open items of a project of one kind, what presses most first, and how many there are. */
export async function openItems(
  db: Reader,
  project_id: string,
  which: Which,
  now: Date,
  count: number,
): Promise<{ rows: OpenItem[]; count: number }> {
  const blockers = db`(select count(*)::int from work_blocks b join work_items o on o.id = b.blocked_by_id
    where b.item_id = i.id and o.status not in ('done', 'cancelled'))`;
  const CONDITION = {
    parked: db`i.status = 'in_review'`,
    claimed: db`i.status in ('backlog', 'todo', 'in_progress', 'in_review') and i.claim_expires_at > ${now}`,
    blocked: db`i.status in ('backlog', 'todo', 'in_progress') and exists (
      select from work_blocks b join work_items o on o.id = b.blocked_by_id
      where b.item_id = i.id and o.status not in ('done', 'cancelled'))`,
    overdue: db`i.status in ('backlog', 'todo', 'in_progress', 'in_review') and i.due_on < ${now.toISOString().slice(0, 10)}::date`,
  } as const;
  const ORDER = {
    parked: db`parked_at, i.id`,
    claimed: db`i.claim_expires_at, i.id`,
    blocked: db`i.priority desc, i.id`,
    overdue: db`i.due_on, i.id`,
  } as const;
  const rows = await db<(OpenItem & { all: number })[]>`
    select i.id, p.key || '-' || i.number as key, i.title, i.status, i.author_name as author, i.due_on::text as due_on,
      i.approval_id, (select a.created_at from approvals a where a.id = i.approval_id) as parked_at, i.claim_kind, i.claim_id,
      i.claim_name, i.claim_expires_at, ${blockers} as blockers, (count(*) over ())::int as all
    from work_items i join work_projects p on p.id = i.project_id
    where i.project_id = ${project_id} and ${CONDITION[which]} order by ${ORDER[which]} limit ${count}`;
  return { rows, count: rows[0]?.all ?? 0 };
}

/** Of these projects, or of all: items made and finished since then. */
export async function itemsSince(
  db: Reader,
  projects: readonly string[] | 'all',
  since: Date,
): Promise<{ created: number; completed: number }> {
  const among = projects === 'all' ? db`` : db`and i.project_id = any(${[...projects]}::uuid[])`;
  const [row] = await db<{ created: number; completed: number }[]>`
    select (count(*) filter (where n.created_at >= ${since}))::int as created,
      (count(*) filter (where n.completed_at >= ${since}))::int as completed
    from (
      select i.created_at, i.completed_at from work_items i where i.updated_at >= ${since} ${among}
      order by i.updated_at desc, i.id desc limit ${NEWEST_MAX}) n`;
  return row ?? { created: 0, completed: 0 };
}

/** Rows of the audit log that one digest goes through at most. */
export const LOOKED_AT_MAX = 10_000;

export type Activity = {
  kind: string;
  id: string;
  name: string;
  token: string | null;
  for: string | null;
  act: string;
  outcome: 'done' | 'refused' | 'fault';
  code: string | null;
  sentence: string | null;
  count: number;
  last_at: Date;
};

/** What tokens and agents did since then, alike rows counted together, and how far back the newest rows went. */
export async function activitySince(
  db: Reader,
  since: Date,
  actor: string | undefined,
): Promise<{ rows: Activity[]; looked_at: number; from: Date | null }> {
  const newest = (as: ReturnType<Reader>) =>
    db`(select * from audit where ${as} order by id desc limit ${LOOKED_AT_MAX})`;
  const looked =
    actor === undefined
      ? newest(db`true`)
      : db`(select * from (${newest(db`principal_id = ${actor}`)} union ${newest(db`token_id = ${actor}`)}
          union ${newest(db`on_behalf_of_id = ${actor}`)}) u order by id desc limit ${LOOKED_AT_MAX})`;
  const rows = await db<(Activity & { looked_at: number; from_at: Date | null })[]>`
    with looked as materialized (select * from ${looked} a),
    told as (
      select principal_kind as kind, principal_id as id, principal_name as name, token_name as token,
        on_behalf_of_name as for, act, outcome, code, sentence, count(*)::int as count, max(at) as last_at
      from looked where at >= ${since} and (token_id is not null or principal_kind in ('agent', 'service'))
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9 order by count(*) desc, max(at) desc limit 5000)
    select t.*, l.looked_at, l.from_at
    from (select count(*)::int as looked_at, min(at) as from_at from looked) l left join told t on true`;
  const [first] = rows;
  return {
    rows: rows.filter(({ kind }) => kind !== null),
    looked_at: first?.looked_at ?? 0,
    from: first?.from_at ?? null,
  };
}
