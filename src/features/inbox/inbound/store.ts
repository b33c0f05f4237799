// All SQL of mail on its way into conversations: claimed under a lease, read, and settled once.
import { DAY_MS, after } from '../../../kernel/clock.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import type { Lease } from '../../../kernel/pass.ts';

export type DueMail = { id: string; lease: string; attempts: number };

export type StoredMail = {
  id: string;
  source: 'imap' | 'vendor';
  identity_id: string | null;
  folder_role: 'inbox' | 'sent' | 'junk';
  delivered_to: string[];
  received_at: Date;
};

export type SettledState = 'landed' | 'reported' | 'matched' | 'quarantined' | 'ignored' | 'broken';

const isDue = (tx: Transaction, { from }: Lease) => tx`
  state = 'new' and (due_at is null or due_at <= ${from}) and (lease_until is null or lease_until <= ${from})`;

/**
 * Every claim counts as a try, also one whose process died over it. What was tried before is claimed alone, and after what
 * was not: a mail that kills us every time takes no other with it.
 */
export async function claimMails(tx: Transaction, lease: Lease, count: number): Promise<DueMail[]> {
  const claim = (tried: ReturnType<Transaction>, limit: number) => tx<DueMail[]>`
    update inbound_mails set lease = ${lease.id}, lease_until = ${lease.until}, attempts = attempts + 1
    where id = any (array(
      select id from inbound_mails where ${isDue(tx, lease)} and ${tried}
      order by due_at, id limit ${limit} for update skip locked))
    returning id, lease, attempts`;
  const fresh = await claim(tx`attempts = 0`, count);
  return fresh.length > 0 ? fresh : await claim(tx`attempts > 0`, 1);
}

/** A try that did not happen is none. */
export async function releaseMails(
  tx: Transaction,
  lease: Lease,
  claimed: readonly DueMail[],
): Promise<void> {
  await tx`
    update inbound_mails set lease = null, lease_until = null, attempts = attempts - 1
    where id = any(${claimed.map(({ id }) => id)}::uuid[]) and lease = ${lease.id} and state = 'new'`;
}

/** `cut`: the source held more. */
type Raw = Pick<StoredMail, 'delivered_to' | 'folder_role'> & { bytes: Buffer; cut: boolean };

export async function bytesOf(db: Reader, id: string): Promise<Raw | null> {
  const [row] = await db<Raw[]>`
    select bytes, delivered_to, folder_role, cut from inbound_mails where id = ${id}`;
  return row ?? null;
}

/** Locked; null where the lease is someone else's by now, or it was settled. */
export async function lockMail(tx: Transaction, { id, lease }: DueMail): Promise<StoredMail | null> {
  const [row] = await tx<StoredMail[]>`
    select id, source, identity_id, folder_role, delivered_to, received_at from inbound_mails
    where id = ${id} and lease = ${lease} and state = 'new' for update`;
  return row ?? null;
}

export type SettledMail = {
  state: SettledState;
  /** In our own words. */
  note?: string | null;
  touch_id?: string | null;
  /** Whom and what a list of mail shows; cleaned, and no one's word for who wrote it. */
  shown?: {
    from_address: string | null;
    from_name: string | null;
    from_hash: string | null;
    from_domain: string | null;
    list_id: string | null;
    subject: string;
  };
};

export async function settleMail(
  tx: Transaction,
  id: string,
  { state, note, touch_id, shown }: SettledMail,
  now: Date,
): Promise<void> {
  await tx`
    update inbound_mails set state = ${state}, note = ${note ?? null}, touch_id = ${touch_id ?? null},
      from_address = ${shown?.from_address ?? null}, from_name = ${shown?.from_name ?? null},
      from_hash = ${shown?.from_hash ?? null}, from_domain = ${shown?.from_domain ?? null},
      list_id = ${shown?.list_id ?? null}, subject = ${shown?.subject ?? ''}, settled_at = ${now}, lease = null, lease_until = null
    where id = ${id}`;
}

/** Looked at again then; `untried` of its attempts were none. */
export async function lookAgainAt(
  tx: Transaction,
  { id, lease }: DueMail,
  at: Date,
  untried: 0 | 1,
): Promise<void> {
  await tx`
    update inbound_mails set due_at = ${at}, lease = null, lease_until = null, attempts = attempts - ${untried}
    where id = ${id} and lease = ${lease} and state = 'new'`;
}

/** Nothing more is tried with it on its own; a person finds it where mail waits that no one could place. */
export async function putAside(tx: Transaction, { id, lease }: DueMail, now: Date): Promise<void> {
  await tx`
    update inbound_mails set state = 'broken', note = 'It could not be landed, however often it was tried.',
      settled_at = ${now}, lease = null, lease_until = null
    where id = ${id} and lease = ${lease} and state = 'new'`;
}

/** Someone of this address wrote to us: what verification knows of it is more than any server says. */
export async function noteReplied(tx: Transaction, hash: string, at: Date): Promise<void> {
  await tx`
    update person_addresses set replied_at = ${at}
    where hash = ${hash} and (replied_at is null or replied_at < ${at})`;
}

/** What was settled and is in no conversation is looked at for this long, and then its words are forgotten. */
const KEPT_DAYS = 30;
const FORGOTTEN_AT_ONCE = 1_000;

export async function forgetSettled(tx: Transaction, now: Date): Promise<void> {
  await tx`
    update inbound_mails set bytes = '', size_bytes = 0, from_address = null, from_name = null,
      from_hash = null, from_domain = null, list_id = null, subject = ''
    where id in (
      select id from inbound_mails
      where state in ('reported', 'matched', 'ignored') and size_bytes > 0 and settled_at < ${after(now, -KEPT_DAYS * DAY_MS)}
      order by settled_at limit ${FORGOTTEN_AT_ONCE} for update skip locked)`;
}
