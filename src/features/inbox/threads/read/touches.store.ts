// Reads touches: those of a thread page by page, one whole, and its files. Every row comes for a caller who may have its thread.
// The search over all is in search.store.ts.
import type { PendingQuery, Row as PgRow } from 'postgres';
import { type Caller } from '../../../../kernel/caller.ts';
import type { Reader } from '../../../../kernel/database.ts';
import { denied } from '../../../../kernel/denied.ts';
import { principalIn, type PrincipalColumns } from '../../../../kernel/principal-row.ts';
import { type Refusal, notThere, notFound } from '../../../../kernel/refusal.ts';
import { touchNames } from '../../../../kernel/messages.ts';
import { mayReadIn, mayReadMessage, type Message } from '../../../../kernel/messages.ts';
import { fromOf } from '../names.rules.ts';
import type { LoadedThread } from '../store.ts';
import type { Attachment, Touch } from '../touches.contract.ts';
import { messageNamed } from '../../../outreach/sends/letter/quoted.store.ts';

type Row = PrincipalColumns<'by'> &
  Omit<Touch, 'at' | 'from' | 'to' | 'cc' | 'by' | 'words' | 'quote_hidden'> & {
    at: Date;
    from_address: string | null;
    from_name: string | null;
    to_addresses: string[];
    cc_addresses: string[];
    /** Of an answer of ours: the message that is below its own words, which then are here without it. */
    quotes: Message | null;
    own_words: string | null;
  };

/** Code points of a touch's text in a page of a thread, and where it is asked for whole. */
const TEXT_SHOWN = 6_000;
const FULL_SHOWN = 30_000;

const columns = (db: Reader, text: PendingQuery<PgRow[]>, shown: number | null) => db`
  x.id, x.thread_id, x.direction, x.channel, x.note, x.at, x.from_address, x.from_name, x.to_addresses, x.cc_addresses,
  x.subject, ${shown === null ? text : db`left(${text}, ${shown})`} as text,
  ${shown === null ? db`false` : db`char_length(${text}) > ${shown}`} as text_cut,
  octet_length(x.text) > octet_length(x.text_stripped) as quoted, x.stripped_whole,
  (x.html is not null or s.html is not null) as has_html,
  x.message_id, x.attributed_by, x.automatic, x.authentication, x.reading, x.reading_by, x.confidence, x.details, x.person_id,
  x.campaign_id, x.send_id, x.by_kind, x.by_id, x.by_name, x.by_on_behalf_of,
  ${messageNamed(db, db`s.quotes_touch`)} as quotes,
  case when s.quotes_touch is not null then
    ${shown === null ? db`x.text_stripped` : db`left(x.text_stripped, ${shown})`} end as own_words,
  ${attachments(db)} as attachments`;

/** Of a touch that a letter of ours is: that letter. */
const itsLetter = (db: Reader) => db`left join sends s on s.id = x.send_id and x.direction = 'out'`;

/** What came with it, and of a letter of ours what went with it. */
const attachments = (db: Reader) => db`
  coalesce((
    select jsonb_agg(to_jsonb(f) - 'position' order by f.position) from (
      select a.id, a.filename, a.content_type, a.size_bytes as size, a.inline, a.content_id, a.bytes is not null as kept, a.position
      from touch_attachments a where a.touch_id = x.id
      union all
      select o.id, o.filename, o.media_type, o.size_bytes, false, null, true, w.position
      from send_attachments w join attachments o on o.id = w.attachment_id
      where w.send_id = x.send_id and x.direction = 'out'
    ) f), '[]')`;

export const whoseWords = (direction: 'in' | 'out'): Touch['words'] =>
  direction === 'in' ? 'theirs' : 'ours';

const quotesUnread = ({ rights }: Caller, { quotes }: Row): boolean =>
  quotes !== null && !mayReadMessage(rights, quotes);

/** `shown`: how much of a text is there at most; null: all of it. */
function toTouch(row: Row, caller: Caller, shown: number | null): Touch {
  const quote_hidden = quotesUnread(caller, row);
  const own = quote_hidden ? (row.own_words ?? '') : row.text;
  return {
    id: row.id,
    thread_id: row.thread_id,
    direction: row.direction,
    words: whoseWords(row.direction),
    channel: row.channel,
    note: row.note,
    at: row.at.toISOString(),
    from: fromOf(row),
    to: row.to_addresses,
    cc: row.cc_addresses,
    subject: row.subject,
    text: own,
    text_cut: row.text_cut && (!quote_hidden || own.length >= (shown ?? Infinity)),
    quoted: row.quoted && !quote_hidden,
    quote_hidden,
    stripped_whole: row.stripped_whole,
    has_html: row.has_html && !quote_hidden,
    message_id: row.message_id,
    attributed_by: row.attributed_by,
    automatic: row.automatic,
    authentication: row.authentication,
    reading: row.reading,
    reading_by: row.reading_by,
    confidence: row.confidence,
    details: row.details,
    person_id: row.person_id,
    campaign_id: row.campaign_id,
    send_id: row.send_id,
    attachments: row.attachments,
    by: principalIn(row, 'by'),
  };
}

/** Newest first, older than `after`. */
export async function touchesOf(
  db: Reader,
  caller: Caller,
  thread: LoadedThread,
  { full, after, count }: { full: boolean; after: readonly [string, string] | null; count: number },
): Promise<Touch[]> {
  const text = full ? db`x.text` : db`x.text_stripped`;
  const shown = full ? FULL_SHOWN : TEXT_SHOWN;
  const rows = await db<Row[]>`
    select ${columns(db, text, shown)} from (
      select * from touches x where x.thread_id = ${thread.id}
        ${after === null ? db`` : db`and (x.at, x.id) < (${after[0]}::timestamptz, ${after[1]})`}
      order by x.at desc, x.id desc limit ${count}
    ) x ${itsLetter(db)} order by x.at desc, x.id desc`;
  return rows.map((row) => toTouch(row, caller, shown));
}

type Whole = Touch & { text_stripped: string; html: string | null };

const noTouch = (): Refusal => notFound('touch in this thread', 'GET /api/threads/:id lists its touches');

/** `mail.message.read` of something in a thread that the caller may read. Of a chat the owner needs no further right. */
export const mayRead = (
  caller: Caller,
  { id, kind }: Pick<LoadedThread, 'id' | 'kind'>,
  touch: { id: string; campaign_id: string | null },
): boolean => kind === 'chat' || mayReadIn(caller.rights, { ...touch, thread_id: id });

function demandMessage(
  caller: Caller,
  thread: LoadedThread,
  touch: { id: string; campaign_id: string | null },
) {
  if (mayRead(caller, thread, touch)) return;
  const [name] = touchNames({ ...touch, thread_id: thread.id });
  throw denied(caller, 'mail.message.read', name);
}

export async function loadTouch(
  db: Reader,
  caller: Caller,
  thread: LoadedThread,
  id: string,
): Promise<Whole> {
  const [row] = await db<(Row & { text_stripped: string; html: string | null })[]>`
    select ${columns(db, db`x.text`, null)}, x.text_stripped,
      coalesce(x.html, s.html) as html
    from touches x ${itsLetter(db)} where x.id = ${id} and x.thread_id = ${thread.id}`;
  if (!row) throw noTouch();
  demandMessage(caller, thread, row);
  const html = quotesUnread(caller, row) ? null : row.html;
  return { ...toTouch(row, caller, null), text_stripped: row.text_stripped, html };
}

/** As an act has just written it. */
export async function touchAgain(db: Reader, caller: Caller, id: string): Promise<Touch> {
  const [row] = await db<Row[]>`
    select ${columns(db, db`x.text_stripped`, TEXT_SHOWN)} from touches x ${itsLetter(db)} where x.id = ${id}`;
  if (!row) throw new Error('a touch that was just written is gone');
  return toTouch(row, caller, TEXT_SHOWN);
}

export type LoadedFile = Pick<Attachment, 'filename'> & { bytes: Buffer };

/** A file of a touch of this thread, or of a draft in it, which whoever reads the thread reads; refused where it was too large to be kept. */
export async function loadFile(
  db: Reader,
  caller: Caller,
  thread: LoadedThread,
  id: string,
): Promise<LoadedFile> {
  type FileRow = {
    filename: string;
    bytes: Buffer | null;
    touch_id: string | null;
    campaign_id: string | null;
  };
  const [row] = await db<FileRow[]>`
    select a.filename, a.bytes, x.id as touch_id, x.campaign_id
    from touch_attachments a join touches x on x.id = a.touch_id
    where a.id = ${id} and x.thread_id = ${thread.id}
    union all
    select o.filename, o.bytes, x.id, x.campaign_id
    from attachments o join send_attachments w on w.attachment_id = o.id
    join touches x on x.send_id = w.send_id and x.direction = 'out'
    where o.id = ${id} and x.thread_id = ${thread.id}
    union all
    select o.filename, o.bytes, null, null
    from attachments o join answer_attachments w on w.attachment_id = o.id
    join answers a on a.id = w.answer_id and a.state <> 'discarded'
    where o.id = ${id} and a.thread_id = ${thread.id} limit 1`;
  if (!row) throw notFound('file in this thread', 'GET /api/threads/:id lists its files');
  if (row.touch_id !== null)
    demandMessage(caller, thread, { id: row.touch_id, campaign_id: row.campaign_id });
  if (row.bytes === null)
    throw notThere('this file was too large to save: ask the sender to share it another way');
  return { filename: row.filename, bytes: row.bytes };
}
