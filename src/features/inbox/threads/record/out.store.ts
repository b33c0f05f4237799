// Letters that were sent, written down as touches of their conversations, in the transaction that says that they were sent.
import type { PrincipalKind } from '../../../../kernel/caller.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { newId } from '../../../../kernel/ids.ts';
import { withoutQuote } from '../../../../mail/letters/quote.ts';
import type { OnSent } from '../../../outreach/sends/letter/on-sent.ts';
import { withoutFoot } from './clean.rules.ts';
import { settleThreads } from './settle.store.ts';
import { holdMaking, openThread } from './open.store.ts';
import { copiedHashes, wordsOf } from './touch.store.ts';

type SentLetter = {
  id: string;
  prospect_id: string | null;
  person_id: string | null;
  campaign_id: string | null;
  identity_id: string | null;
  subject: string;
  text: string;
  to_address: string;
  cc: string[];
  message_id: string;
  in_reply_to: string | null;
  message_references: string[];
  sent_at: Date;
  created_by_kind: PrincipalKind;
  created_by_id: string;
  created_by_name: string;
  from_name: string | null;
  from_address: string | null;
  /** An answer, with what it answers below its words. */
  quotes: boolean;
  thread: string | null;
};

/**
 * Locks the threads that these letters will be written into. Threads come before prospects: whoever records letters asks
 * this first, before it locks anything of theirs. Asked again once they are locked: a split or a merge that this waited for may
 * have moved a letter, and what it is written into unlocked would be counted without what someone else writes there meanwhile.
 */
export async function lockThreadsOfLetters(tx: Transaction, send_ids: readonly string[]): Promise<void> {
  if (send_ids.length === 0) return;
  const held = new Set<string>();
  for (;;) {
    const homes = await tx<{ id: string }[]>`
      select t.id from threads t where t.id in (
        select coalesce(f.merged_into, f.id) from sends s
        join threads f on f.id = s.thread_id or (s.thread_id is null and f.prospect_id = s.prospect_id)
        where s.id = any(${[...send_ids]}::uuid[]))
      order by t.id for no key update`;
    if (homes.every(({ id }) => held.has(id))) return;
    for (const { id } of homes) held.add(id);
  }
}

/**
 * Writes one touch for each of these letters that is `sent` and has none yet, and keeps `sends.thread_id`. A letter goes on
 * in the thread it was written in; else where the letter it answers exists; else in its prospect's oldest; else in a thread
 * of its own. Gives the threads, for whoever tells. Asked with the letters' rows locked; their prospects' rows keep two
 * letters of one prospect from opening two threads.
 */
export async function recordOut(tx: Transaction, send_ids: readonly string[], now: Date): Promise<string[]> {
  if (send_ids.length === 0) return [];
  const letters = await tx<SentLetter[]>`
    select s.id, s.prospect_id, s.person_id, s.campaign_id, s.identity_id, s.subject, s.text, s.to_address, s.cc,
      s.message_id, s.in_reply_to, s.message_references, s.sent_at, s.created_by_kind, s.created_by_id, s.created_by_name,
      i.name as from_name, i.address as from_address,
      s.quotes_touch is not null as quotes, (
        select coalesce(f.merged_into, f.id) from threads f where f.id = coalesce(s.thread_id,
          (select x.thread_id from touches x join threads o on o.id = x.thread_id
           where x.message_id = s.in_reply_to and o.prospect_id = s.prospect_id limit 1),
          (select o.id from threads o where o.prospect_id = s.prospect_id and o.channel = 'email'
           order by o.created_at, o.id limit 1))) as thread
    from sends s left join identities i on i.id = s.identity_id
    where s.id = any(${[...send_ids]}::uuid[]) and s.state = 'sent'
      and not exists (select from touches x where x.send_id = s.id and x.direction = 'out')
    order by s.sent_at, s.id`;
  if (letters.length === 0) return [];
  const opened = new Map<string, string>();
  const homes: { letter: SentLetter; thread: string }[] = [];
  for (const letter of letters) {
    const own = letter.prospect_id ?? letter.id;
    const thread = letter.thread ?? opened.get(own) ?? (await openFor(tx, letter, now));
    opened.set(own, thread);
    homes.push({ letter, thread });
  }
  const campaigns = await campaignsOf(tx, homes);
  const said = homes.map(({ letter, thread }) => touchOf(letter, thread, campaigns.get(thread) ?? null, now));
  await tx`insert into touches ${tx(said)}`;
  await tx`
    update sends s set thread_id = h.thread
    from unnest(${homes.map(({ letter }) => letter.id)}::uuid[], ${homes.map(({ thread }) => thread)}::uuid[])
      h (id, thread)
    where s.id = h.id and s.thread_id is distinct from h.thread`;
  const threads = [...new Set(homes.map(({ thread }) => thread))];
  await settleThreads(tx, threads, now);
  return threads;
}

/** For whatever of outreach finds out that letters went. */
export const sentIntoThreads: OnSent = { lock: lockThreadsOfLetters, record: recordOut };

/** An answer may land in the same moment and open the thread of a letter that is not recorded yet. */
async function openFor(tx: Transaction, letter: SentLetter, now: Date): Promise<string> {
  await holdMaking(tx, letter.prospect_id ?? letter.id);
  const [there] = await tx<{ id: string }[]>`
    select coalesce(t.merged_into, t.id) as id from threads t
    where t.id = (select thread_id from sends where id = ${letter.id})
      or (t.prospect_id = ${letter.prospect_id} and t.channel = 'email')
    order by t.created_at, t.id limit 1`;
  return there?.id ?? (await openThread(tx, { ...letter, channel: 'email' }, now));
}

/** A letter of no campaign (an answer) is said in that of its conversation; the others know theirs. */
async function campaignsOf(
  tx: Transaction,
  homes: readonly { letter: SentLetter; thread: string }[],
): Promise<Map<string, string | null>> {
  const ids = homes.flatMap(({ letter, thread }) => (letter.campaign_id === null ? thread : []));
  if (ids.length === 0) return new Map();
  const rows = await tx<{ id: string; campaign_id: string | null }[]>`
    select id, campaign_id from threads where id = any(${ids}::uuid[])`;
  return new Map(rows.map(({ id, campaign_id }) => [id, campaign_id]));
}

function touchOf(letter: SentLetter, thread_id: string, campaign: string | null, now: Date) {
  const text_stripped = withoutFoot(letter.quotes ? withoutQuote(letter.text) : letter.text);
  const { from_name, from_address, subject, text } = letter;
  const to_addresses = [letter.to_address];
  return {
    id: newId(),
    thread_id,
    direction: 'out',
    channel: 'email',
    at: letter.sent_at,
    from_address,
    from_name,
    to_addresses,
    cc_addresses: letter.cc,
    copied_hashes: copiedHashes(to_addresses, letter.cc),
    subject,
    text,
    text_stripped,
    message_id: letter.message_id,
    in_reply_to: letter.in_reply_to,
    message_references: letter.message_references,
    person_id: letter.person_id,
    campaign_id: letter.campaign_id ?? campaign,
    identity_id: letter.identity_id,
    send_id: letter.id,
    by_kind: letter.created_by_kind,
    by_id: letter.created_by_id,
    by_name: letter.created_by_name,
    created_at: now,
    words: wordsOf({ subject, text_stripped, from_name, from_address, to_addresses }),
  };
}
