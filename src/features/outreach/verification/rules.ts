// What the reasons of a verdict say to people, and how much of strangers may be asked. Pure.
import type { Rung, VerdictReason } from '../../../mail/probe/verdict.rules.ts';
import type { Verified } from './contract.ts';

/** `hard_bounce` is the word of the reports; the others are the ladder's. `out_of_time`: asked for too many at once. */
const SAYS: Record<VerdictReason | 'hard_bounce' | 'out_of_time' | 'not_asked_yet', string> = {
  syntax: 'Mail can’t be sent to this address.',
  domain_absent: 'Its domain does not exist.',
  no_mail_host: 'Its domain takes no mail.',
  mailbox_absent: 'Its mail host says the mailbox doesn’t exist.',
  hard_bounced: 'A letter to it came back for good in the last 90 days.',
  hard_bounce: 'A letter to it came back for good.',
  accepted: 'Its mail host knows the mailbox and refuses made-up ones.',
  history: 'A letter to it arrived in the last 90 days.',
  catch_all: 'Its mail host accepts every address, so it can’t be verified.',
  role: 'It belongs to a function and not to a person.',
  disposable: 'Its domain hands out mailboxes to be thrown away.',
  mailbox_full: 'The mailbox exists and is full.',
  dns_unavailable: 'The name server did not answer: nothing is known of the mailbox. Ask again later.',
  network_unreachable:
    'Its mail host could not be reached from our network, which says nothing of the mailbox. Many networks close port 25.',
  mx_unresolved: 'The mail hosts that its domain names have no address.',
  not_asked: 'Not checked: while sending is off or in development, this instance contacts no mail hosts.',
  address_not_allowed: 'Its mail host is on a private network that this instance may not contact.',
  address_unsupported: 'Its mail host does not take addresses in other alphabets.',
  policy_refused: 'Its mail host refused us, which says nothing of the mailbox.',
  greylisted: 'Its mail host asked us to come back later.',
  tls_broken: 'The encrypted connection to its mail host broke off.',
  no_answer: 'Its mail host was reached and said nothing that could be understood.',
  unclear: 'Its mail host said nothing certain of the mailbox.',
  out_of_time: 'There was no time left to ask for this one: ask for it again, with fewer beside it.',
  not_asked_yet: 'Its mail host hasn’t been asked yet: verify it with action=check.',
};

export const sentenceOf = (reason: string): string =>
  Object.hasOwn(SAYS, reason) ? SAYS[reason as keyof typeof SAYS] : SAYS.unclear;

/** Addresses that belong to no one here: each costs strangers a question, so one caller has so many an hour. */
export const STRANGERS_AN_HOUR = 300;

export type VerificationAccount = {
  verdict: Verified['verdict'];
  reason: string;
  rungs: readonly Rung[];
  checked_at: Date;
  expires_at: Date;
  /** A later asking that came to nothing: it changes no verdict. */
  unknown_at?: Date | null;
  unknown_reason?: string | null;
};

/**
 * What is after an asking: UNKNOWN is trouble of ours (no name server, no port 25) and says nothing of the mailbox, so it
 * is beside a verdict that is known, with its time, and never in its place.
 */
export const standingAfter = <A extends VerificationAccount>(known: A | undefined, found: A): A =>
  known === undefined || known.verdict === 'UNKNOWN' || found.verdict !== 'UNKNOWN'
    ? found
    : {
        ...known,
        expires_at: found.expires_at,
        unknown_at: found.checked_at,
        unknown_reason: found.reason,
      };

/** What is told of an address of which nothing was found out. */
export const unasked = (address: string, reason: 'out_of_time' | 'not_asked_yet'): Verified => ({
  address,
  verdict: 'UNKNOWN',
  reason,
  sentence: sentenceOf(reason),
  rungs: [],
  checked_at: null,
  expires_at: null,
  unknown: null,
  kept: false,
  person_id: null,
  send_id: null,
});

export const told = (address: string, account: VerificationAccount, kept: boolean): Verified => ({
  ...unasked(address, 'not_asked_yet'),
  verdict: account.verdict,
  reason: account.reason,
  sentence: sentenceOf(account.reason),
  rungs: [...account.rungs],
  checked_at: account.checked_at.toISOString(),
  expires_at: account.expires_at.toISOString(),
  unknown:
    account.unknown_at && account.unknown_reason
      ? {
          at: account.unknown_at.toISOString(),
          reason: account.unknown_reason,
          sentence: sentenceOf(account.unknown_reason),
        }
      : null,
  kept,
});

/** As of an address that no letter ever went to. */
export const NO_LETTERS = { hard_bounced_at: null, delivered_at: null, replied_at: null } as const;

/** Whether a verdict goes by what real letters met, which tells that someone here has the address. */
export const tellsOfLetters = ({ reason, rungs }: VerificationAccount): boolean =>
  reason === 'hard_bounce' ||
  reason === 'hard_bounced' ||
  rungs.some(({ rung, outcome }) => rung === 'history' && outcome !== 'skipped');
