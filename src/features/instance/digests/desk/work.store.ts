// What digests read of the board. Items are looked up by the columns of their project.
import type { Caller } from '../../../../kernel/caller.ts';
import type { Reader } from '../../../../kernel/database.ts';
import { readableItems } from '../../../work/work/projects.store.ts';
import { NEWEST_MAX } from '../people/people.store.ts';
import type { Span } from '../span.ts';

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

export type WhichItems = 'parked' | 'claimed' | 'blocked' | 'overdue';

/** Open items of a project of one kind that the caller may read, what presses most first, and how many there are. */
export async function openItems(
  db: Reader,
  caller: Caller,
  project_id: string,
  which: WhichItems,
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
    where i.project_id = ${project_id} and ${readableItems(db, caller)} and ${CONDITION[which]} order by ${ORDER[which]} limit ${count}`;
  return { rows, count: rows[0]?.all ?? 0 };
}

export type OverdueItem = { id: string; key: string; title: string; due_on: string };

/** Of these projects, or of all: open items that the caller may read whose due date has passed, the longest first. */
export async function overdueItems(
  db: Reader,
  caller: Caller,
  projects: readonly string[] | 'all',
  now: Date,
  count: number,
): Promise<{ rows: OverdueItem[]; count: number }> {
  const among = projects === 'all' ? db`` : db`and i.project_id = any(${[...projects]}::uuid[])`;
  const rows = await db<(OverdueItem & { all: number })[]>`
    select i.id, p.key || '-' || i.number as key, i.title, i.due_on::text as due_on, (count(*) over ())::int as all
    from work_items i join work_projects p on p.id = i.project_id
    where i.status in ('backlog', 'todo', 'in_progress', 'in_review')
      and i.due_on < ${now.toISOString().slice(0, 10)}::date ${among} and ${readableItems(db, caller)}
    order by i.due_on, i.id limit ${count}`;
  return { rows, count: rows[0]?.all ?? 0 };
}

/** Of these projects, or of all: items made and finished in that span. */
export async function itemsIn(
  db: Reader,
  caller: Caller,
  projects: readonly string[] | 'all',
  { since, until }: Span,
): Promise<{ created: number; completed: number }> {
  const among = projects === 'all' ? db`` : db`and i.project_id = any(${[...projects]}::uuid[])`;
  const [row] = await db<{ created: number; completed: number }[]>`
    select (count(*) filter (where n.created_at >= ${since} and n.created_at < ${until}))::int as created,
      (count(*) filter (where n.completed_at >= ${since} and n.completed_at < ${until}))::int as completed
    from (
      select i.created_at, i.completed_at from work_items i join work_projects p on p.id = i.project_id
      where i.updated_at >= ${since} ${among} and ${readableItems(db, caller)}
      order by i.updated_at desc, i.id desc limit ${NEWEST_MAX}) n`;
  return row ?? { created: 0, completed: 0 };
}
