// What letters forget of somebody who is erased.
import type { Transaction } from '../../kernel/ground.ts';
import { principalColumns } from '../../kernel/principal-row.ts';
import { HOUSE } from '../people/holders.ts';
import { fingerprintOf, type Said } from './fingerprint.ts';
import { cancelLetters } from './flow.store.ts';
import type { SendState } from './send.rules.ts';
import { attachmentsOf, senderOf } from './source.store.ts';

type Copied = Omit<Said, 'from' | 'attachments'> & {
  id: string;
  state: SendState;
  identity_id: string | null;
  cc_hashes: string[];
};

/**
 * Letters that go to one of these addresses as a copy go to the others alone. What has not gone was approved for more people: it
 * is called off, and its answer is a draft again. Whatever may still be sent anew lacks its approval. Gives their ids.
 */
export async function forgetCopies(
  tx: Transaction,
  hashes: readonly string[],
  now: Date,
): Promise<string[]> {
  const letters = await tx<Copied[]>`
    select id, state, identity_id, subject, text, html, to_address, cc, cc_hashes from sends
    where cc_hashes && ${[...hashes]}::text[] and cc_hashes <> '{}' order by id for no key update`;
  const ids = letters.map(({ id }) => id);
  await cancelLetters(tx, { ids }, 'person_erased', HOUSE, now);
  await tx`delete from send_bytes where send_id = any(${ids}::uuid[])`;
  for (const letter of letters) {
    const kept = letter.cc_hashes.flatMap((hash, at) => (hashes.includes(hash) ? [] : at));
    const cc = kept.flatMap((at) => letter.cc[at] ?? []);
    const cc_hashes = kept.flatMap((at) => letter.cc_hashes[at] ?? []);
    const unsettled = letter.state === 'sending' || letter.state === 'uncertain';
    const row = { cc, cc_hashes, ...(unsettled && (await unapproved(tx, { ...letter, cc }))), updated_at: now };
    await tx`update sends set ${tx(row)}, revision = revision + 1 where id = ${letter.id}`;
  }
  return ids;
}

/** As another letter, that nobody has read. */
async function unapproved(tx: Transaction, letter: Copied) {
  const from = letter.identity_id === null ? null : await senderOf(tx, letter.identity_id);
  const attachments = await attachmentsOf(tx, letter.id);
  return {
    fingerprint: fingerprintOf({ ...letter, from, attachments }),
    ...principalColumns(tx, 'approved_by', null),
    approved_at: null,
    approved_fingerprint: null,
    approved_token: null,
  };
}
