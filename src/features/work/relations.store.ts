// What an item may point to: a parent and blockers of its own project, without a circle of parents, and somebody who can
// work on it. People and tokens are read here, side by side in one list, because that list is the board's own.
import type { PrincipalKind } from '../../kernel/caller.ts';
import type { Reader, Transaction } from '../../kernel/ground.ts';

type Named = { kind: PrincipalKind; id: string; name: string };

/** Everybody a card can be given to: active people, and tokens that have not run out. */
const workers = (db: Reader, now: Date) => db`
  select 'person' as kind, id, name, name_key as sort from users where state = 'active'
  union all
  select case when mode = 'user' then 'agent' else 'service' end, id, name, name from tokens
  where expires_at is null or expires_at > ${now}`;

export async function findWorker(db: Reader, id: string, now: Date): Promise<Named | null> {
  const [found] = await db<Named[]>`select kind, id, name from (${workers(db, now)}) w where id = ${id}`;
  return found ?? null;
}

/** By name; `query` is the beginning of any word of it, as the process lowers it. */
export async function listWorkers(
  db: Reader,
  now: Date,
  search: { query: string | null; after: readonly [sort: string, id: string] | null; count: number },
): Promise<(Named & { sort: string })[]> {
  const { query, after } = search;
  const pattern = query === null ? null : query.replace(/[\\%_]/g, (c) => `\\${c}`);
  return await db<(Named & { sort: string })[]>`
    select kind, id, name, sort from (${workers(db, now)}) w
    where true
      ${pattern === null ? db`` : db`and (sort like ${`${pattern}%`} or sort like ${`% ${pattern}%`})`}
      ${after === null ? db`` : db`and (sort collate "C", id) > (${after[0]}, ${after[1]})`}
    order by sort collate "C", id limit ${search.count}`;
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
