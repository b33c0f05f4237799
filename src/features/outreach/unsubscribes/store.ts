// Stopping letters to someone by the link in one of them, in one transaction: the suppression, every campaign they are in, and
// every letter that has not started.
import type { Principal } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { principalColumns } from '../../../kernel/principal-row.ts';
import { parseAddress } from '../../../mail/address.ts';
import { endProspectsOf, suppressPerson } from '../prospects/spine/move.store.ts';
import { cancelLetters } from '../sends/letter/flow.store.ts';
import { suppress } from '../../crm/suppressions/store.ts';

export const RECIPIENT: Principal = {
  kind: 'system',
  id: '00000000-0000-0000-0000-000000000000',
  name: 'the unsubscribe link',
};

export type Linked = {
  id: string;
  person_id: string | null;
  campaign_id: string | null;
  to_address: string;
  to_hash: string;
};

export async function linkedLetter(db: Reader, send_id: string): Promise<Linked | null> {
  const [row] = await db<Linked[]>`
    select id, person_id, campaign_id, to_address, to_hash from sends where id = ${send_id}`;
  return row ?? null;
}

export type StoppedPerson = { person_id: string | null; prospect_ids: string[]; cancelled: string[] };

/** The second time it finds nothing left to do. */
export async function unsubscribe(tx: Transaction, letter: Linked, now: Date): Promise<StoppedPerson> {
  const { person_id } = letter;
  // Every campaign they are in first, then the letters outside any.
  const prospect_ids =
    person_id === null ? [] : await endProspectsOf(tx, person_id, 'unsubscribed', RECIPIENT, now);
  const cancelled =
    person_id === null ? [] : await cancelLetters(tx, { person_id }, 'unsubscribed', RECIPIENT, now);
  await suppressRecipient(tx, letter, now);
  // Whoever never was in a campaign has more than one mailbox too.
  const of = { reason: 'unsubscribe', note: undefined, ref: letter.id, source: 'send' } as const;
  if (person_id !== null)
    await suppressPerson(tx, { person_id, campaign_id: letter.campaign_id ?? undefined }, of, RECIPIENT, now);
  return { person_id, prospect_ids, cancelled };
}

async function suppressRecipient(tx: Transaction, letter: Linked, now: Date): Promise<void> {
  const parsed = parseAddress(letter.to_address);
  const of = { source: 'send', source_ref: letter.id, campaign_id: letter.campaign_id ?? undefined } as const;
  if (parsed.ok) {
    const value = parsed.address.normalised;
    await suppress(tx, { kind: 'address', value, reason: 'unsubscribe', ...of }, RECIPIENT, now);
    return;
  }
  // The person was erased since: no one knows the address any more, and its hash goes on matching.
  await tx`
    insert into suppressions ${tx({
      id: newId(),
      kind: 'address',
      value: null,
      value_hash: letter.to_hash,
      reason: 'unsubscribe',
      source: 'send',
      source_ref: letter.id,
      campaign_id: letter.campaign_id,
      ...principalColumns(tx, 'created_by', RECIPIENT),
      created_at: now,
    })} on conflict (value_hash, kind, reason) where lifted_at is null and lapsed_at is null do nothing`;
}
