// An answer as it is shown: a draft shows what would be sent now, a sent answer shows its letter.
import type { Reader } from '../../../kernel/database.ts';
import { waitText } from '../../outreach/sends/letter/reasons.rules.ts';
import { toSend } from '../../outreach/sends/letter/row.ts';
import type { SendRow } from '../../outreach/sends/letter/row.ts';
import type { Caller } from '../../../kernel/caller.ts';
import type { LoadedThread } from '../threads/store.ts';
import { letterOf, readFingerprint } from './letter.ts';
import { around, type Around, onWire } from './around.store.ts';
import type { Answer } from './contract.ts';
import {
  CAN_BE_TAKEN_BACK,
  FAILED_SAYS,
  HELD_FIX,
  OVERTAKEN_SAYS,
  SEND_UNREAD,
  senderMissing,
  stateOf,
  withNewest,
} from './rules.ts';
import { answersOf, draftedBy, type Kept } from './store.ts';

/** Its letter, unless that was called off: then it is a draft again. */
const standing = (send: SendRow | null): SendRow | null => (send?.state === 'cancelled' ? null : send);

export function toAnswer(kept: Kept, at: Around, caller: Caller): Answer {
  const { answer: row, send: written, files, hidden } = kept;
  const send = standing(written);
  const state = stateOf(row.state, send?.state ?? null);
  const draft = letterOf(kept, at.sender);
  const letter = send ?? draft;
  // The fingerprint is over the whole for everyone, so that an answer is the same one whoever reads it.
  const arrives = hidden ? letterOf({ ...kept, quoted: null }, at.sender) : letter;
  const seen = (as: 'to' | 'cc', address: string) => ({
    as,
    address,
    in_thread: at.known.has(onWire(address)?.normalised ?? ''),
  });
  return {
    id: row.id,
    thread_id: row.thread_id,
    draft_by: draftedBy(row),
    subject: row.subject,
    text: row.text,
    html: row.html,
    cc: row.cc,
    quote: row.quotes,
    attachments: files,
    letter: { text: arrives.text, html: arrives.html, quoted: send || hidden ? null : draft.quoted },
    from: send ? toSend(send, caller).from : at.sender && `${at.sender.name} <${at.sender.address}>`,
    recipients: [seen('to', letter.to_address), ...letter.cc.map((each) => seen('cc', each))],
    fingerprint: send ? withNewest(send.fingerprint, at.newest) : readFingerprint(draft, at.newest),
    newer_message: state === 'draft' && row.newer_message,
    state,
    why_not: whyNot(state === 'draft', send, hidden, at),
    hold: send ? holdOf(send, row.newer_message, caller) : null,
    goes_at: send?.state === 'scheduled' ? latest(send.scheduled_for, send.not_before) : null,
    can_take_back: send !== null && CAN_BE_TAKEN_BACK.includes(send.state),
    sent_at: send?.sent_at?.toISOString() ?? null,
    send_id: send?.id ?? null,
    revision: row.revision,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function whyNot(draft: boolean, send: SendRow | null, hidden: boolean, { sender }: Around): string | null {
  if (draft) return senderMissing(sender) ?? (hidden ? SEND_UNREAD : null);
  if (send?.state === 'scheduled' && send.waiting_for) return waitText(send.waiting_for, {}).says;
  return send?.state === 'failed' ? FAILED_SAYS : null;
}

/** What lifts it is said for the conversation, where an answer is undone and not approved again. */
function holdOf(send: SendRow, wroteAgain: boolean, caller: Caller): Answer['hold'] {
  const { hold } = toSend(send, caller);
  if (!hold) return null;
  const overtaken = hold.reason === 'approval_stale' && wroteAgain;
  return {
    ...hold,
    sentence: overtaken ? OVERTAKEN_SAYS : hold.sentence,
    fix: HELD_FIX[hold.reason] ?? hold.fix,
  };
}

const latest = (a: Date | null, b: Date | null): string | null =>
  (a && b ? (a > b ? a : b) : (a ?? b))?.toISOString() ?? null;

/**
 * The newest answer of a conversation that has not gone, for whoever shows the conversation; null where there is none. The
 * thread is a loaded one: whoever may read it may read what is drafted in it.
 */
export async function liveDraftOf(db: Reader, thread: LoadedThread, caller: Caller): Promise<Answer | null> {
  const kept = await answersOf(db, caller, thread, null, 20);
  if (kept.length === 0) return null;
  const at = await around(db, thread);
  const shown = kept.map((each) => toAnswer(each, at, caller));
  return shown.find(({ state }) => ['draft', 'sending', 'held'].includes(state)) ?? null;
}
