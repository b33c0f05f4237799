// What the reasons of a verdict say to people, and how much of strangers may be asked. Pure.
import type { Rung, VerdictReason } from '../../../mail/probe/verdict.rules.ts';
import type { Verified } from './contract.ts';

/** `hard_bounce` is the word of the reports; the others are the ladder's. `out_of_time`: asked for too many at once. */
const SAYS: Record<VerdictReason | 'hard_bounce' | 'out_of_time' | 'not_asked_yet', string> = {
  syntax: 'This isn’t a valid email address.',
  domain_absent: 'The domain doesn’t exist.',
  no_mail_host: 'The domain doesn’t accept mail.',
  mailbox_absent: 'The mail host says that the mailbox doesn’t exist.',
  hard_bounced: 'A letter to this address hard-bounced in the last 90 days.',
  hard_bounce: 'A letter to this address hard-bounced.',
  accepted: 'The mail host accepts this mailbox and rejects made-up ones.',
  history: 'A letter to this address was delivered in the last 90 days.',
  catch_all: 'The mail host accepts every address, so this one can’t be verified.',
  role: 'This is a role address, such as info@, and not a person’s.',
  disposable: 'The domain offers disposable mailboxes.',
  mailbox_full: 'The mailbox exists and is full.',
  dns_unavailable: 'The DNS server didn’t answer, so nothing is known about the mailbox. Check again later.',
  network_unreachable:
    'This instance couldn’t reach the mail host, so nothing is known about the mailbox. Many networks block port 25.',
  mx_unresolved: 'The domain’s mail hosts have no IP address.',
  not_asked: 'Not checked: while sending is off or in development, this instance contacts no mail hosts.',
  address_not_allowed: 'The mail host is on a private network that this instance can’t contact.',
  address_unsupported: 'The mail host doesn’t support international addresses.',
  policy_refused: 'The mail host refused the check, so nothing is known about the mailbox.',
  greylisted: 'The mail host asked to be checked again later.',
  tls_broken: 'The encrypted connection to the mail host failed.',
  no_answer: 'The mail host’s answer couldn’t be understood.',
  unclear: 'The mail host gave no clear answer about the mailbox.',
  out_of_time: 'There was no time left to check this address. Check it again with fewer addresses.',
  not_asked_yet: 'This address hasn’t been checked yet. Verify it with action=check.',
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
