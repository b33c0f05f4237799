// The sentence where a letter is in no state from which an act leads (transitions.rules.ts).
import { conflict, type Refusal } from '../../../../kernel/refusal.ts';
import type { ActName, SendState } from './transitions.rules.ts';

/** What an act is called in the sentence that refuses it. */
const CALLED: Record<ActName, string> = {
  queue: 'queued',
  approve: 'approved',
  unapprove: 'returned to review',
  return: 'returned',
  reject: 'rejected',
  change: 'changed',
  wait: 'postponed',
  hold: 'held',
  release: 'released',
  cancel: 'cancelled',
  start: 'started',
  accepted: 'sent',
  put_off: 'postponed',
  give_back: 'returned to the queue',
  failed: 'marked as failed',
  kept_back: 'held',
  called_off: 'cancelled',
  lost: 'marked as uncertain',
  again: 'sent again',
  went: 'resolved',
  did_not_go: 'resolved',
};

const STANDS: Record<SendState, string> = {
  drafted: 'it is a draft: edit it, and it goes to review',
  review: 'it is in review',
  scheduled: 'it is scheduled and will be sent when it is due',
  sending: 'it is being sent right now',
  sent: 'it was already sent',
  held: 'a gate holds it: read the letter to see what releases it',
  cancelled: 'it was canceled: draft another one',
  failed: 'it failed: resend it, or draft another one',
  uncertain: 'it’s not known whether it was sent: a person can settle that with resolve',
};

export const refusal = ({ state }: { state: SendState }, { kind }: { kind: ActName }): Refusal =>
  conflict(`this letter cannot be ${CALLED[kind]}: ${STANDS[state]}`, { state });
