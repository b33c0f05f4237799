// All SQL of groups: who is in them and which policies they share.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { invalid } from '../../../kernel/refusal.ts';
import { nameKey } from '../users/rules.ts';
import type { Group } from './contract.ts';

type Db = Reader | Transaction;
type Row = Group & { name_key: string };
export type ListedGroup = { group: Group; key: [name_key: string] };

const groups = (db: Db) => db`
  select g.id, g.name, g.name_key,
    array(select policy_name from group_policies where group_id = g.id order by policy_name) as policies,
    (select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name) order by u.name_key, u.id), '[]')
     from group_members m join users u on u.id = m.user_id where m.group_id = g.id) as members
  from groups g`;

export async function groupById(db: Db, id: string): Promise<Group | null> {
  const [row] = await db<Row[]>`${groups(db)} where g.id = ${id}`;
  return row ? shown(row).group : null;
}

/** By name; `after` is the name key of the last row of the page before. */
export async function groupRows(db: Db, after: string | null, count: number): Promise<ListedGroup[]> {
  const rows = await db<Row[]>`
    ${groups(db)} ${after === null ? db`` : db`where g.name_key collate "C" > ${after}`}
    order by g.name_key collate "C" limit ${count}`;
  return rows.map(shown);
}

const shown = ({ name_key, ...group }: Row): ListedGroup => ({ group, key: [name_key] });

/** Null where a group of that name exists. */
export async function insertGroup(tx: Transaction, name: string, now: Date): Promise<string | null> {
  const id = newId();
  const made = await tx`
    insert into groups (id, name, name_key, created_at) values (${id}, ${name}, ${nameKey(name)}, ${now})
    on conflict (name_key) do nothing returning id`;
  return made.length > 0 ? id : null;
}

/** False where another group has that name. */
export async function renameGroup(tx: Transaction, id: string, name: string): Promise<boolean> {
  const key = nameKey(name);
  // Renames go one after the other, so that of two to one name the second sees the first.
  await tx`select pg_advisory_xact_lock(hashtextextended('groups.name', 0))`;
  const done = await tx`
    update groups set name = ${name}, name_key = ${key}
    where id = ${id} and not exists (select from groups other where other.name_key = ${key} and other.id <> ${id}) returning 1`;
  return done.length > 0;
}

export async function lockGroup(tx: Transaction, id: string): Promise<boolean> {
  const found = await tx`select 1 from groups where id = ${id} for update`;
  return found.length > 0;
}

export async function deleteGroup(tx: Transaction, id: string): Promise<boolean> {
  const gone = await tx`delete from groups where id = ${id} returning 1`;
  return gone.length > 0;
}

/**
 * Takes these users for this transaction and gives their ids once each; refuses one who is not there. Users come before
 * groups, always: two acts that took them in different orders would wait for each other.
 */
export async function holdUsers(tx: Transaction, members: string[]): Promise<string[]> {
  const wanted = [...new Set(members)];
  const there = await tx<
    { id: string }[]
  >`select id from users where id = any(${wanted}::uuid[]) order by id for key share`;
  if (there.length < wanted.length)
    throw unknown('members', 'members: no such user. GET /api/admin/users lists them.');
  return wanted;
}

/** Puts exactly these users, who are held, into a group. */
export async function replaceMembers(tx: Transaction, group: string, members: string[]): Promise<void> {
  await tx`delete from group_members where group_id = ${group}`;
  await tx`insert into group_members (group_id, user_id) select ${group}, unnest(${members}::uuid[])`;
}

export async function replaceGroupPolicies(
  tx: Transaction,
  group: string,
  policies: string[],
): Promise<void> {
  await tx`delete from group_policies where group_id = ${group}`;
  await tx`insert into group_policies (group_id, policy_name) select ${group}, unnest(${policies}::text[])`;
}

/** Puts a user, who is held, into exactly these groups. */
export async function replaceGroupsOf(tx: Transaction, user: string, ids: string[]): Promise<void> {
  const wanted = [...new Set(ids)];
  const there = await tx<
    { id: string }[]
  >`select id from groups where id = any(${wanted}::uuid[]) order by id for key share`;
  if (there.length < wanted.length)
    throw unknown('groups', 'groups: no such group. GET /api/admin/groups lists them.');
  await tx`delete from group_members where user_id = ${user}`;
  await tx`insert into group_members (group_id, user_id) select unnest(${wanted}::uuid[]), ${user}`;
}

const unknown = (field: string, says: string) => invalid(says, { [field]: says });
