// What the clues of a mail lead to: letters of ours, conversations they are in, and whose address it comes from.
import type { Reader } from '../../../../kernel/database.ts';
import type { Writer } from '../effects/follow.ts';

/** Where a clue leads: a letter, a conversation, or both. */
export type ReplyPlace = {
  send_id: string | null;
  send_state: string | null;
  thread_id: string | null;
  /** To whom the letter went; else whose conversation it is. */
  person_id: string | null;
};

type Named = ReplyPlace & { named: string };

/**
 * Letters that were given to someone, by their own Message-ID or by one that a next hop gave them, and everything that was
 * recorded under one; letters also by their id. A touch says where its letter is now, if people moved it.
 */
export async function placesNamed(
  db: Reader,
  message_ids: readonly string[],
  send_ids: readonly string[],
): Promise<{ messages: Map<string, ReplyPlace>; sends: Map<string, ReplyPlace> }> {
  const rows = await db<(Named & { by_id: boolean })[]>`
    select n.named, n.by_id, s.id as send_id, s.state as send_state, coalesce(x.thread_id, s.thread_id) as thread_id, s.person_id
    from (
      select message_id as named, false as by_id, id from sends where message_id = any(${[...message_ids]}::text[])
      union all
      select message_id, false, send_id from vendor_letters where message_id = any(${[...message_ids]}::text[])
      union all
      select id::text, true, id from unnest(${[...send_ids]}::uuid[]) id
    ) n join sends s on s.id = n.id and (s.sending_at is not null or s.resent_at is not null)
    left join touches x on x.send_id = s.id and x.direction = 'out'
    union all
    select x.message_id, false, null, null, x.thread_id, t.person_id
    from touches x join threads t on t.id = x.thread_id
    where x.message_id = any(${[...message_ids]}::text[]) and x.send_id is null`;
  const messages = new Map<string, ReplyPlace>();
  const sends = new Map<string, ReplyPlace>();
  for (const { named, by_id, ...place } of rows) {
    const into = by_id ? sends : messages;
    if (!into.has(named)) into.set(named, place);
  }
  return { messages, sends };
}

export type SentBefore = ReplyPlace & { subject: string };

/** What lately went to an address, or to another one of the same person; the newest first. */
export const sentLatelyTo = (db: Reader, hash: string, since: Date): Promise<SentBefore[]> => db<
  SentBefore[]
>`
  select s.id as send_id, s.state as send_state, s.thread_id, s.person_id, s.subject from sends s
  where s.person_id in (select a.person_id from person_addresses a where a.hash = ${hash})
    and s.sending_at > ${since} and s.state in ('sending', 'sent', 'uncertain')
  order by s.sending_at desc limit 200`;

/** Whose address this is, and whether it is one of our own senders'. */
export async function writerOf(
  db: Reader,
  { hash, normalised }: { hash: string; normalised: string },
): Promise<{ person_id: string | null; ours: boolean }> {
  const [row] = await db<{ person_id: string | null; ours: boolean }[]>`
    select (select person_id from person_addresses where hash = ${hash} limit 1) as person_id,
      exists (select from identities where normalised = ${normalised}) as ours`;
  return row ?? { person_id: null, ours: false };
}

/** The conversation by mail that someone with one of these addresses was last in. */
export async function threadWith(db: Reader, hashes: readonly string[]): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`
    select t.id from threads t
    where t.person_id in (select a.person_id from person_addresses a where a.hash = any(${[...hashes]}::text[]))
      and t.channel = 'email' and t.merged_into is null
    order by t.last_touch_at desc, t.id desc limit 1`;
  return row?.id ?? null;
}

/** The same mail came into two of our mailboxes, or twice into one. */
export async function landedBefore(
  db: Reader,
  { thread_id, message_id, from }: { thread_id: string; message_id: string; from: string },
): Promise<boolean> {
  const rows = await db`
    select from touches where message_id = ${message_id} and thread_id = ${thread_id} and direction = 'in'
      and from_address = ${from} limit 1`;
  return rows.length > 0;
}

/** Whoever wrote from this address, by the address alone. */
export async function writerNamed(db: Reader, normalised: string): Promise<Writer> {
  const [row] = await db<{ person_id: string }[]>`
    select person_id from person_addresses where normalised = ${normalised}`;
  return { normalised, person_id: row?.person_id ?? null };
}
