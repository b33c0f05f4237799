// What can go wrong with somebody else's mailbox, as a closed list, and each in a sentence of ours. A server's own words
// never come out of here.
import { codeOf, errorOf } from '../../net/post-error.ts';

export type ImapTrouble =
  | 'address' // the host, or where its name leads, may not be called from here
  | 'dns' // the name leads nowhere now
  | 'refused' // nobody listens, or no road there
  | 'timeout' // it did not answer in time, or went on dripping
  | 'tls' // no encryption, or none that both speak
  | 'certificate' // encryption with somebody whose name cannot be trusted
  | 'dropped' // the connection broke off
  | 'protocol' // what answers does not speak IMAP as it must
  | 'auth' // user name or password
  | 'folder' // there is no mailbox of that name
  | 'too_much'; // it said more than we take

export const IMAP_SAYS: Record<ImapTrouble, string> = {
  address: 'That mail server is at an address that may not be called from here: give a public one.',
  dns: 'The name of the mail server leads nowhere now: check its spelling; it is tried again by itself.',
  refused: 'Nobody takes connections there: check host and port of the mailbox; it is tried again by itself.',
  timeout:
    'The mail server did not answer in time: it is tried again by itself; check host and port if it stays so.',
  tls: 'No encrypted connection came about: port 993 wants TLS from the start, and 143 wants STARTTLS.',
  certificate:
    'The certificate does not belong to that name, has expired, or is not from an authority that is trusted: ask whoever runs the mail server.',
  dropped: 'The mail server ended the connection: it is tried again by itself.',
  protocol: 'What answers there does not speak IMAP: check host and port of the mailbox.',
  auth: 'The mail server refuses the user name or the password of the mailbox: enter them again; many hosts want a password made for programs.',
  folder: 'The mail server has no folder of that name for this user: check the name of the mailbox.',
  too_much:
    'The mail server answered more than is read at once: it is tried again by itself; ask whoever runs it if it stays so.',
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
const NOT_IMAP = /^(ParserError|InvalidResponse|UnexpectedTag|ResponseProcessingFailed|STARTTLS_INJECTION)/;

/** Which of the library's and of node's errors is which; by code and mark alone. */
export function troubleOf(error: unknown): ImapTrouble {
  if (error instanceof ImapBroken) return error.trouble;
  if (!(error instanceof Error)) return 'protocol';
  const code = codeOf(error);
  if ('authenticationFailed' in error && error.authenticationFailed) return 'auth';
  if (TIMEOUTS.test(code)) return 'timeout';
  if (TOO_MUCH.test(code)) return 'too_much';
  const network = errorOf(firstOf(error));
  if (network === 'certificate') return 'certificate';
  if (network === 'tls' || ('tlsFailed' in error && error.tlsFailed)) return 'tls';
  if (ENDED.test(code)) return 'dropped';
  if (NOT_IMAP.test(code) || 'responseStatus' in error) return 'protocol';
  if (network === 'unresolved') return 'dns';
  if (network === 'refused' || network === 'unreachable') return 'refused';
  return 'dropped';
}

/** Several addresses fail as one error that holds theirs. */
const firstOf = (error: Error): Error =>
  error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
