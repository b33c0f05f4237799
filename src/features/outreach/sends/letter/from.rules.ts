// From which states a letter goes where an act leads, and the sentence where it stands in another (send.rules.ts).
import { conflict, type Refusal } from '../../../../kernel/refusal.ts';
import type { Act, Letter, SendState } from './send.rules.ts';

/** What an act is called in the sentence that refuses it. */
const CALLED: Record<Act['kind'], string> = {
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
  failed: 'marked as failed',
  lost: 'marked as uncertain',
  again: 'sent again',
  resolve: 'resolved',
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

/** Null where the letter is in one of these states; else the sentence that says what it waits for instead. */
export function from(
  letter: Letter,
  states: readonly SendState[],
  { kind }: { kind: Act['kind'] },
): Refusal | null {
  if (states.includes(letter.state)) return null;
  return conflict(`this letter cannot be ${CALLED[kind]}: ${STANDS[letter.state]}`, { state: letter.state });
}
