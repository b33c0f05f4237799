// Answers: what is written back to someone who wrote to us. A draft is free; sending one is wire act 2. Where one exists once
// it was sent is read off its letter, so that an answer and its letter never say different things (domain.md §1.8).
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { done, id, listOf, page, principal, revision, time } from '../../../kernel/shapes.ts';
import { hold } from '../../outreach/sends/contract.ts';
import { attachment, fileGiven } from '../../outreach/sequences/contract.ts';

export const ANSWER_STATES = ['draft', 'sending', 'sent', 'held', 'discarded', 'uncertain'] as const;
export type AnswerState = (typeof ANSWER_STATES)[number];

export const answer = z.object({
  id,
  thread_id: id,
  draft_by: principal,
  subject: z.string(),
  /** As its author wrote it. */
  text: z.string(),
  html: z.string().nullable(),
  cc: z.array(z.string()),
  /** What it answers is below it. */
  quote: z.boolean(),
  attachments: z.array(attachment),
  /**
   * As it arrives: with the signature of its sender, and below that `quoted`, which is null where nothing is. Without the
   * quote for whoever may not read the message that it answers.
   */
  letter: z.object({ text: z.string(), html: z.string().nullable(), quoted: z.string().nullable() }),
  /** Name and address of the sender; null where the conversation has none. */
  from: z.string().nullable(),
  /** Everyone who gets it. `in_thread`: they are in this conversation already; who does not is from outside. */
  recipients: z.array(z.object({ as: z.enum(['to', 'cc']), address: z.string(), in_thread: z.boolean() })),
  /** Over sender, recipients, subject, text, HTML and attachments, and over what they wrote last: it is sent as it was read. */
  fingerprint: z.string(),
  /** They wrote again after the message that this was written to. */
  newer_message: z.boolean(),
  state: z.enum(ANSWER_STATES),
  /** Why it cannot be sent as it exists, or did not go; null: nothing is in its way. */
  why_not: z.string().nullable(),
  hold: hold.nullable(),
  /** It starts then, and can be undone until it has. */
  goes_at: time.nullable(),
  can_take_back: z.boolean(),
  sent_at: time.nullable(),
  send_id: id.nullable(),
  revision,
  created_at: time,
  updated_at: time,
});
export type Answer = z.infer<typeof answer>;
named('Answer', answer);

const exampleThread = '0198c0de-0000-7000-8000-000000000061';
const one = '0198c0de-0000-7000-8000-000000000062';

const LONGEST_TEXT = 100_000;
/** More is a mailing, and no answer. */
const MOST_COPIES = 20;
export const FILES_OF_AN_ANSWER_MAX = 5;

const words = {
  text: z
    .string()
    .max(LONGEST_TEXT)
    .refine((said) => said.trim() !== '', 'write something'),
  /** `Re: ` and theirs where none is given. */
  subject: z
    .string()
    .max(998)
    .refine((said) => !/[\r\n]/.test(said), 'it may not break a line'),
  html: z.string().max(LONGEST_TEXT).nullable(),
  cc: z.array(z.string().max(2_000)).max(MOST_COPIES),
  /** Whether what it answers is below it. */
  quote: z.boolean(),
  /** Ids of files that were uploaded for answers of this conversation, in their order. */
  attachments: z.array(id).max(FILES_OF_AN_ANSWER_MAX),
};
const others = {
  subject: words.subject.optional(),
  html: words.html.optional(),
  cc: words.cc.optional(),
  quote: words.quote.optional(),
  attachments: words.attachments.optional(),
};

const noun = { who: 'anyone', step_up: 'no', wire: 'never' } as const;
const drafting = { ...noun, needs: { action: 'inbox.thread.answer', on: 'row' } } as const;

export const answerList = operation({
  ...noun,
  name: 'answer_list',
  says: 'Lists the answers of a conversation, drafts and those that were sent, newest first; discarded ones are left out.',
  method: 'GET',
  path: '/api/threads/:thread/answers',
  takes: z.strictObject({ thread: id, ...page }),
  gives: listOf(answer),
  example: { thread: exampleThread },
  effect: 'read',
  needs: { action: 'inbox.thread.read', on: 'row' },
  answers: OK,
});

export const answerDraft = operation({
  ...drafting,
  name: 'answer_draft',
  says: 'Drafts an answer to their latest message, quoted below unless quote is false; nothing is sent until you send it. There is one draft per conversation: pass its revision to rewrite it.',
  method: 'POST',
  path: '/api/threads/:thread/answers',
  takes: z.strictObject({ thread: id, text: words.text, ...others, revision: revision.optional() }),
  gives: z.object({ answer }),
  example: { thread: exampleThread, text: 'Dear Dana, Tuesday suits us well.' },
  effect: 'write',
  answers: CREATED,
});

export const answerUpdate = operation({
  ...drafting,
  name: 'answer_update',
  says: 'Edits a drafted answer, and has it answer what they wrote last; with only the revision it does just the latter.',
  method: 'PATCH',
  path: '/api/threads/:thread/answers/:answer',
  takes: z.strictObject({
    thread: id,
    answer: id,
    revision,
    text: words.text.optional(),
    ...others,
  }),
  gives: z.object({ answer }),
  example: { thread: exampleThread, answer: one, revision: 1, text: 'Dear Dana, Wednesday is better.' },
  effect: 'write',
  answers: OK,
});

export const answerAttach = operation({
  ...drafting,
  name: 'answer_attach',
  says: 'Uploads a file in base64 that an answer in this conversation can carry: name its id in the attachments of the draft within a day.',
  method: 'POST',
  path: '/api/threads/:thread/attachments',
  takes: z.strictObject({ thread: id, ...fileGiven }),
  gives: z.object({ attachment }),
  example: {
    thread: exampleThread,
    filename: 'terms.pdf',
    media_type: 'application/pdf',
    file_base64: 'JVBERi0=',
  },
  effect: 'write',
  answers: CREATED,
});

export const answerDiscard = operation({
  ...drafting,
  name: 'answer_discard',
  says: 'Throws a drafted answer away.',
  method: 'DELETE',
  path: '/api/threads/:thread/answers/:answer',
  takes: z.strictObject({ thread: id, answer: id }),
  gives: done,
  example: { thread: exampleThread, answer: one },
  effect: 'destroy',
  answers: OK,
});

export const answerSend = operation({
  ...noun,
  name: 'answer_send',
  says: 'Sends a drafted answer as it was read, after ten seconds or at not_before; it can be withdrawn until then. Refused when the draft has changed since, or they wrote again. With not_before the thread is snoozed until then, and a message of theirs meanwhile holds the answer.',
  method: 'POST',
  path: '/api/threads/:thread/answers/:answer/send',
  takes: z.strictObject({
    /** Always there in the route; a tool names the answer alone. */
    thread: id.optional(),
    answer: id,
    fingerprint: z.string().min(1).max(200),
    /** The earliest moment at which it may start, at most 30 days from now. */
    not_before: time.optional(),
  }),
  gives: z.object({ answer }),
  example: { thread: exampleThread, answer: one, fingerprint: 'b0a1c2' },
  effect: 'write',
  needs: { action: 'inbox.thread.send', on: 'row' },
  wire: { act: 'answer.send' },
  answers: OK,
});

export const answerTakeBack = operation({
  ...drafting,
  name: 'answer_take_back',
  says: 'Takes a sent answer back into a draft, as long as it has not started: until it is due, or while it is held.',
  method: 'DELETE',
  path: '/api/threads/:thread/answers/:answer/send',
  takes: z.strictObject({ thread: id, answer: id }),
  gives: z.object({ answer }),
  example: { thread: exampleThread, answer: one },
  effect: 'write',
  answers: OK,
});
