// All SQL of sessions: opening, the query by which a cookie is identified, the list, and every way they end.
import { DAY_MS, MINUTE_MS, after } from '../../../kernel/clock.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Carried } from '../policies/rights.ts';

/** A session that no one uses ends after this; using it moves the end on. */
export const IDLE_MS = 14 * DAY_MS;
/** However busy it is, it ends after this. */
export const ABSOLUTE_MS = 30 * DAY_MS;
/** In one go: an hour brings fewer than that to their end. */
const MOST_FORGOTTEN = 5_000;

export type KnownSession = {
  id: string;
  last_seen_at: Date;
  stepped_up_at: Date | null;
  user: {
    id: string;
    name: string;
    state: 'invited' | 'active' | 'disabled';
    admin: boolean;
    board_projects: string[] | null;
  };
  carried: Carried[];
};

export async function sessionByHash(db: Reader, hash: Buffer, now: Date): Promise<KnownSession | null> {
  const [row] = await db<KnownSession[]>`
    select s.id, s.last_seen_at, s.stepped_up_at,
      jsonb_build_object('id', u.id, 'name', u.name, 'state', u.state, 'admin', u.admin, 'board_projects', u.board_projects) as "user",
      (select coalesce(jsonb_agg(jsonb_build_object('name', c.policy_name, 'statements', p.statements) order by c.policy_name), '[]')
       from carried_by_users c left join policies p on p.name = c.policy_name where c.user_id = u.id) as carried
    from sessions s join users u on u.id = s.user_id
    where s.hash = ${hash} and s.expires_at > ${now} and s.last_seen_at > ${after(now, -IDLE_MS)}`;
  return row ?? null;
}

/** Does it still let someone in? For what it began and what goes on without it. */
export async function sessionStands(db: Reader, id: string, now: Date): Promise<boolean> {
  const rows = await db`
    select from sessions where id = ${id} and expires_at > ${now} and last_seen_at > ${after(now, -IDLE_MS)}`;
  return rows.length > 0;
}

export async function touchSession(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx`
    with seen as (update sessions set last_seen_at = ${now}
      where id = ${id} and last_seen_at <= ${after(now, -MINUTE_MS)} returning user_id)
    update users set last_seen_at = ${now} from seen where users.id = seen.user_id`;
}

export type SessionOpening = {
  user_id: string;
  hash: Buffer;
  now: Date;
  address: string | null;
  user_agent: string | null;
};

/** Opens a session as fresh as a step-up. Returns when it ends at the latest. */
export async function insertSession(tx: Transaction, opening: SessionOpening): Promise<Date> {
  const { user_id, hash, now, address, user_agent } = opening;
  const expires_at = after(now, ABSOLUTE_MS);
  await tx`insert into sessions ${tx({
    id: newId(),
    user_id,
    hash,
    created_at: now,
    last_seen_at: now,
    expires_at,
    stepped_up_at: now,
    address,
    user_agent: user_agent?.slice(0, 300) ?? null,
  })}`;
  await tx`update users set last_seen_at = ${now} where id = ${user_id}`;
  return expires_at;
}

export async function stepUpSession(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx`update sessions set stepped_up_at = ${now} where id = ${id}`;
}

export type ListedSession = {
  id: string;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  address: string | null;
  user_agent: string | null;
};

/** Live sessions of one user, newest first; `before` is the last id of the page before. */
export async function sessionRows(
  db: Reader,
  user: string,
  now: Date,
  before: string | null,
  count: number,
): Promise<ListedSession[]> {
  return db<ListedSession[]>`
    select id, created_at, last_seen_at, address, user_agent,
      least(expires_at, last_seen_at + ${IDLE_MS / 1000} * interval '1 second') as expires_at
    from sessions
    where user_id = ${user} and expires_at > ${now} and last_seen_at > ${after(now, -IDLE_MS)}
      ${before ? db`and id < ${before}` : db``}
    order by id desc limit ${count}`;
}

/** Ends one session of this user; false where there is none. */
export async function endSession(tx: Transaction, user: string, id: string): Promise<boolean> {
  const gone = await tx`delete from sessions where id = ${id} and user_id = ${user} returning id`;
  return gone.length > 0;
}

/** Ends every session of a user, or every one but `but`. */
export async function endSessions(tx: Transaction, user: string, but: string | null = null): Promise<void> {
  await tx`delete from sessions where user_id = ${user} ${but ? tx`and id <> ${but}` : tx``}`;
}

/**
 * Forgets sessions that let no one in any more. One that was left idle began at least as long ago, so its end is near as well:
 * the index of ends finds both.
 */
export async function forgetEnded(tx: Transaction, now: Date): Promise<void> {
  await tx`
    delete from sessions where id in (
      select id from sessions
      where expires_at <= ${now}
        or (expires_at <= ${after(now, ABSOLUTE_MS - IDLE_MS)} and last_seen_at <= ${after(now, -IDLE_MS)})
      order by expires_at limit ${MOST_FORGOTTEN} for update skip locked)`;
}
