// Writes touches: one recorded contact on any channel, in or out. Whoever lands mail, takes a form's post, logs a call or
// keeps a chat comes through `insertTouch`; letters that were sent through out.store.ts.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Reading } from '../../../../kernel/events.rules.ts';
import { json, type Transaction } from '../../../../kernel/database.ts';
import { newId } from '../../../../kernel/ids.ts';
import { principalColumns } from '../../../../kernel/principal-row.ts';
import { searchVector } from '../../../../kernel/words.ts';
import { hashesIn } from '../../../../mail/address.ts';
import type { Authentication } from '../../../../mail/inbound/authenticity.ts';
import { cleanAddresses, cleanIds, cleanLine, cleanText, HTML_MAX, searchedPart } from './clean.rules.ts';
import type { Channel } from '../names.rules.ts';
import { reopenThread } from '../thread-states.store.ts';
import { settleThreads } from './settle.store.ts';

export type AttributedBy =
  | 'in_reply_to'
  | 'references'
  | 'verp'
  | 'quoted_id'
  | 'guessed'
  | 'form'
  | 'person';

export type NewAttachment = {
  filename: string;
  content_type: string;
  content_id?: string | null;
  inline?: boolean;
  /** Of the file, also where it is larger than what is kept; null where only its beginning came. */
  size: number | null;
  /** Null: larger than we keep. */
  bytes: Uint8Array | null;
};

export type NewTouch = {
  /** Made where none is given. */
  id?: string;
  /** Also one that was merged away: it leads to where it went. */
  thread_id: string;
  direction: 'in' | 'out';
  channel: Channel;
  /** A private note: said to no one, counts for nothing. Always `out`. */
  note?: boolean;
  /** When it was said; a moment that has not come yet becomes now. */
  at: Date;
  from?: { address: string | null; name: string | null } | null;
  to?: readonly string[];
  cc?: readonly string[];
  subject?: string;
  text: string;
  /** Without what was quoted and signed; the text itself where nothing is given. */
  text_stripped?: string;
  stripped_whole?: boolean;
  /** Sanitised. */
  html?: string | null;
  message_id?: string | null;
  in_reply_to?: string | null;
  references?: readonly string[];
  attributed_by?: AttributedBy | null;
  /** A machine wrote it: no one waits because of it, and it opens nothing that was closed. */
  automatic?: boolean;
  /** Of a mail: whether it came from whom it says. */
  authentication?: Authentication | null;
  /** Only of what came in. */
  reading?: {
    reading: Reading;
    by: 'rule' | 'model' | 'person';
    confidence?: number | null;
    details?: Record<string, unknown>;
  } | null;
  /** Whose words they are, or whom ours were for; the thread's person where nothing is given. */
  person_id?: string | null;
  send_id?: string | null;
  raw_ref?: string | null;
  /** Who wrote it down, where someone of ours did. */
  by?: Principal | null;
  attachments?: readonly NewAttachment[];
};

export type InsertedTouch = {
  thread_id: string;
  touch_id: string;
  /** False: this mail had its touch already, and nothing was written. */
  made: boolean;
};

type Home = { id: string; person_id: string | null; campaign_id: string | null; identity_id: string | null };

/**
 * Adds one touch and brings its thread up to it. What a person of theirs says opens a thread that was closed or snoozed. The
 * thread is locked by this, if it was not before. Whoever has a context says `tell('threads', thread_id)`.
 */
export async function insertTouch(tx: Transaction, touch: NewTouch, now: Date): Promise<InsertedTouch> {
  const home = await homeOf(tx, touch.thread_id);
  const id = touch.id ?? newId();
  const row = rowOf(tx, { ...touch, id }, home, now);
  const made = await tx`insert into touches ${tx(row)} on conflict do nothing returning 1`;
  if (made.length === 0) return await alreadyThere(tx, touch);
  await insertAttachments(tx, id, touch.attachments ?? []);
  const opens = touch.direction === 'in' && !touch.automatic && touch.reading?.reading !== 'out_of_office';
  if (opens) await reopenThread(tx, home.id, now);
  await settleThreads(tx, [home.id], now);
  return { thread_id: home.id, touch_id: id, made: true };
}

/** Locked; where it was merged away, the one that it went to. */
async function homeOf(tx: Transaction, id: string): Promise<Home> {
  const [row] = await tx<(Home & { merged_into: string | null })[]>`
    select t.id, t.person_id, t.campaign_id, t.identity_id, t.merged_into from threads t
    where t.id = coalesce((select merged_into from threads where id = ${id}), ${id}) for no key update`;
  if (!row) throw new Error('a touch was to be written into a thread that is not there');
  return row.merged_into === null ? row : await homeOf(tx, row.merged_into);
}

function rowOf(tx: Transaction, touch: NewTouch & { id: string }, home: Home, now: Date) {
  const subject = cleanLine(touch.subject ?? '');
  const text = cleanText(touch.text);
  const text_stripped = cleanText(touch.text_stripped ?? touch.text);
  const from_name = touch.from?.name ? cleanLine(touch.from.name) : null;
  const from_address = touch.from?.address ? cleanLine(touch.from.address) : null;
  const to_addresses = cleanAddresses(touch.to ?? []);
  const cc_addresses = cleanAddresses(touch.cc ?? []);
  const reading = touch.reading ?? null;
  return {
    id: touch.id,
    thread_id: home.id,
    direction: touch.direction,
    channel: touch.channel,
    note: touch.note ?? false,
    at: touch.at > now ? now : touch.at,
    from_address,
    from_name,
    to_addresses,
    cc_addresses,
    copied_hashes: copiedHashes(to_addresses, cc_addresses),
    subject,
    text,
    text_stripped,
    stripped_whole: touch.stripped_whole ?? false,
    html: touch.html ? cleanText(touch.html, HTML_MAX) : null,
    message_id: touch.message_id ? cleanLine(touch.message_id) : null,
    in_reply_to: touch.in_reply_to ? cleanLine(touch.in_reply_to) : null,
    message_references: cleanIds(touch.references ?? []),
    attributed_by: touch.attributed_by ?? null,
    automatic: touch.automatic ?? false,
    authentication: touch.authentication ? tx.json(touch.authentication) : null,
    reading: reading?.reading ?? null,
    reading_by: reading?.by ?? null,
    confidence: reading?.confidence ?? null,
    details: json(tx, reading?.details ?? {}),
    person_id: touch.person_id === undefined ? home.person_id : touch.person_id,
    campaign_id: home.campaign_id,
    identity_id: home.identity_id,
    send_id: touch.send_id ?? null,
    raw_ref: touch.raw_ref ?? null,
    ...principalColumns(tx, 'by', touch.by ?? null),
    created_at: now,
    words: wordsOf({ subject, text_stripped, from_name, from_address, to_addresses }),
  };
}

export const wordsOf = (said: {
  subject: string;
  text_stripped: string;
  from_name: string | null;
  from_address: string | null;
  to_addresses: readonly string[];
}): string =>
  searchVector(
    said.subject,
    searchedPart(said.text_stripped),
    said.from_name ?? '',
    said.from_address ?? '',
    ...said.to_addresses.slice(0, 10),
  );

/** Of everyone whom it went to beside the first, who is among its words. */
export const copiedHashes = (to: readonly string[], cc: readonly string[]): string[] => [
  ...new Set(hashesIn([...to.slice(1), ...cc])),
];

async function alreadyThere(tx: Transaction, { raw_ref, send_id }: NewTouch): Promise<InsertedTouch> {
  const [row] = await tx<{ id: string; thread_id: string }[]>`
    select id, thread_id from touches
    where raw_ref = ${raw_ref ?? null} or (send_id = ${send_id ?? null} and direction = 'out') limit 1`;
  if (!row) throw new Error('a touch was given an id that another one has');
  return { thread_id: row.thread_id, touch_id: row.id, made: false };
}

async function insertAttachments(
  tx: Transaction,
  touch_id: string,
  attachments: readonly NewAttachment[],
): Promise<void> {
  if (attachments.length === 0) return;
  await tx`insert into touch_attachments ${tx(
    attachments.map((file, position) => ({
      id: newId(),
      touch_id,
      position,
      filename: cleanLine(file.filename).slice(0, 200).toWellFormed() || 'file',
      content_type: cleanLine(file.content_type).slice(0, 100).toWellFormed(),
      size_bytes: file.size,
      content_id: file.content_id ? cleanLine(file.content_id) : null,
      inline: file.inline ?? false,
      bytes: file.bytes && Buffer.from(file.bytes),
    })),
  )}`;
}
