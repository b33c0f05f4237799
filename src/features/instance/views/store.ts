// All SQL of saved views. Every one is its user's alone, so each statement names the user.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import type { ListName, View } from './contract.ts';

type Row = Omit<View, 'updated_at'> & { updated_at: Date };

const toView = ({ updated_at, ...row }: Row): View => ({ ...row, updated_at: updated_at.toISOString() });

/** By name as its bytes sort. */
export async function viewsOf(db: Reader, user_id: string, list: ListName): Promise<View[]> {
  const rows = await db<Row[]>`
    select id, list, name, query, updated_at from list_views
    where user_id = ${user_id} and list = ${list} order by name collate "C"`;
  return rows.map(toView);
}

/** Two of one person's screens wait for each other here: no more views than may be, and no name twice. */
const lockUser = (tx: Transaction, user_id: string) =>
  tx`select from users where id = ${user_id} for no key update`;

/** Keeps it under its name; null where that would be one more than `most` of this list. */
export async function keepView(
  tx: Transaction,
  user_id: string,
  { list, name, query }: Pick<View, 'list' | 'name' | 'query'>,
  most: number,
  now: Date,
): Promise<View | null> {
  await lockUser(tx, user_id);
  const [row] = await tx<Row[]>`
    insert into list_views (id, user_id, list, name, query, created_at, updated_at)
    select ${newId()}::uuid, ${user_id}::uuid, ${list}::text, ${name}::text, ${query}::text, ${now}::timestamptz, ${now}::timestamptz
    where (select count(*) from list_views v
      where v.user_id = ${user_id} and v.list = ${list} and v.name <> ${name}) < ${most}
    on conflict (user_id, list, name) do update set query = excluded.query, updated_at = excluded.updated_at
    returning id, list, name, query, updated_at`;
  return row ? toView(row) : null;
}

export async function nameView(
  tx: Transaction,
  user_id: string,
  id: string,
  name: string,
  now: Date,
): Promise<View | 'taken' | 'none'> {
  await lockUser(tx, user_id);
  const [taken] = await tx`
    select 1 from list_views v join list_views o using (user_id, list)
    where v.id = ${id} and v.user_id = ${user_id} and o.name = ${name} and o.id <> v.id`;
  if (taken) return 'taken';
  const [row] = await tx<Row[]>`
    update list_views set name = ${name}, updated_at = ${now} where id = ${id} and user_id = ${user_id}
    returning id, list, name, query, updated_at`;
  return row ? toView(row) : 'none';
}

/** Was it there? */
export async function forgetView(tx: Transaction, user_id: string, id: string): Promise<boolean> {
  const gone = await tx`delete from list_views where id = ${id} and user_id = ${user_id}`;
  return gone.count > 0;
}
