// All SQL of answers. Whoever calls has the thread from its loader and, to write, holds it: drafts of one conversation are
// written one after the other.
import { knownPrincipalIn, principalColumns, type PrincipalColumns } from '../../kernel/principal-row.ts';
import type { Principal } from '../../kernel/caller.ts';
import type { Reader, Transaction } from '../../kernel/ground.ts';
import { newId } from '../../kernel/ids.ts';
import type { SendRow } from '../sends/row.ts';
import { sendRows } from '../sends/send.store.ts';

export type AnswerRow = PrincipalColumns<'draft_by'> & {
  id: string;
  thread_id: string;
  subject: string;
  text: string;
  html: string | null;
  to_address: string;
  cc: string[];
  answers_touch: string | null;
  /** They wrote again after that. */
  newer_message: boolean;
  state: 'draft' | 'sending' | 'discarded';
  send_id: string | null;
  revision: number;
  created_at: Date;
  updated_at: Date;
};

/** With its letter, once it has one. */
export type Kept = { answer: AnswerRow; send: SendRow | null };

const columns = (db: Reader) => db`
  a.id, a.thread_id, a.draft_by_kind, a.draft_by_id, a.draft_by_name, a.draft_by_on_behalf_of, a.subject, a.text, a.html,
  a.to_address, a.cc, a.answers_touch, a.state, a.send_id, a.revision, a.created_at, a.updated_at,
  exists (
    select from touches x join touches y on y.id = a.answers_touch
    where x.thread_id = a.thread_id and x.direction = 'in' and not x.automatic and (x.at, x.id) > (y.at, y.id)
  ) as newer_message`;

async function withLetters(db: Reader, answers: readonly AnswerRow[]): Promise<Kept[]> {
  const ids = answers.flatMap(({ send_id }) => send_id ?? []);
  const sends = new Map((ids.length === 0 ? [] : await sendRows(db, ids)).map((row) => [row.id, row]));
  return answers.map((answer) => ({ answer, send: sends.get(answer.send_id ?? '') ?? null }));
}

export async function answersOf(
  db: Reader,
  thread_id: string,
  after: readonly [string, string] | null,
  count: number,
): Promise<Kept[]> {
  const rows = await db<AnswerRow[]>`
    select ${columns(db)} from answers a
    where a.thread_id = ${thread_id} and a.state <> 'discarded'
      ${after === null ? db`` : db`and (a.created_at, a.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`}
    order by a.created_at desc, a.id desc limit ${count}`;
  return withLetters(db, rows);
}

export async function answerIn(db: Reader, thread_id: string, id: string): Promise<Kept | null> {
  const rows = await db<AnswerRow[]>`
    select ${columns(db)} from answers a where a.id = ${id} and a.thread_id = ${thread_id}`;
  return (await withLetters(db, rows))[0] ?? null;
}

/** The conversation that an answer stands in, for whoever names the answer alone. Of it nothing is shown before its loader was asked. */
export async function threadOfAnswer(db: Reader, id: string): Promise<string | null> {
  const [row] = await db<{ thread_id: string }[]>`select thread_id from answers where id = ${id}`;
  return row?.thread_id ?? null;
}

/** What its author has not finished here: a draft, or what was sent and has not gone. */
export async function unfinishedOf(db: Reader, thread_id: string, { kind, id }: Principal): Promise<Kept[]> {
  const rows = await db<AnswerRow[]>`
    select ${columns(db)} from answers a
    where a.thread_id = ${thread_id} and a.draft_by_kind = ${kind} and a.draft_by_id = ${id}
      and (a.state = 'draft' or a.state = 'sending' and exists (
        select from sends s where s.id = a.send_id and s.state not in ('sent', 'uncertain')))
    order by a.created_at desc, a.id desc limit 10`;
  return withLetters(db, rows);
}

export type Written = Pick<AnswerRow, 'subject' | 'text' | 'html' | 'to_address' | 'cc' | 'answers_touch'>;

export async function insertDraft(
  tx: Transaction,
  thread_id: string,
  written: Written,
  by: Principal,
  now: Date,
): Promise<string> {
  const id = newId();
  await tx`
    insert into answers ${tx({
      id,
      thread_id,
      ...written,
      ...principalColumns(tx, 'draft_by', by),
      state: 'draft',
      created_at: now,
      updated_at: now,
    })}`;
  return id;
}

export async function writeDraft(
  tx: Transaction,
  { id, revision }: AnswerRow,
  written: Written,
  now: Date,
): Promise<void> {
  await tx`update answers set ${tx({ ...written, revision: revision + 1, updated_at: now })} where id = ${id}`;
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
