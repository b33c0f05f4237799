// What conversations forget of someone who is erased: what they said and was said to them wherever it exists, everything in the
// conversations that were theirs, and what others quote of it (erase-beside.store.ts). When, and on which channel, stays in the
// numbers. docs/security.md says what else stays.
import type { Transaction } from '../../../../kernel/database.ts';
import { ERASED } from '../../../crm/people/holders.ts';
import {
  type Beside,
  forgetAddresses,
  forgetQuoted,
  type ErasedMailbox,
  mailboxOf,
  naming,
} from './erase-beside.store.ts';
import { eraseMail, settleUnread } from './erase-mail.store.ts';
import { settleThreads } from '../record/settle.store.ts';

type Said = { id: string; thread_id: string };

/** Gives the ids of everything that held anything of theirs. */
export async function eraseSaid(tx: Transaction, person: string, now: Date): Promise<string[]> {
  const mailbox = await mailboxOf(tx, person);
  // First: what lands while this waits is a message that the next statements find.
  await settleUnread(tx, mailbox, now);
  const { threads, named } = await holdThreads(tx, person, mailbox);
  // What was said before anyone knew whose address that is.
  const unknown = named.filter(({ direction, from_address, to_addresses }) =>
    mailbox.is((direction === 'in' ? from_address : to_addresses[0]) ?? null),
  );
  const own = threads.filter(({ theirs }) => theirs).map(({ id }) => id);
  const shared = threads.filter(({ theirs }) => !theirs).map(({ id }) => id);
  const said = await tx<Said[]>`
    select id, thread_id from touches
    where person_id = ${person} or thread_id = any(${own}::uuid[]) or id = any(${unknown.map(({ id }) => id)}::uuid[])`;
  const ids = said.map(({ id }) => id);
  const beside = await besideOf(tx, shared, ids);

  await eraseMail(tx, mailbox, ids);
  const { answers, went } = await eraseAnswers(tx, { person, own, shared, said: ids }, now);
  const letters = await forgetQuoted(tx, { person, own, said: ids, beside, letters: went }, now);
  await tx`delete from touch_attachments where touch_id = any(${ids}::uuid[])`;
  await tx`
    update touches set person_id = null, from_address = null, from_name = null, to_addresses = '{}', cc_addresses = '{}',
      copied_hashes = '{}', subject = ${ERASED}, text = ${ERASED}, text_stripped = ${ERASED}, html = null, message_id = null, in_reply_to = null,
      message_references = '{}', authentication = null, details = '{}', words = ''
    where id = any(${ids}::uuid[])`;
  await tx`
    update threads set person_id = null, subject = ${ERASED}, labels = '{}' where id = any(${own}::uuid[])`;
  const others = [...beside, ...named].map(({ id }) => id).filter((id) => !ids.includes(id));
  const changed = await forgetAddresses(tx, mailbox, others, now);
  const brought = [...own, ...[...said, ...beside, ...changed].flatMap(({ thread_id }) => thread_id ?? [])];
  await settleThreads(tx, [...new Set(brought)], now);
  return [...own, ...shared, ...ids, ...others, ...answers, ...letters, ...changed.map(({ id }) => id)];
}

type Held = { threads: { id: string; theirs: boolean }[]; named: Awaited<ReturnType<typeof naming>> };

/**
 * Locks the conversations that are theirs, and those of others in which they said something, were written to or are copied. Asked
 * again once they are locked: a merge or a split that this waited for may have moved what they said into another one, where it may be
 * quoted too.
 */
async function holdThreads(tx: Transaction, person: string, mailbox: ErasedMailbox): Promise<Held> {
  const held = new Set<string>();
  for (;;) {
    const named = await naming(tx, mailbox);
    const threads = await tx<Held['threads']>`
      select t.id, t.person_id is not distinct from ${person} as theirs from threads t
      where t.id in (
        select h.id from threads h where h.person_id = ${person}
        union select x.thread_id from touches x where x.person_id = ${person}
        union select unnest(${named.map(({ thread_id }) => thread_id)}::uuid[])
        union select a.thread_id from answers a where a.cc_hashes && ${mailbox.hashes}::text[] and a.cc_hashes <> '{}'
        union select s.thread_id from sends s where s.cc_hashes && ${mailbox.hashes}::text[] and s.cc_hashes <> '{}')
      order by t.id for no key update`;
    if (threads.every(({ id }) => held.has(id))) return { threads, named };
    for (const { id } of threads) held.add(id);
  }
}

/** What others said and were told in the conversations of others since this one was heard there; it may quote them. */
const besideOf = (tx: Transaction, shared: readonly string[], said: readonly string[]): Promise<Beside[]> =>
  tx<Beside[]>`
    select x.id, x.thread_id, x.message_id, x.raw_ref, x.text_stripped, x.stripped_whole from touches x join (
      select thread_id, min(at) as at from touches
      where id = any(${[...said]}::uuid[]) and thread_id = any(${[...shared]}::uuid[]) group by thread_id
    ) f on f.thread_id = x.thread_id
    where x.at >= f.at and not x.note and not x.id = any(${[...said]}::uuid[])`;

type Where = { person: string; own: string[]; shared: string[]; said: string[] };

/**
 * Ours to them, and the files that those carried; a file of a campaign's step is not theirs, nor one that goes to others too. Gives
 * them, and the letters that those in others' conversations became.
 */
async function eraseAnswers(
  tx: Transaction,
  { person, own, shared, said }: Where,
  now: Date,
): Promise<{ answers: string[]; went: string[] }> {
  const erased = await tx<{ id: string; send_id: string | null; own: boolean }[]>`
    update answers set subject = ${ERASED}, text = ${ERASED}, html = null, to_address = ${ERASED}, cc = '{}', cc_hashes = '{}', quotes = false,
      state = case when state = 'draft' then 'discarded' else state end, revision = revision + 1, updated_at = ${now}
    where thread_id = any(${own}::uuid[]) or (thread_id = any(${shared}::uuid[]) and (
      answers_touch = any(${said}::uuid[]) or send_id in (select id from sends where person_id = ${person})))
    returning id, send_id, thread_id = any(${own}::uuid[]) as own`;
  const answers = erased.map(({ id }) => id);
  // One whose letter has not gone is no answer any more: the letter is called off, and nothing of it is to be written again.
  await tx`
    update answers a set state = 'discarded', send_id = null from sends s
    where a.id = any(${answers}::uuid[]) and a.state = 'sending' and s.id = a.send_id
      and s.state not in ('sending', 'sent', 'uncertain')`;
  const files = await tx<{ id: string }[]>`
    select f.id from attachments f
    where f.id in (
      select o.id from attachments o where o.thread_id = any(${own}::uuid[])
      union select w.attachment_id from answer_attachments w join answers a on a.id = w.answer_id
      where a.thread_id = any(${own}::uuid[])
      union select c.attachment_id from answer_attachments c
      where c.answer_id = any(${answers}::uuid[]) and not exists (
        select from answer_attachments w where w.attachment_id = c.attachment_id and not w.answer_id = any(${answers}::uuid[])))
    order by f.id for update of f`;
  const carried = files.map(({ id }) => id);
  await tx`delete from send_attachments where attachment_id = any(${carried}::uuid[])`;
  await tx`delete from answer_attachments where attachment_id = any(${carried}::uuid[])`;
  await tx`delete from attachments where id = any(${carried}::uuid[])`;
  return { answers, went: erased.flatMap((each) => (each.own || each.send_id === null ? [] : each.send_id)) };
}
