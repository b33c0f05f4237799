// All SQL of answers. Whoever calls has the thread from its loader and, to write, holds it: drafts of one conversation are
// written one after the other.
import { knownPrincipalIn, principalColumns, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import type { Caller, Principal } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { hashesIn } from '../../../mail/address.ts';
import type { Quoted } from '../../../mail/letters/quote.ts';
import { HTML_CHARS } from '../../../mail/letters/quote.ts';
import type { SendRow } from '../../outreach/sends/letter/row.ts';
import { sendRows } from '../../outreach/sends/letter/send.store.ts';
import type { Attachment } from '../../outreach/sequences/contract.ts';
import type { LoadedThread } from '../threads/store.ts';
import { mayReadMessage, type Message } from '../../../kernel/messages.ts';
import { messageNamed } from '../../outreach/sends/letter/quoted.store.ts';

export type AnswerRow = PrincipalColumns<'draft_by'> & {
  id: string;
  thread_id: string;
  subject: string;
  text: string;
  html: string | null;
  to_address: string;
  cc: string[];
  answers_touch: string | null;
  /** That touch as policies name it. */
  answers_message: Message | null;
  quotes: boolean;
  /** They wrote again after that. */
  newer_message: boolean;
  state: 'draft' | 'sending' | 'discarded';
  send_id: string | null;
  revision: number;
  created_at: Date;
  updated_at: Date;
};

/**
 * With its letter, once it has one, what it carries, and as long as it is a draft what it quotes. `hidden`: it quotes a
 * message that whoever asks may not read, so neither that nor its letter is shown to them.
 */
export type Kept = {
  answer: AnswerRow;
  send: SendRow | null;
  files: Attachment[];
  quoted: Quoted | null;
  hidden: boolean;
};

const columns = (db: Reader) => db`
  a.id, a.thread_id, a.draft_by_kind, a.draft_by_id, a.draft_by_name, a.draft_by_on_behalf_of, a.subject, a.text, a.html,
  a.to_address, a.cc, a.answers_touch, a.quotes, a.state, a.send_id, a.revision, a.created_at, a.updated_at,
  ${messageNamed(db, db`a.answers_touch`)} as answers_message,
  exists (
    select from touches x join touches y on y.id = a.answers_touch
    where x.thread_id = a.thread_id and x.direction = 'in' and not x.automatic and (x.at, x.id) > (y.at, y.id)
  ) as newer_message`;

async function withLetters(db: Reader, caller: Caller, answers: readonly AnswerRow[]): Promise<Kept[]> {
  const ids = answers.flatMap(({ send_id }) => send_id ?? []);
  const sends = new Map((ids.length === 0 ? [] : await sendRows(db, ids)).map((row) => [row.id, row]));
  const kept = answers.map((answer) => ({ answer, send: sends.get(answer.send_id ?? '') ?? null }));
  const touches = kept.flatMap(({ answer: { quotes, answers_touch }, send }) =>
    quotes && answers_touch !== null && (send === null || send.state === 'cancelled') ? answers_touch : [],
  );
  const [quoted, files] = await Promise.all([quotedIn(db, touches), filesOf(db, answers)]);
  return kept.map((each) => ({
    ...each,
    files: files.filter(({ answer_id }) => answer_id === each.answer.id).map(({ file }) => file),
    quoted: (each.answer.quotes && quoted.get(each.answer.answers_touch ?? '')) || null,
    hidden: quotesUnread(caller, each.answer),
  }));
}

const quotesUnread = ({ rights }: Caller, { quotes, answers_message: theirs }: AnswerRow): boolean =>
  quotes && theirs !== null && !mayReadMessage(rights, theirs);

/** What was said in these touches, in the language of whoever said it. */
async function quotedIn(db: Reader, touches: readonly string[]): Promise<Map<string, Quoted>> {
  if (touches.length === 0) return new Map();
  const rows = await db<(Quoted & { id: string })[]>`
    select x.id, x.at, x.from_name as name, x.from_address as address, x.text,
      case when char_length(x.html) <= ${HTML_CHARS} then x.html end as html, p.language
    from touches x left join people p on p.id = x.person_id where x.id = any(${[...touches]}::uuid[])`;
  return new Map(rows.map(({ id, ...quoted }) => [id, quoted]));
}

const filesOf = (db: Reader, answers: readonly { id: string }[]) =>
  db<{ answer_id: string; file: Attachment }[]>`
    select w.answer_id, ${asFile(db)} as file
    from answer_attachments w join attachments f on f.id = w.attachment_id
    where w.answer_id = any(${answers.map(({ id }) => id)}::uuid[]) order by w.answer_id, w.position`;

const asFile = (db: Reader) => db`
  jsonb_build_object('id', f.id, 'filename', f.filename, 'media_type', f.media_type, 'size_bytes', f.size_bytes,
    'sha256', f.sha256)`;

/**
 * Of these ids, the files that an answer in this conversation may carry: uploaded for it, or carried in it already. They are
 * held until the answer is written, so that none is forgotten in between.
 */
export async function filesAmong(
  tx: Transaction,
  thread_id: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx<{ id: string }[]>`
    select f.id from attachments f where f.id = any(${[...ids]}::uuid[]) and (f.thread_id = ${thread_id} or exists (
      select from answer_attachments w join answers a on a.id = w.answer_id
      where w.attachment_id = f.id and a.thread_id = ${thread_id}))
    order by f.id for key share of f`;
  return rows.map(({ id }) => id);
}

async function writeFiles(tx: Transaction, answer_id: string, files: readonly string[]): Promise<void> {
  await tx`delete from answer_attachments where answer_id = ${answer_id}`;
  if (files.length === 0) return;
  await tx`insert into answer_attachments ${tx(
    files.map((attachment_id, position) => ({ answer_id, attachment_id, position })),
  )}`;
}

export async function answersOf(
  db: Reader,
  caller: Caller,
  thread: LoadedThread,
  after: readonly [string, string] | null,
  count: number,
): Promise<Kept[]> {
  const rows = await db<AnswerRow[]>`
    select ${columns(db)} from answers a
    where a.thread_id = ${thread.id} and a.state <> 'discarded'
      ${after === null ? db`` : db`and (a.created_at, a.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`}
    order by a.created_at desc, a.id desc limit ${count}`;
  return withLetters(db, caller, rows);
}

export async function answerIn(
  db: Reader,
  caller: Caller,
  thread: LoadedThread,
  id: string,
): Promise<Kept | null> {
  const rows = await db<AnswerRow[]>`
    select ${columns(db)} from answers a where a.id = ${id} and a.thread_id = ${thread.id}`;
  return (await withLetters(db, caller, rows))[0] ?? null;
}

/** The conversation that an answer is in, for whoever names the answer alone. Of it nothing is shown before its loader was asked. */
export async function threadOfAnswer(db: Reader, id: string): Promise<string | null> {
  const [row] = await db<{ thread_id: string }[]>`select thread_id from answers where id = ${id}`;
  return row?.thread_id ?? null;
}

/** What its author has not finished here: a draft, or what was sent and has not gone. */
export async function unfinishedOf(
  db: Reader,
  caller: Caller,
  thread: LoadedThread,
  { kind, id }: Principal = caller.principal,
): Promise<Kept[]> {
  const rows = await db<AnswerRow[]>`
    select ${columns(db)} from answers a
    where a.thread_id = ${thread.id} and a.draft_by_kind = ${kind} and a.draft_by_id = ${id}
      and (a.state = 'draft' or a.state = 'sending' and exists (
        select from sends s where s.id = a.send_id and s.state not in ('sent', 'uncertain')))
    order by a.created_at desc, a.id desc limit 10`;
  return withLetters(db, caller, rows);
}

export type Written = Pick<
  AnswerRow,
  'subject' | 'text' | 'html' | 'to_address' | 'cc' | 'answers_touch' | 'quotes'
> & { files: string[] };

export async function insertDraft(
  tx: Transaction,
  thread_id: string,
  { files, ...written }: Written,
  by: Principal,
  now: Date,
): Promise<string> {
  const id = newId();
  await tx`
    insert into answers ${tx({
      id,
      thread_id,
      ...written,
      cc_hashes: hashesIn(written.cc),
      ...principalColumns(tx, 'draft_by', by),
      state: 'draft',
      created_at: now,
      updated_at: now,
    })}`;
  await writeFiles(tx, id, files);
  return id;
}

export async function writeDraft(
  tx: Transaction,
  { id, revision }: AnswerRow,
  { files, ...written }: Written,
  now: Date,
): Promise<void> {
  const row = { ...written, cc_hashes: hashesIn(written.cc), revision: revision + 1, updated_at: now };
  await tx`update answers set ${tx(row)} where id = ${id}`;
  await writeFiles(tx, id, files);
}

/** To its letter, back into a draft, or away. */
export async function moveAnswer(
  tx: Transaction,
  { id, revision }: AnswerRow,
  to: { state: 'sending'; send_id: string } | { state: 'draft' | 'discarded'; send_id: null },
  now: Date,
): Promise<void> {
  await tx`update answers set ${tx({ ...to, revision: revision + 1, updated_at: now })} where id = ${id}`;
}

export const draftedBy = (row: AnswerRow): Principal => knownPrincipalIn(row, 'draft_by');
