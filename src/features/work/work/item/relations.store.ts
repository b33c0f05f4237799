// What an item may point to: a parent and blockers of its own project, without a circle of parents, and someone who can
// work on it. People and tokens are read here, side by side in one list, because that list is the board's own.
import type { Caller, Principal } from '../../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import { visibleProjects } from '../projects.store.ts';

/**
 * Everyone a card can be given to: active people, and tokens that can be used. An administrator is offered all of them.
 * Anyone else is offered the people who have a project on their board that the caller sees too, the caller's own tokens,
 * and of the others' tokens those that a card of such a project names already: as its author, assignee or holder.
 */
const seenBy = (db: Reader, caller: Caller): ReturnType<typeof visibleProjects> | 'all' =>
  caller.rights.admin ? 'all' : visibleProjects(db, caller, 'work.item.read');

type Seen = Awaited<ReturnType<typeof seenBy>>;

// Made without waiting: a fragment of a query that is waited for is sent as a query.
function workersFor(db: Reader, caller: Caller, seen: Seen, now: Date) {
  if (seen === 'all') return workers(db, now, db``, db``);
  const keys = seen.map((project) => project.key);
  const ids = seen.map((project) => project.id);
  const named = (who: 'author' | 'assignee' | 'claim') => db`exists (
    select 1 from work_items i
    where i.${db(`${who}_id`)} = t.id::text and i.${db(`${who}_kind`)} <> 'person' and i.project_id = any(${ids}))`;
  return workers(
    db,
    now,
    db`and ${keys.length > 0} and (board_projects is null or board_projects && ${keys})`,
    db`and (t.user_id = ${caller.user_id} or ${named('author')} or ${named('assignee')} or ${named('claim')})`,
  );
}

type Sql = ReturnType<Reader>;

const workers = (db: Reader, now: Date, ofPeople: Sql, ofTokens: Sql) => db`
  select 'person' as kind, id, name, name_key as sort, null::jsonb as on_behalf_of from users
  where state = 'active' ${ofPeople}
  union all
  select case when t.mode = 'user' then 'agent' else 'service' end, t.id, t.name, t.name,
    case when u.id is not null then jsonb_build_object('kind', 'person', 'id', u.id, 'name', u.name) end
  from tokens t left join users u on u.id = t.user_id
  where (t.expires_at is null or t.expires_at > ${now}) and (u.id is null or u.state = 'active') ${ofTokens}`;

type WorkerRow = Omit<Principal, 'on_behalf_of'> & { on_behalf_of: Principal['on_behalf_of'] | null };

const toWorker = ({ on_behalf_of, kind, id, name }: WorkerRow): Principal => ({
  kind,
  id,
  name,
  ...(on_behalf_of && { on_behalf_of }),
});

export async function findWorker(
  db: Reader,
  caller: Caller,
  id: string,
  now: Date,
): Promise<Principal | null> {
  const offered = workersFor(db, caller, await seenBy(db, caller), now);
  const [found] = await db<
    WorkerRow[]
  >`select kind, id, name, on_behalf_of from (${offered}) w where id = ${id}`;
  return found ? toWorker(found) : null;
}

/** Of those whom this caller may give a card to, the person who signs in with this address. */
export async function findWorkerByAddress(
  db: Reader,
  caller: Caller,
  now: Date,
  email_key: string,
): Promise<Principal[]> {
  const offered = workersFor(db, caller, await seenBy(db, caller), now);
  const rows = await db<WorkerRow[]>`
    select w.kind, w.id, w.name, w.on_behalf_of from (${offered}) w join users u on u.id = w.id
    where w.kind = 'person' and u.email_key = ${email_key}`;
  return rows.map(toWorker);
}

/** By name; `query` is the beginning of any word of it, as the process lowers it. */
export async function listWorkers(
  db: Reader,
  caller: Caller,
  now: Date,
  search: { query: string | null; after: readonly [sort: string, id: string] | null; count: number },
): Promise<{ worker: Principal; sort: string }[]> {
  const { query, after } = search;
  const pattern = query === null ? null : query.replace(/[\\%_]/g, (c) => `\\${c}`);
  const offered = workersFor(db, caller, await seenBy(db, caller), now);
  const rows = await db<(WorkerRow & { sort: string })[]>`
    select kind, id, name, on_behalf_of, sort from (${offered}) w
    where true
      ${pattern === null ? db`` : db`and (sort like ${`${pattern}%`} or sort like ${`% ${pattern}%`})`}
      ${after === null ? db`` : db`and (sort collate "C", id) > (${after[0]}, ${after[1]})`}
    order by sort collate "C", id limit ${search.count}`;
  return rows.map((row) => ({ worker: toWorker(row), sort: row.sort }));
}

/** Which of these ids are no items of the project. */
export async function strangers(db: Reader, project_id: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db<
    { id: string }[]
  >`select id from work_items where project_id = ${project_id} and id = any(${ids})`;
  const known = new Set(rows.map((row) => row.id));
  return ids.filter((id) => !known.has(id.toLowerCase()));
}

/**
 * Would this parent make a circle? The project's row is held from here on: two acts that each hang one item under the other
 * are looked at one after the other.
 */
export async function closesCircle(
  tx: Transaction,
  item: { id: string; project_id: string },
  parent_id: string,
): Promise<boolean> {
  await tx`select 1 from work_projects where id = ${item.project_id} for no key update`;
  const rows = await tx`
    with recursive above (id) as (
      select ${parent_id}::uuid
      union
      select i.parent_id from work_items i join above a on i.id = a.id where i.parent_id is not null
    )
    select 1 from above where id = ${item.id}`;
  return rows.length > 0;
}
