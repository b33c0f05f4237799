// All SQL of notifications. Any feature may notify someone within its own act.
import { after, DAY_MS } from '../../../kernel/clock.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';

export type Notice = { user_id: string; kind: string; sentence: string; link: string | null; at: Date };

export async function notify(tx: Transaction, notice: Notice): Promise<void> {
  await tx`insert into notifications ${tx({ id: newId(), ...notice })}`;
}

export type NotificationRow = Omit<Notice, 'user_id'> & { id: string; read_at: Date | null };

/** Newest first; `before` is the last id of the page before. */
export async function notificationRows(
  db: Reader,
  user: string,
  before: string | null,
  count: number,
): Promise<NotificationRow[]> {
  return db<NotificationRow[]>`
    select id, kind, sentence, link, at, read_at from notifications
    where user_id = ${user} ${before ? db`and id < ${before}` : db``} order by id desc limit ${count}`;
}

export async function unreadCount(db: Reader | Transaction, user: string): Promise<number> {
  const [row] = await db<{ unread: number }[]>`
    select count(*) as unread from notifications where user_id = ${user} and read_at is null`;
  return row?.unread ?? 0;
}

export async function markRead(tx: Transaction, user: string, now: Date): Promise<void> {
  await tx`update notifications set read_at = ${now} where user_id = ${user} and read_at is null`;
}

export type DueReader = {
  id: string;
  email: string;
  mailed_at: Date | null;
  count: number;
  /** The newest of them. */
  sentences: string[];
};

const NAMED = 10;

/** Who has unread notifications that they want by email, none of which was emailed, and got no such email since `before`. */
export async function dueReaders(db: Reader, before: Date, count: number): Promise<DueReader[]> {
  return db<DueReader[]>`
    select u.id, u.email, u.notices_mailed_at as mailed_at, n.count, n.sentences
    from users u cross join lateral (
      select count(*)::int as count, coalesce((array_agg(sentence order by id desc))[1:${NAMED}], '{}') as sentences
      from notifications n where n.user_id = u.id and n.read_at is null
        and n.at > coalesce(u.notices_mailed_at, '-infinity') and u.notices ->> n.kind = 'mail') n
    where u.state = 'active' and u.notices <> '{}' and n.count > 0
      and (u.notices_mailed_at is null or u.notices_mailed_at <= ${before})
    order by u.notices_mailed_at nulls first, u.id limit ${count}`;
}

/** False where another process wrote meanwhile: then it is their email, and not this one’s. */
export async function markMailed(tx: Transaction, { id, mailed_at }: DueReader, now: Date): Promise<boolean> {
  const done = await tx`
    update users set notices_mailed_at = ${now}
    where id = ${id} and state = 'active' and notices_mailed_at is not distinct from ${mailed_at}`;
  return done.count === 1;
}

const READ_KEPT_DAYS = 90;
const UNREAD_KEPT_DAYS = 365;
const MOST_FORGOTTEN = 5_000;

/** Forgets what was read long ago, and what no one read in a year. */
export async function forgetOld(tx: Transaction, now: Date): Promise<void> {
  await tx`
    delete from notifications where id in (
      select id from notifications
      where at <= ${after(now, -READ_KEPT_DAYS * DAY_MS)}
        and (read_at is not null or at <= ${after(now, -UNREAD_KEPT_DAYS * DAY_MS)})
      order by at limit ${MOST_FORGOTTEN} for update skip locked)`;
}
