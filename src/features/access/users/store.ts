// All SQL of the roster: who there is, what they carry, and how that changes. Passwords and codes are in accounts.store.ts.
import type { Caller } from '../../../kernel/caller.ts';
import { json, type Reader, type Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { allowedBy } from '../policies/named.store.ts';
import type { Carried } from '../policies/rights.ts';
import type { User } from './contract.ts';
import { type RosterStanding, emailKey, nameKey } from './rules.ts';

type Db = Reader | Transaction;

type Row = Omit<User, 'created_at' | 'last_seen_at'> & {
  name_key: string;
  created_at: Date;
  last_seen_at: Date | null;
};
export type Listed = { user: User; key: [name_key: string, id: string] };

const roster = (db: Db) => db`
  select u.id, u.name, u.name_key, u.email, u.admin, u.state, u.timezone, u.created_at, u.last_seen_at, i.id as invite_id,
    u.totp_secret is not null as totp,
    jsonb_build_object('projects', u.board_projects, 'default_project', u.default_project) as board,
    array(select policy_name from user_policies where user_id = u.id order by policy_name) as policies,
    (select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by g.name_key), '[]')
     from group_members m join groups g on g.id = m.group_id where m.user_id = u.id) as groups
  from users u left join invites i on i.user_id = u.id`;

export async function userById(db: Db, id: string): Promise<User | null> {
  const [row] = await db<Row[]>`${roster(db)} where u.id = ${id}`;
  return row ? shown(row).user : null;
}

export type UserFilter = {
  query?: string | undefined;
  state?: string | undefined;
  after: [string, string] | null;
  count: number;
};

/** By name, as if those whom the caller's policies deny were not there; `after` is the last key of the page before. */
export async function userRows(
  db: Db,
  caller: Caller,
  { query, state, after, count }: UserFilter,
): Promise<Listed[]> {
  const names = { 'admin:user/': db`u.id`, 'admin:user': { text: db`''` } };
  const may = allowedBy(db, caller.rights, 'admin.user.read', names) ?? db`true`;
  const wanted = query === undefined ? null : nameKey(query);
  const rows = await db<Row[]>`
    ${roster(db)} where ${may}
    ${after ? db`and (u.name_key collate "C", u.id) > (${after[0]}, ${after[1]}::uuid)` : db``}
    ${state ? db`and u.state = ${state}` : db``}
    ${wanted === null ? db`` : db`and (position(${wanted} in u.name_key) > 0 or position(${wanted} in u.email_key) > 0)`}
    order by u.name_key collate "C", u.id limit ${count}`;
  return rows.map(shown);
}

function shown({ name_key, created_at, last_seen_at, ...row }: Row): Listed {
  return {
    user: { ...row, created_at: created_at.toISOString(), last_seen_at: last_seen_at?.toISOString() ?? null },
    key: [name_key, row.id],
  };
}

/** Holds the user to the end of the transaction, so that nothing is bound to someone who is disabled meanwhile. */
export async function isActiveUser(tx: Transaction, id: string): Promise<boolean> {
  const found = await tx`select 1 from users where id = ${id} and state = 'active' for share`;
  return found.length > 0;
}

export type LockedUser = RosterStanding & { id: string; email_key: string };

/**
 * Takes a user and every active administrator for this transaction, in one order, so that two administrators who are
 * unmade at once go one after the other. `others` is how many active administrators there are beside this user.
 */
export async function lockUser(
  tx: Transaction,
  id: string,
): Promise<{ user: LockedUser; others: number } | null> {
  const rows = await tx<LockedUser[]>`
    select id, name, email, email_key, state, admin from users
    where id = ${id} or (admin and state = 'active') order by id for update`;
  const user = rows.find((row) => row.id === id);
  return user ? { user, others: rows.filter((row) => row.id !== id).length } : null;
}

/** Takes the user of this address, or makes one who is invited. */
export async function lockOrInvite(
  tx: Transaction,
  given: { email: string; name: string; now: Date },
): Promise<{ user: LockedUser; made: boolean }> {
  const email_key = emailKey(given.email);
  const { name, now } = given;
  const made = await tx`insert into users ${tx({
    id: newId(),
    name,
    name_key: nameKey(name),
    email: given.email.trim(),
    email_key,
    state: 'invited',
    created_at: now,
  })} on conflict (email_key) do nothing returning id`;
  const [user] = await tx<LockedUser[]>`
    select id, name, email, email_key, state, admin from users where email_key = ${email_key} for update`;
  if (!user) throw new Error('an invited user is not there');
  return { user, made: made.length > 0 };
}

export type Changes = {
  name?: string | undefined;
  admin?: boolean | undefined;
  state?: 'active' | 'disabled' | undefined;
  board_projects?: string[] | null | undefined;
  timezone?: string | null | undefined;
  default_project?: string | null | undefined;
  mail_approvals?: boolean | undefined;
  /** By kind; the others stay as they are. */
  notices?: Record<string, string> | undefined;
};

/** Changes the columns that are given. */
export async function updateUser(tx: Transaction, id: string, changes: Changes): Promise<void> {
  const { notices, ...columns } = changes;
  const set = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  if (changes.name !== undefined) set['name_key'] = nameKey(changes.name);
  if (Object.keys(set).length > 0) await tx`update users set ${tx(set)} where id = ${id}`;
  if (notices) await tx`update users set notices = notices || ${json(tx, notices)} where id = ${id}`;
}

export async function replaceUserPolicies(tx: Transaction, user: string, policies: string[]): Promise<void> {
  await tx`delete from user_policies where user_id = ${user}`;
  await tx`insert into user_policies (user_id, policy_name) select ${user}, unnest(${policies}::text[])`;
}

export type UserStanding = {
  name: string;
  state: LockedUser['state'];
  admin: boolean;
  board_projects: string[] | null;
  carried: Carried[];
};

/** A user with everything their rights are made of. */
export async function userStanding(db: Reader, id: string): Promise<UserStanding | null> {
  const [row] = await db<UserStanding[]>`
    select name, state, admin, board_projects,
      (select coalesce(jsonb_agg(jsonb_build_object('name', c.policy_name, 'statements', p.statements) order by c.policy_name), '[]')
       from carried_by_users c left join policies p on p.name = c.policy_name where c.user_id = users.id) as carried
    from users where id = ${id}`;
  return row ?? null;
}
