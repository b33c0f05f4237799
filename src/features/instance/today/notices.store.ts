// All SQL of telling people what happened: what the database recorded, whom it could concern, and what each of them chose.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import type { Lease } from '../../../kernel/pass.ts';
import type { NoticeChoices } from '../../access/notifications/choices.rules.ts';
import type { Concerned } from './notices.rules.ts';

export type NoticeEvent = Concerned & { id: string };

export async function claimEvents(tx: Transaction, lease: Lease, count: number): Promise<NoticeEvent[]> {
  return tx<NoticeEvent[]>`
    update notice_events e set lease = ${lease.id}, lease_until = ${lease.until}
    where e.id = any (array(
      select id from notice_events where lease_until is null or lease_until <= ${lease.from}
      order by at, id limit ${count} for update skip locked))
    returning e.id, e.kind, e.noun, e.subject_id, e.user_id`;
}

export type Person = { id: string; name: string; choices: Partial<NoticeChoices> };

const PEOPLE_MAX = 200;

export const activePeople = (db: Reader): Promise<Person[]> => db<Person[]>`
  select id, name, notices as choices from users where state = 'active' order by id limit ${PEOPLE_MAX}`;

/** Who is at work on a conversation, where that is a person. */
export async function assigneeOf(db: Reader, thread: string): Promise<string | null> {
  const [row] = await db<{ assignee_id: string }[]>`
    select assignee_id from threads where id = ${thread} and assignee_kind = 'person'`;
  return row?.assignee_id ?? null;
}

/** Whether someone took a work item themselves: of that they know. */
export async function tookItself(db: Reader, item: string, user: string): Promise<boolean> {
  const [row] = await db<{ by: string }[]>`
    select coalesce(
      (select c.by_id from work_changes c where c.item_id = i.id and c.field = 'assignee' order by c.turn desc limit 1),
      i.author_id) as by
    from work_items i where i.id = ${item}`;
  return row?.by === user;
}

/** Whether they have an unread one that leads to the same place: a second says nothing new. */
export async function knowsAlready(
  tx: Transaction,
  user: string,
  kind: string,
  link: string,
): Promise<boolean> {
  const [row] = await tx`
    select 1 from notifications where user_id = ${user} and kind = ${kind} and link = ${link} and read_at is null limit 1`;
  return row !== undefined;
}

/** False where another process took it over: then it tells. */
export async function dropEvent(tx: Transaction, lease: Lease, id: string): Promise<boolean> {
  return (await tx`delete from notice_events where id = ${id} and lease = ${lease.id}`).count === 1;
}

export async function giveBackEvents(
  tx: Transaction,
  lease: Lease,
  claimed: readonly { id: string }[],
): Promise<void> {
  await tx`
    update notice_events set lease = null, lease_until = null
    where id = any(${claimed.map(({ id }) => id)}::uuid[]) and lease = ${lease.id}`;
}
