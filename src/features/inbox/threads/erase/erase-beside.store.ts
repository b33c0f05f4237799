// What others' messages hold of someone who is erased: their words below an answer of theirs or ours, and their address among
// those it went to. What others wrote themselves is theirs and stays.
import type { Transaction } from '../../../../kernel/database.ts';
import { searchQuery } from '../../../../kernel/words.ts';
import { addressHash, hashesIn, parseAddress } from '../../../../mail/address.ts';
import { unquoted } from '../../../../mail/inbound/strip.ts';
import { addressesEverOf } from '../../../crm/people/ever.store.ts';
import { ERASED } from '../../../crm/people/holders.ts';
import { eraseLetters, forgetCopies, forgetQuotes } from '../../../outreach/sends/letter/erase.store.ts';
import { copiedHashes, wordsOf } from '../record/touch.store.ts';

export type Beside = {
  id: string;
  thread_id: string;
  message_id: string | null;
  raw_ref: string | null;
  text_stripped: string;
  stripped_whole: boolean;
};

/** The addresses that someone has or had, and whether one is among them. */
export type ErasedMailbox = { addresses: string[]; hashes: string[]; is(address: string | null): boolean };

export async function mailboxOf(tx: Transaction, person: string): Promise<ErasedMailbox> {
  const addresses = await addressesEverOf(tx, person);
  const is = (address: string | null): boolean => {
    const parsed = parseAddress(address ?? '');
    return parsed.ok && addresses.includes(parsed.address.normalised);
  };
  return { addresses, hashes: addresses.map(addressHash), is };
}

type Naming = {
  id: string;
  thread_id: string;
  direction: 'in' | 'out';
  from_address: string | null;
  to_addresses: string[];
};

/** Touches from one of these addresses or to one, through the index of words, and those that went to one beside others. */
export async function naming(tx: Transaction, { addresses, hashes, is }: ErasedMailbox): Promise<Naming[]> {
  const found = new Map<string, Naming>();
  for (const address of addresses) {
    const rows = await tx<Naming[]>`
      select id, thread_id, direction, from_address, to_addresses from touches
      where words @@ ${searchQuery(address) ?? ''}::tsquery and channel <> 'chat'`;
    for (const row of rows)
      if (is(row.from_address) || row.to_addresses.some((each) => is(each))) found.set(row.id, row);
  }
  const copies = await tx<Naming[]>`
    select id, thread_id, direction, from_address, to_addresses from touches
    where copied_hashes && ${hashes}::text[] and copied_hashes <> '{}'`;
  for (const row of copies) found.set(row.id, row);
  return [...found.values()];
}

type Around = {
  person: string;
  own: string[];
  said: string[];
  beside: readonly Beside[];
  /** To them, as answers of others' conversations. */
  letters: string[];
};

type Letter = { id: string; to_them: boolean; own: boolean | null };

/**
 * Others' messages keep what is their own, as plain text, and their mail as it came goes. A letter to someone else that quotes
 * keeps what is ours; one that has not gone is called off, and its answer is a draft again that quotes what is left. Gives the
 * letters.
 */
export async function forgetQuoted(
  tx: Transaction,
  { person, own, said, beside, letters: answers }: Around,
  now: Date,
): Promise<string[]> {
  for (const { id, text_stripped, stripped_whole } of beside) {
    // Nothing but what was quoted: then it is all of the text.
    const text = (stripped_whole ? '' : unquoted(text_stripped)) || ERASED;
    await tx`
      update touches set text = ${text}, text_stripped = ${text}, stripped_whole = false, html = null where id = ${id}`;
  }
  await forgetMail(tx, beside);
  const quotable = [...said, ...beside.map(({ id }) => id)];
  const went = await tx<{ send_id: string }[]>`
    select x.send_id from touches x
    where x.id = any(${said}::uuid[]) and x.direction = 'out' and not x.thread_id = any(${own}::uuid[]) and x.send_id is not null`;
  const theirs = [...answers, ...went.map(({ send_id }) => send_id)];
  // What is the person's by its row is erased with all their letters (outreach/sends/letter/holder.store.ts).
  const letters = await tx<Letter[]>`
    select s.id, s.thread_id = any(${own}::uuid[]) as own, s.id = any(${theirs}::uuid[]) as to_them
    from sends s
    where s.person_id is distinct from ${person} and (s.thread_id = any(${own}::uuid[])
      or s.quotes_touch = any(${quotable}::uuid[]) or s.id = any(${theirs}::uuid[]))
    order by s.id for no key update`;
  const idsOf = (some: readonly Letter[]): string[] => some.map(({ id }) => id);
  const others = letters.filter(({ to_them }) => !to_them);
  await eraseLetters(tx, idsOf(letters.filter(({ to_them }) => to_them)), { to_them: true }, now);
  await eraseLetters(tx, idsOf(others.filter(({ own: in_own }) => in_own)), { to_them: false }, now);
  await forgetQuotes(tx, idsOf(others.filter(({ own: in_own }) => !in_own)), now);
  await tx`update sends set quotes_touch = null where quotes_touch = any(${quotable}::uuid[])`;
  return idsOf(letters);
}

type Row = {
  id: string;
  thread_id: string;
  subject: string;
  text_stripped: string;
  from_name: string | null;
  from_address: string | null;
  to_addresses: string[];
  cc_addresses: string[];
  message_id: string | null;
  raw_ref: string | null;
  referred_to: string | null;
};

type Changed = { id: string; thread_id: string | null };

/** In what others said and were told, and in the copies of our letters, none of these addresses is left. Gives what it changed. */
export async function forgetAddresses(
  tx: Transaction,
  { addresses, hashes, is }: ErasedMailbox,
  touches: readonly string[],
  now: Date,
): Promise<Changed[]> {
  const without = (list: readonly string[]): string[] => list.filter((each) => !is(each));
  const letters = await forgetCopies(tx, hashes, now);
  const drafts = await tx<{ id: string; thread_id: string; cc: string[] }[]>`
    select id, thread_id, cc from answers where cc_hashes && ${hashes}::text[] and cc_hashes <> '{}'`;
  for (const { id, ...draft } of drafts) {
    const cc = without(draft.cc);
    await tx`
      update answers set ${tx({ cc, cc_hashes: hashesIn(cc), updated_at: now })}, revision = revision + 1 where id = ${id}`;
  }
  const rows = await tx<Row[]>`
    select id, thread_id, subject, text_stripped, from_name, from_address, to_addresses, cc_addresses, message_id, raw_ref,
      details ->> 'referred_to' as referred_to
    from touches where id = any(${[...touches]}::uuid[])`;
  for (const row of rows) {
    const [to_addresses, cc_addresses] = [without(row.to_addresses), without(row.cc_addresses)];
    const referred = row.referred_to?.toLowerCase() ?? '';
    const refers = addresses.some((each) => referred.includes(each));
    await tx`
      update touches set to_addresses = ${to_addresses}, cc_addresses = ${cc_addresses},
        copied_hashes = ${copiedHashes(to_addresses, cc_addresses)},
        details = case when ${refers} then details - 'referred_to' else details end,
        words = ${wordsOf({ ...row, to_addresses })}::tsvector
      where id = ${row.id}`;
  }
  await forgetMail(
    tx,
    rows.filter((row) => [...row.to_addresses, ...row.cc_addresses].some((each) => is(each))),
  );
  return [...rows, ...drafts, ...letters.map((id) => ({ id, thread_id: null }))];
}

/** The mail of these touches as it came, and copies of it that lie beside: their heads name everyone. */
export async function forgetMail(
  tx: Transaction,
  touches: readonly { message_id: string | null; raw_ref: string | null }[],
): Promise<void> {
  const stored = touches.flatMap(({ raw_ref }) => raw_ref ?? []);
  const ids = touches.flatMap(({ message_id }) => message_id?.replace(/^<|>$/g, '') ?? []);
  await tx`update inbound_mails set bytes = '', size_bytes = 0 where id = any(${stored}::uuid[])`;
  await tx`
    update inbound_mails set bytes = '', size_bytes = 0
    where message_id = any(${ids}::text[]) and touch_id is null and state <> 'new'`;
}
