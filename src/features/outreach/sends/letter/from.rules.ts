// The sentence where a letter is in no state from which an act leads (transitions.rules.ts).
import { conflict, type Refusal } from '../../../../kernel/refusal.ts';
import type { ActName, SendState } from './transitions.rules.ts';

/** What an act is called in the sentence that refuses it. */
const CALLED: Record<ActName, string> = {
  queue: 'queued',
  approve: 'approved',
  return: 'returned',
  reject: 'rejected',
  change: 'changed',
  wait: 'put off',
  hold: 'held',
  release: 'let go on',
  cancel: 'cancelled',
  start: 'started',
  accepted: 'sent',
  put_off: 'put off',
  give_back: 'given back',
  failed: 'marked as failed',
  kept_back: 'held',
  called_off: 'cancelled',
  lost: 'marked as uncertain',
  again: 'sent again',
  went: 'resolved',
  did_not_go: 'resolved',
};

const STANDS: Record<SendState, string> = {
  drafted: 'it is a draft: edit it and it comes to review',
  review: 'it waits in review',
  scheduled: 'it is on its way, and starts when it is due',
  sending: 'it is being sent right now',
  sent: 'it was sent',
  held: 'a gate holds it: read the letter for what lifts that',
  cancelled: 'it was cancelled: draft another one',
  failed: 'it failed: send it again with resend, or draft another one',
  uncertain: 'nobody knows yet whether it went out: a person says so with resolve',
};

export const refusal = ({ state }: { state: SendState }, { kind }: { kind: ActName }): Refusal =>
  conflict(`this letter cannot be ${CALLED[kind]}: ${STANDS[state]}`, { state });
