// All SQL of the queue of the instance’s own mail. Features add a mail within their act and never wait for it; the pass sends
// it. The content is sealed, because a link in it can be worth an account.
import { DAY_MS, after } from '../../../kernel/clock.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import type { Sealer } from '../../../kernel/app.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Lease } from '../../../kernel/pass.ts';
import type { Ruled } from './outcome.ts';
import { waitMs } from './outcome.ts';

/** Notifies that a mail waits. */
export const INSTANCE_MAIL_DUE = 'instance_mail_due';

const context = (id: string): string => `instance_mails.body ${id}`;

export type ToMail = {
  kind: 'invite' | 'reset' | 'test' | 'approvals' | 'account' | 'notices';
  user_id: string;
  to: string;
  subject: string;
  text: string;
  /** When what it says is worth nothing any more. */
  ends_at: Date;
};

/** One of a kind waits for a person: a newer link makes the older one worthless. Tell INSTANCE_MAIL_DUE beside it. */
export async function queueMail(tx: Transaction, sealer: Sealer, mail: ToMail, now: Date): Promise<void> {
  const id = newId();
  const { kind, user_id, to, subject, text, ends_at } = mail;
  await tx`delete from instance_mails where user_id = ${user_id} and kind = ${kind} and state = 'waiting'`;
  await tx`insert into instance_mails ${tx({
    id,
    kind,
    user_id,
    to_address: to,
    subject,
    body: sealer.seal(text, context(id)),
    next_at: now,
    ends_at,
    created_at: now,
  })}`;
}

export type DueMail = { id: string; to: string; subject: string; text: string | null; attempts: number };

export async function claimMails(
  tx: Transaction,
  lease: Lease,
  count: number,
): Promise<(Omit<DueMail, 'text'> & { body: string })[]> {
  return tx`
    update instance_mails m set lease = ${lease.id}, lease_until = ${lease.until}
    where m.id = any (array(
      select id from instance_mails
      where state = 'waiting' and next_at <= ${lease.from} and ends_at > ${lease.from}
        and (lease_until is null or lease_until <= ${lease.from})
      order by next_at, id limit ${count} for update skip locked))
    returning m.id, m.to_address as "to", m.subject, m.body, m.attempts`;
}

/** Null where it was sealed under another key. */
export function openedBody(sealer: Sealer, { id, body }: { id: string; body: string }): string | null {
  try {
    return sealer.open(body, context(id));
  } catch {
    return null;
  }
}

export async function settleMail(
  tx: Transaction,
  lease: Lease,
  id: string,
  ruled: Ruled,
  now: Date,
): Promise<void> {
  const trouble = ruled.state === 'sent' ? null : ruled.trouble;
  if (ruled.state !== 'waiting') {
    await tx`
      update instance_mails set state = ${ruled.state}, trouble = ${trouble}, attempts = attempts + 1, body = null,
        done_at = ${now}, lease = null, lease_until = null
      where id = ${id} and lease = ${lease.id}`;
    return;
  }
  const [row] = await tx<{ attempts: number }[]>`
    select attempts from instance_mails where id = ${id} and lease = ${lease.id}`;
  if (!row) return;
  await tx`
    update instance_mails set trouble = ${trouble}, attempts = attempts + 1,
      next_at = ${after(now, waitMs(row.attempts + 1))}, lease = null, lease_until = null
    where id = ${id} and lease = ${lease.id}`;
}

export async function giveBackMails(
  tx: Transaction,
  lease: Lease,
  claimed: readonly { id: string }[],
): Promise<void> {
  await tx`
    update instance_mails set lease = null, lease_until = null
    where id = any(${claimed.map(({ id }) => id)}::uuid[]) and lease = ${lease.id}`;
}

/** What waits is asked again at once: someone has just said again how it goes. */
export async function wakeMails(tx: Transaction, now: Date): Promise<void> {
  await tx`update instance_mails set next_at = ${now} where state = 'waiting'`;
}

export async function queueState(
  db: Reader | Transaction,
  now: Date,
): Promise<{ waiting: number; trouble: string | null }> {
  const [row] = await db<{ waiting: number; trouble: string | null }[]>`
    select (select count(*)::int from instance_mails where state = 'waiting' and ends_at > ${now}) as waiting,
      coalesce(
        (select trouble from instance_mails where state = 'waiting' and trouble is not null and ends_at > ${now}
         order by next_at desc, id desc limit 1),
        (select trouble from instance_mails where state <> 'waiting' order by done_at desc, id desc limit 1)) as trouble`;
  return row ?? { waiting: 0, trouble: null };
}

export async function tidyMails(tx: Transaction, now: Date): Promise<void> {
  await tx`
    update instance_mails set state = 'failed', trouble = coalesce(trouble, 'too_late'), body = null, done_at = ${now},
      lease = null, lease_until = null
    where state = 'waiting' and ends_at <= ${now}`;
  await tx`delete from instance_mails where state <> 'waiting' and done_at < ${after(now, -30 * DAY_MS)}`;
}
