// What happens to an email that wasn’t sent, and the sentence shown for it. Pure.
import { HOUR_MS, MINUTE_MS } from '../../../kernel/clock.ts';
import type { Outcome } from '../../../mail/transport/transport.ts';

const LADDER_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS];

/** After so many attempts; the last rung is climbed until what the mail says is worth nothing any more. */
export const waitMs = (attempts: number): number =>
  LADDER_MS[Math.min(Math.max(attempts, 1), LADDER_MS.length) - 1] ?? HOUR_MS;

export type Trouble =
  | 'not_set_up'
  | 'sign_in'
  | 'unreachable'
  | 'encryption'
  | 'deferred'
  | 'refused'
  | 'broken_off'
  | 'unwritable'
  | 'too_late';

export type Ruled = { state: 'sent' } | { state: 'waiting' | 'failed'; trouble: Trouble };

/**
 * Another copy of a link does no harm, so what may or may not have arrived is sent again. Nothing is given up that someone
 * could repair, but an address that is refused for good is.
 */
export function ruleOutcome(outcome: Outcome): Ruled {
  switch (outcome.outcome) {
    case 'accepted':
      return { state: 'sent' };
    case 'refused':
      return { state: outcome.about === 'sender' ? 'waiting' : 'failed', trouble: 'refused' };
    case 'address_unsupported':
      return { state: 'failed', trouble: 'refused' };
    case 'auth_refused':
      return { state: 'waiting', trouble: 'sign_in' };
    case 'unreachable':
      return {
        state: 'waiting',
        trouble: outcome.why === 'tls' || outcome.why === 'certificate' ? 'encryption' : 'unreachable',
      };
    case 'insecure':
      return { state: 'waiting', trouble: 'encryption' };
    case 'deferred':
      return { state: 'waiting', trouble: 'deferred' };
    case 'not_sent':
    case 'uncertain':
      return { state: 'waiting', trouble: 'broken_off' };
  }
}

const SAYS: Record<Trouble, string> = {
  not_set_up: 'Instance mail isn’t set up.',
  sign_in: 'The mail server rejected the user name or password. Enter them again.',
  unreachable:
    'The mail server can’t be reached. Check its host and port, and whether this network allows the connection.',
  encryption:
    'The mail server doesn’t support the selected encryption, or its certificate isn’t valid for this host.',
  deferred: 'The mail server asked Dunnock to try again later. Dunnock will retry.',
  refused: 'The mail server refused the email. Check the sender and recipient addresses.',
  broken_off: 'The connection was lost before the email was accepted. Dunnock will retry.',
  unwritable: 'The email couldn’t be written. Check the sender name and address.',
  too_late: 'The email wasn’t sent before its link expired.',
};

export const sentenceOf = (trouble: string): string =>
  Object.hasOwn(SAYS, trouble) ? SAYS[trouble as Trouble] : SAYS.unreachable;
