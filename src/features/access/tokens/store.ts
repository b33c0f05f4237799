// All SQL of tokens: minting, the list, and the one query by which every request is identified.
import { MINUTE_MS, after } from '../../../kernel/clock.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Carried } from '../policies/rights.ts';
import type { TokenRow } from './contract.ts';

type Db = Reader | Transaction;

/** A token as identification and `explain` need it, with everything its rights are made of. */
export type KnownToken = {
  id: string;
  name: string;
  wire: boolean;
  scripts: boolean;
  expires_at: Date | null;
  last_used_at: Date | null;
  first_agent_turn_at: Date | null;
  user: {
    id: string;
    name: string;
    state: 'invited' | 'active' | 'disabled';
    admin: boolean;
    board_projects: string[] | null;
  } | null;
  carried: Carried[];
};

const known = (db: Db) => db`
  select t.id, t.name, t.wire, t.scripts, t.expires_at, t.last_used_at, t.first_agent_turn_at,
    case when u.id is not null then jsonb_build_object('id', u.id, 'name', u.name, 'state', u.state, 'admin', u.admin,
      'board_projects', u.board_projects) end as "user",
    (select coalesce(jsonb_agg(jsonb_build_object('name', c.policy_name, 'statements', p.statements) order by c.policy_name), '[]')
     from (select policy_name from token_policies where token_id = t.id
           union select policy_name from carried_by_users where user_id = t.user_id) c
     left join policies p on p.name = c.policy_name) as carried
  from tokens t left join users u on u.id = t.user_id`;

export async function tokenByHash(db: Db, hash: Buffer): Promise<KnownToken | null> {
  const [row] = await db<KnownToken[]>`${known(db)} where t.hash = ${hash}`;
  return row ?? null;
}

export async function tokenById(db: Db, id: string): Promise<KnownToken | null> {
  const [row] = await db<KnownToken[]>`${known(db)} where t.id = ${id}`;
  return row ?? null;
}

/** From its first agent's turn on a token is an agent's, for good (domain.md §1.1). */
export async function markAgentTurn(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx`update tokens set first_agent_turn_at = ${now} where id = ${id} and first_agent_turn_at is null`;
}

/** Exact to the minute: a busy token must not write at every request. */
export const TOUCH_MS = MINUTE_MS;

export async function touchToken(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx`update tokens set last_used_at = ${now}
           where id = ${id} and (last_used_at is null or last_used_at <= ${after(now, -TOUCH_MS)})`;
}

export type NewToken = {
  name: string;
  hash: Buffer;
  hint: string;
  mode: 'user' | 'service';
  user_id: string | null;
  wire: boolean;
  scripts: boolean;
  created_at: Date;
  created_by_kind: string;
  created_by_id: string;
  created_by_name: string;
  expires_at: Date | null;
};

/** Returns the new token as it is shown. */
export async function insertToken(tx: Transaction, token: NewToken, policies: string[]): Promise<TokenRow> {
  const id = newId();
  await tx`insert into tokens ${tx({ id, ...token })}`;
  if (policies.length > 0)
    await tx`insert into token_policies (token_id, policy_name) select ${id}, unnest(${policies}::text[]) on conflict do nothing`;
  const made = await tokenRow(tx, id);
  if (!made) throw new Error('a token that was just made is gone');
  return made;
}

type ListedToken = Omit<TokenRow, 'expires_at' | 'created_at' | 'last_used_at' | 'first_agent_turn_at'> & {
  expires_at: Date | null;
  created_at: Date;
  last_used_at: Date | null;
  first_agent_turn_at: Date | null;
};

const listed = (db: Db) => db`
  select t.id, t.name, t.mode, t.user_id, u.name as user_name, t.hint, t.expires_at, t.created_at, t.last_used_at, t.first_agent_turn_at,
    jsonb_build_object('wire', t.wire, 'scripts', t.scripts) as scopes,
    jsonb_build_object('kind', t.created_by_kind, 'id', t.created_by_id, 'name', t.created_by_name) as created_by,
    array(select policy_name from token_policies where token_id = t.id order by policy_name) as policies
  from tokens t left join users u on u.id = t.user_id`;

async function tokenRow(db: Db, id: string): Promise<TokenRow | null> {
  const [row] = await db<ListedToken[]>`${listed(db)} where t.id = ${id}`;
  return row ? shown(row) : null;
}

/** Newest first; `before` is the last id of the page before. */
export async function tokenRows(db: Db, before: string | null, count: number): Promise<TokenRow[]> {
  const rows = await db<ListedToken[]>`
    ${listed(db)} ${before ? db`where t.id < ${before}` : db``} order by t.id desc limit ${count}`;
  return rows.map(shown);
}

/** Returns the name of the token that is gone, or null where there was none. */
export async function deleteToken(tx: Transaction, id: string): Promise<string | null> {
  const [gone] = await tx<{ name: string }[]>`delete from tokens where id = ${id} returning name`;
  return gone?.name ?? null;
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

function shown(row: ListedToken): TokenRow {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    expires_at: iso(row.expires_at),
    last_used_at: iso(row.last_used_at),
    first_agent_turn_at: iso(row.first_agent_turn_at),
  };
}
