// What can go wrong with someone else’s mailbox, as a closed list, each with a sentence of ours. A server’s own words
// never leave this room.
import { codeOf, errorOf } from '../../net/post-error.ts';
import { type TlsFault, tlsFaultOf } from '../../net/tls-fault.ts';
import { TLS_SAYS } from '../../net/tls-says.ts';

export type ImapTrouble =
  | 'address' // the host, or where its name leads, may not be called from here
  | 'dns' // the name leads nowhere now
  | 'refused' // no one listens, or no route there
  | 'timeout' // it did not answer in time, or went on dripping
  | 'tls' // encryption that did not come about this time
  | TlsFault // encryption that isn't offered, or whose certificate can't be trusted
  | 'dropped' // the connection broke off
  | 'protocol' // what answers does not speak IMAP as it must
  | 'auth' // user name or password
  | 'folder' // there is no mailbox of that name
  | 'not_saved' // it takes no mail into that folder
  | 'too_much'; // it said more than we take

export const IMAP_SAYS: Record<ImapTrouble, string> = {
  address: 'That mail server is at an address that may not be called from here: give a public one.',
  dns: 'The name of the mail server leads nowhere now: check its spelling; it is tried again by itself.',
  refused: 'Connection refused: check the mailbox’s host and port. Retrying automatically.',
  timeout:
    'The mail server did not answer in time: it is tried again by itself; check host and port if it stays so.',
  tls: 'The encrypted connection broke off before it was set up: it is tried again by itself.',
  certificate_expired: TLS_SAYS.certificate_expired(''),
  certificate_name: TLS_SAYS.certificate_name(''),
  certificate_untrusted: TLS_SAYS.certificate_untrusted(''),
  tls_missing: TLS_SAYS.tls_missing(''),
  dropped: 'The mail server ended the connection: it is tried again by itself.',
  protocol: 'What answers there does not speak IMAP: check host and port of the mailbox.',
  auth: 'The mail server refuses the user name or the password of the mailbox: enter them again; many hosts want a password made for programs.',
  folder: 'The mail server has no folder of that name for this user: check the name of the mailbox.',
  not_saved: 'The mail server saves no mail in that folder: check the quota and the rights of the mailbox.',
  too_much:
    'The mail server’s response was too long. Retrying automatically; if it continues, ask your mail provider.',
};

/** The one thing that a session throws. */
export class ImapBroken extends Error {
  readonly trouble: ImapTrouble;

  constructor(trouble: ImapTrouble) {
    super(`imap: ${trouble}`);
    this.trouble = trouble;
  }
}

const TIMEOUTS = /^(CONNECT_TIMEOUT|GREETING_TIMEOUT|UPGRADE_TIMEOUT|ETIMEOUT|ETIMEDOUT|ETHROTTLE)$/;
const TOO_MUCH = /^(LineTooLarge|LiteralTooLarge|ResponseTooLarge|MAX_IMAP_NESTING_REACHED)$/;
const ENDED = /^(NoConnection|EConnectionClosed|StateLogout|ClosedAfterConnectText|ClosedAfterConnectTLS)$/;
const BROKEN = /^(NoConnection$|EConnection|Closed|E(CONN|PIPE))/;
const NOT_IMAP = /^(ParserError|InvalidResponse|UnexpectedTag|ResponseProcessingFailed|STARTTLS_INJECTION)/;

/** Which of the library's and of node's errors is which; by code and mark alone. */
export function troubleOf(error: unknown): ImapTrouble {
  if (error instanceof ImapBroken) return error.trouble;
  if (!(error instanceof Error)) return 'protocol';
  const code = codeOf(error);
  if ('authenticationFailed' in error && error.authenticationFailed) return 'auth';
  if (TIMEOUTS.test(code)) return 'timeout';
  if (TOO_MUCH.test(code)) return 'too_much';
  const fault = tlsFaultOf(firstOf(error));
  if (fault) return fault;
  const network = errorOf(firstOf(error));
  if ('tlsFailed' in error && error.tlsFailed) return BROKEN.test(code) ? 'tls' : 'tls_missing';
  if (ENDED.test(code)) return 'dropped';
  if (NOT_IMAP.test(code) || 'responseStatus' in error) return 'protocol';
  if (network === 'unresolved') return 'dns';
  if (network === 'refused' || network === 'unreachable') return 'refused';
  return 'dropped';
}

/** Several addresses fail as one error that holds theirs. */
const firstOf = (error: Error): Error =>
  error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
