// Whether an answer may be sent as it was read, and where it is by what happened to its letter:
//
//   draft ─ send ─▶ sending ─▶ sent
//     ▲  │            │   └───▶ uncertain
//     │  └▶ discarded ▼
//     └─ undo ─ held (a gate, or the mail server refused it)
//
// Everything after `send` is the letter's own state, seen from the conversation.
import type { Principal } from '../../../kernel/caller.ts';
import { after, DAY_MS } from '../../../kernel/clock.ts';
import { Refusal, changedSince, conflict, invalid } from '../../../kernel/refusal.ts';
import type { HoldReason } from '../../outreach/sends/letter/reasons.rules.ts';
import type { SendState } from '../../outreach/sends/letter/transitions.rules.ts';
import type { AnswerState } from './contract.ts';

/** Files of one conversation that no answer carries, before another is taken. */
export const FILES_WAITING_MAX = 20;

/** Long enough to see a mistake after the click; an agent's answer waits as long, so that a person can stop it. */
export const TAKE_BACK_MS = 10_000;

const LATER_DAYS_MAX = 30;

/** When it starts, at the earliest; `asked`: the moment that someone chose for it. */
export function startOf(asked: string | undefined, now: Date): Date | Refusal {
  const soon = after(now, TAKE_BACK_MS);
  if (asked === undefined) return soon;
  const at = new Date(asked);
  const says =
    at <= now
      ? 'not_before: give a future time, or leave it out to send now'
      : at > after(now, LATER_DAYS_MAX * DAY_MS)
        ? `not_before: give a time within ${LATER_DAYS_MAX} days`
        : null;
  if (says !== null) return invalid(says, { not_before: says });
  return at > soon ? at : soon;
}

/** An empty editor's HTML is no HTML: the letter is plain then. */
export const htmlOf = (html: string | null): string | null =>
  html === null || html.trim() === '' ? null : html;

/** A fingerprint has two parts, since two things are refused with two sentences: what the letter says, and what they wrote last. */
export const withNewest = (letter: string, newest: string | null): string => `${letter}.${newest ?? 'none'}`;

export const ofLetter = (fingerprint: string): string => fingerprint.split('.', 1)[0] ?? '';

export const CHANGED =
  'this answer’s text, recipient or sender changed since you read it: read it again and send it with its current fingerprint';
export const WROTE_AGAIN =
  'a new message arrived since you read this answer: read the thread, update the answer if needed, and send it with its current fingerprint';

/** Whether what was read is what would be sent now. */
export function ruleRead(given: string, present: string): Refusal | null {
  if (given === present) return null;
  const changed = ofLetter(given) !== ofLetter(present);
  return conflict(changed ? CHANGED : WROTE_AGAIN, { fingerprint: present });
}

export const QUOTE_UNREAD =
  'you can’t read the message being answered, so you can’t quote it: leave quote out, or ask someone who can read it';
export const SEND_UNREAD =
  'this answer quotes a message you can’t read: set quote to false, or ask someone who can read it to send the answer';

/** No one sends what is not shown to them. `hidden`: it quotes a message that they may not read. */
export const ruleQuoteRead = (hidden: boolean): Refusal | null =>
  hidden ? new Refusal(403, 'policy_denied', SEND_UNREAD) : null;

/** Whether it quotes: as asked, else as it did, and never what its writer may not read, for that would show it to them. */
export function ruleQuote(asked: boolean | undefined, did: boolean, reads: boolean): boolean | Refusal {
  if (reads) return asked ?? did;
  return asked === true ? new Refusal(403, 'policy_denied', QUOTE_UNREAD) : false;
}

/** Where an answer is by its letter. Called off by hand, it is a draft again. */
export function stateOf(state: 'draft' | 'sending' | 'discarded', send: SendState | null): AnswerState {
  if (state !== 'sending' || send === null) return state === 'sending' ? 'draft' : state;
  switch (send) {
    case 'sent':
    case 'uncertain':
    case 'held':
      return send;
    // A letter that the mail server refused did not go and does not go: it is undone and fixed.
    case 'failed':
      return 'held';
    case 'cancelled':
      return 'draft';
    case 'drafted':
    case 'review':
    case 'scheduled':
    case 'sending':
      return 'sending';
  }
}

export const CAN_BE_TAKEN_BACK: readonly SendState[] = ['scheduled', 'held', 'failed', 'cancelled'];

export function ruleTakeBack(send: SendState): Refusal | null {
  if (CAN_BE_TAKEN_BACK.includes(send)) return null;
  if (send === 'sent') return conflict('this answer was already sent: write another one', { state: send });
  if (send === 'uncertain')
    return conflict(
      'the outcome of this answer is uncertain: a person can settle it with POST /api/admin/outreach/sends/:send/resolve',
      { state: send },
    );
  return conflict('this answer is already being sent: it can’t be undone or changed', {
    state: send,
  });
}

/** Why an answer that was handed to its letter is no draft to be edited; null: it is one again. */
export function ruleDraft(state: 'draft' | 'sending' | 'discarded', send: SendState | null): Refusal | null {
  if (state === 'discarded') return conflict('this answer was discarded: write another one');
  if (state === 'draft' || send === null || send === 'cancelled') return null;
  if (CAN_BE_TAKEN_BACK.includes(send))
    return conflict(
      'this answer is queued: withdraw it first with DELETE /api/threads/:thread/answers/:answer/send',
      { state: send },
    );
  return ruleTakeBack(send);
}

/** A person's words stay that person's: whoever sends them later reads a name above them. `agents`: an agent asks. */
export function ruleWhose(author: Named, asks: Named, agents: boolean): Refusal | null {
  if (!agents || (author.kind === asks.kind && author.id === asks.id)) return null;
  return conflict(
    'an agent can only change or discard its own drafts: create one with POST /api/threads/:thread/answers, and a person chooses between them',
  );
}

type Named = Pick<Principal, 'kind' | 'id'>;

export function ruleRevision(
  of: { id: string; revision: number },
  given: number | undefined,
): Refusal | null {
  if (given === of.revision) return null;
  const details = { answer_id: of.id, revision: of.revision };
  return given === undefined
    ? conflict(
        `you already have a draft in this thread: give its revision, ${of.revision}, to replace it, or discard it`,
        details,
      )
    : changedSince('this answer', of.revision, details);
}

/** `waiting`: files of the conversation that no answer carries. */
export function ruleUpload(waiting: number): Refusal | null {
  if (waiting < FILES_WAITING_MAX) return null;
  return conflict(
    `${waiting} uploaded files in this thread aren’t attached to an answer: attach one, or wait; unattached files are deleted after a day`,
  );
}

/** What to do about a hold from the conversation, where that is another thing than with a letter of a campaign. */
export const HELD_FIX: Partial<Record<HoldReason, string>> = {
  approval_stale: 'Move it to drafts, read it and send it again.',
  unsafe_header: 'Move it to drafts and fix the subject, which could forge a header.',
  empty_letter: 'Move it to drafts and add a subject and text.',
  identity_inactive: 'Activate the identity of this conversation.',
};

/** Of an answer that was to go later. */
export const OVERTAKEN_SAYS = 'They wrote again before this reply went out.';

export const FAILED_SAYS =
  'Their mail server refused it. Move it to drafts, fix the address or the text, and send it again.';

const BY_MAIL = ['email', 'form'];

export const NOTHING_TO_ANSWER =
  'this thread has no inbound mail to answer: write a single letter with POST /api/admin/outreach/letters';

/** Whether there is anyone to answer. `theirs`: what a person of theirs wrote last, by mail or in a form. */
export function ruleAnswerable(channel: string, theirs: object | null): Refusal | null {
  if (!BY_MAIL.includes(channel))
    return conflict(
      'answers are sent by email only: log what you say on this channel with POST /api/threads/:thread/touches',
    );
  return theirs ? null : conflict(NOTHING_TO_ANSWER);
}

/** Why no one is there to send it; null: someone is. */
export function senderMissing(sender: { address: string; active: boolean } | null): string | null {
  if (!sender)
    return 'this thread has no identity, or its identity was deleted: write a single letter from another identity with POST /api/admin/outreach/letters';
  return sender.active
    ? null
    : `${sender.address} is not active: someone with permission must activate this identity before this answer can be sent`;
}
