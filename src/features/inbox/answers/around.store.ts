// What an answer needs from its conversation: their last message, our sender, and everyone in it.
import type { Reader } from '../../../kernel/database.ts';
import { addressHash, parseAddress } from '../../../mail/address.ts';
import { type DraftSender, senderOf } from '../../outreach/sends/draft/source.store.ts';

/** A mail or a form's post of theirs. */
export type Theirs = {
  id: string;
  from_address: string;
  subject: string;
  person_id: string | null;
  campaign_id: string | null;
};

export type Around = {
  /** What a person of theirs wrote last, that can be answered by mail. */
  theirs: Theirs | null;
  /** The last of theirs to land on any channel: whoever has not read it has not read the conversation. */
  newest: string | null;
  /** Null: the conversation has no identity, or it was deleted. */
  sender: DraftSender | null;
  /** Normalised. */
  known: ReadonlySet<string>;
};

/** More are in no conversation that someone reads. */
const MOST_KNOWN = 5_000;

/**
 * What a colleague wrote down for someone is their word for it, so it opens no way past the gates; machines are not
 * answered, and neither is a note.
 */
export async function around(
  db: Reader,
  { id, identity_id }: { id: string; identity_id: string | null },
): Promise<Around> {
  const [theirs, newest, sender, known] = await Promise.all([
    db<Theirs[]>`
      select id, from_address, subject, person_id, campaign_id from touches
      where thread_id = ${id} and direction = 'in' and channel in ('email', 'form') and not automatic and by_kind is null
        and from_address is not null and reading is distinct from 'out_of_office'
      order by at desc, id desc limit 1`,
    db<{ id: string }[]>`
      select id from touches where thread_id = ${id} and direction = 'in' and not automatic
      order by created_at desc, id desc limit 1`,
    identity_id === null ? null : senderOf(db, identity_id),
    db<{ address: string }[]>`
      select distinct a.address from touches x,
        lateral unnest(array[x.from_address] || x.to_addresses || x.cc_addresses) a (address)
      where x.thread_id = ${id} and not x.note and a.address is not null limit ${MOST_KNOWN}`,
  ]);
  return {
    theirs: theirs[0] ?? null,
    newest: newest[0]?.id ?? null,
    sender,
    known: new Set(known.flatMap(({ address }) => onWire(address)?.normalised ?? [])),
  };
}

export type Parent = {
  message_id: string | null;
  in_reply_to: string | null;
  message_references: string[];
};

/** What threads an answer to this touch; a form's post has no message id. */
export async function parentOf(db: Reader, touch_id: string): Promise<Parent | null> {
  const [row] = await db<Parent[]>`
    select message_id, in_reply_to, message_references from touches where id = ${touch_id}`;
  return row ?? null;
}

/** An address as it is written to, and as it is compared. */
export type Mailbox = { address: string; normalised: string; hash: string };

export function onWire(text: string): Mailbox | null {
  const parsed = parseAddress(text);
  if (!parsed.ok) return null;
  const { local, domain, normalised } = parsed.address;
  return { address: `${local}@${domain}`, normalised, hash: addressHash(normalised) };
}
