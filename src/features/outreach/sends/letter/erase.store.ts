// What letters forget of someone who is erased.
import type { Transaction } from '../../../../kernel/database.ts';
import { principalColumns } from '../../../../kernel/principal-row.ts';
import { withoutQuote } from '../../../../mail/letters/quote.ts';
import { forgetWords } from '../../deliveries/store.ts';
import { ERASED, APP } from '../../../crm/people/holders.ts';
import { fingerprintOf, type LetterWords } from './fingerprint.ts';
import { cancelLetters } from './flow.store.ts';
import type { SendState } from './transitions.rules.ts';
import { attachmentsOf, senderOf } from '../draft/source.store.ts';

/**
 * Every word of these letters, and what was noted of them: what has not gone is called off. `to_them`: whom they went to goes as
 * well; the hash stays, by which a report that comes later, and a suppression, still find each other.
 */
export async function eraseLetters(
  tx: Transaction,
  ids: readonly string[],
  { to_them }: { to_them: boolean },
  now: Date,
): Promise<void> {
  await callOff(tx, ids, now);
  await tx`update send_facts set details = '{}' where send_id = any(${[...ids]}::uuid[])`;
  await forgetWords(tx, { letters: ids });
  const whom = { to_address: ERASED, cc: [], cc_hashes: [] };
  const said = {
    ...(to_them && whom),
    subject: ERASED,
    text: ERASED,
    html: null,
    quotes_touch: null,
    unresolved: [],
    note: null,
    hold_evidence: null,
    rewritten_reason: null,
    updated_at: now,
  };
  await tx`update sends set ${tx(said)}, revision = revision + 1 where id = any(${[...ids]}::uuid[])`;
  // No one approved what is left of one that may still be sent again.
  await tx`
    update sends set ${tx(unapproved(tx))}
    where id = any(${[...ids]}::uuid[]) and state in ('sending', 'uncertain')`;
}

/** Letters to others that quote someone who is erased keep what is ours; what has not gone is called off. */
export async function forgetQuotes(tx: Transaction, ids: readonly string[], now: Date): Promise<void> {
  await callOff(tx, ids, now);
  // What they said before they were changed held the same quote.
  await tx`update send_facts set details = details - 'before' where send_id = any(${[...ids]}::uuid[]) and details ? 'before'`;
  const letters = await tx<{ id: string; text: string }[]>`
    select id, text from sends where id = any(${[...ids]}::uuid[]) order by id`;
  for (const { id, text } of letters)
    await tx`
      update sends set text = ${withoutQuote(text) || ERASED}, html = null, quotes_touch = null, revision = revision + 1,
        updated_at = ${now}
      where id = ${id}`;
}

/** What has not gone, and the bytes of all of them. */
async function callOff(tx: Transaction, ids: readonly string[], now: Date): Promise<void> {
  await cancelLetters(tx, { ids }, 'person_erased', APP, now);
  await tx`delete from send_bytes where send_id = any(${[...ids]}::uuid[])`;
}

type Copied = Omit<LetterWords, 'from' | 'attachments'> & {
  id: string;
  state: SendState;
  identity_id: string | null;
  cc_hashes: string[];
};

/**
 * Letters that go to one of these addresses as a copy go to the others alone. What has not gone was approved for more people: it
 * is called off, and its answer is a draft again. Whatever may still be sent again lacks its approval. Gives their ids.
 */
export async function forgetCopies(tx: Transaction, hashes: readonly string[], now: Date): Promise<string[]> {
  const letters = await tx<Copied[]>`
    select id, state, identity_id, subject, text, html, to_address, cc, cc_hashes from sends
    where cc_hashes && ${[...hashes]}::text[] and cc_hashes <> '{}' order by id for no key update`;
  const ids = letters.map(({ id }) => id);
  await callOff(tx, ids, now);
  await forgetWords(tx, { letters: ids, hashes });
  for (const letter of letters) {
    const kept = letter.cc_hashes.flatMap((hash, at) => (hashes.includes(hash) ? [] : at));
    const cc = kept.flatMap((at) => letter.cc[at] ?? []);
    const cc_hashes = kept.flatMap((at) => letter.cc_hashes[at] ?? []);
    const unsettled = letter.state === 'sending' || letter.state === 'uncertain';
    const row = { cc, cc_hashes, ...(unsettled && (await anew(tx, { ...letter, cc }))), updated_at: now };
    await tx`update sends set ${tx(row)}, revision = revision + 1 where id = ${letter.id}`;
  }
  return ids;
}

/** As another letter, that no one has read. */
async function anew(tx: Transaction, letter: Copied) {
  const from = letter.identity_id === null ? null : await senderOf(tx, letter.identity_id);
  const attachments = await attachmentsOf(tx, letter.id);
  return { fingerprint: fingerprintOf({ ...letter, from, attachments }), ...unapproved(tx) };
}

const unapproved = (tx: Transaction) => ({
  ...principalColumns(tx, 'approved_by', null),
  approved_at: null,
  approved_fingerprint: null,
  approved_token: null,
});
