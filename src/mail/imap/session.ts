// One connection to one mailbox: opened only to checked addresses, encrypted and verified, signed in, and limited in
// time and size at every step. The library speaks IMAP; waiting times and the meaning of errors are decided here.
import type { ImapFlow } from 'imapflow';
import { SECOND_MS } from '../../kernel/clock.ts';
import type { Secret } from '../../kernel/secret.ts';
import { isAddress } from '../../net/address.ts';
import { pinnedLookup } from '../../net/pin.ts';
import { admitHost, type Lookup } from '../../net/resolve.ts';
import type { AllowedHosts } from '../../net/switches.ts';
import { TLS_SAYS, expiredOn } from '../../net/tls-says.ts';
import { trusting } from '../../net/trust.ts';
import { expiredAt, IMAP_STARTS } from '../transport/expiry.ts';
import { sessionOver, type ImapSession } from './steps.ts';
import { type ImapTrouble, troubleOf } from './trouble.ts';

export type ImapOptions = {
  host: string;
  port: number;
  /** TLS from the first byte (993), or STARTTLS, which is then required. */
  security: 'tls' | 'starttls';
  user: string;
  password: Secret;
  /** Of SERVICE_ALLOW_PRIVATE_HOSTS. */
  allowedHosts: AllowedHosts;
  lookup: Lookup;
  /** Of SERVICE_MAIL_CA_FILE. */
  ca?: readonly string[];
  limits?: Partial<ImapLimits>;
};

export type ImapLimits = {
  connectMs: number;
  /** From the connection to the mailbox that is signed in to. */
  setupMs: number;
  /** Any one question. */
  stepMs: number;
  /** One mail. */
  mailMs: number;
  /** Of one mail; of a longer one its beginning is taken. */
  mailBytes: number;
  /** All that may come in answer to one question that is no mail. */
  stepBytes: number;
};

export const IMAP_LIMITS: ImapLimits = {
  connectMs: 15 * SECOND_MS,
  setupMs: 45 * SECOND_MS,
  stepMs: 30 * SECOND_MS,
  mailMs: 120 * SECOND_MS,
  mailBytes: 10 * 1024 * 1024,
  stepBytes: 8 * 1024 * 1024,
};

/** How far the incoming connection was open before it broke. */
export type ImapRung = 'address' | 'connect' | 'encryption' | 'sign_in';

export type OpenedImap =
  | { ok: true; session: ImapSession }
  /** `sentence`: why the address is not allowed, as product copy. */
  | { ok: false; rung: ImapRung; trouble: ImapTrouble; sentence: string | null };

/** How long one of several addresses is waited for before the next is tried beside it (RFC 8305). */
const NEXT_ADDRESS = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 };

export async function openImap(options: ImapOptions, signal?: AbortSignal): Promise<OpenedImap> {
  const { host, port, security, user, password, allowedHosts, lookup } = options;
  const limits = { ...IMAP_LIMITS, ...options.limits };
  const failed = (rung: ImapRung, trouble: ImapTrouble, sentence: string | null = null): OpenedImap => ({
    ok: false,
    rung,
    trouble,
    sentence,
  });
  const admitted = await admitHost(host, { allowedHosts }, { lookup });
  if (!admitted.ok) return failed('address', 'address', admitted.sentence);
  const { addresses, host: name } = admitted;
  if (addresses.length === 0) return failed('address', 'dns');
  // Node asks no resolver for a literal, so it is compared here with what was checked.
  if (isAddress(name) && !addresses.includes(name)) return failed('address', 'address');

  // Read where a mailbox is watched: a process that only serves has none.
  const library = await import('imapflow');
  const client = new library.ImapFlow({
    host: name,
    port,
    secure: security === 'tls',
    ...(security === 'starttls' && { doSTARTTLS: true }),
    auth: { user, pass: password.reveal() },
    // Stated, so that nothing in the environment of the host turns it off. These go to the socket, too.
    tls: {
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...trusting(options.ca ?? []),
      lookup: pinnedLookup(addresses),
      ...NEXT_ADDRESS,
    },
    logger: false,
    disableAutoIdle: true,
    // Nothing of theirs is unpacked: what they may send is what is read.
    disableCompression: true,
    clientInfo: { name: 'Dunnock' },
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.setupMs,
    maxLineLength: limits.stepBytes,
    maxLiteralSize: limits.mailBytes + 1,
    maxResponseSize: limits.mailBytes + limits.stepBytes,
  });
  // Errors come to whoever listens, and would end the process if no one did.
  client.on('error', () => undefined);
  const cut = (): void => client.close();
  signal?.addEventListener('abort', cut);
  // The library's own deadlines begin again with every byte: a host that drips would never meet them.
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    client.close();
  }, limits.connectMs + limits.setupMs);
  try {
    if (signal?.aborted) return failed('connect', 'dropped');
    await client.connect();
    // A server that greets a stranger as someone signed in could talk a client out of its encryption (RFC 3501 section 7.1.4).
    if (!client.secureConnection) {
      client.close();
      return failed('encryption', 'tls_missing');
    }
    return { ok: true, session: sessionOver(client, limits) };
  } catch (error) {
    client.close();
    const trouble = late ? 'timeout' : troubleOf(error);
    const rung = rungOf(client, trouble, security);
    if (trouble !== 'certificate_expired') return failed(rung, trouble);
    const starts = security === 'tls' ? 'tls' : IMAP_STARTS;
    const at = await expiredAt(options, starts, limits.connectMs);
    return failed(rung, trouble, TLS_SAYS.certificate_expired(expiredOn(at)));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cut);
  }
}

function rungOf(client: ImapFlow, trouble: ImapTrouble, security: 'tls' | 'starttls'): ImapRung {
  if (trouble === 'auth') return 'sign_in';
  if (trouble === 'tls' || trouble in TLS_SAYS) return 'encryption';
  if (client.stats().received === 0) return 'connect';
  return security === 'starttls' && !client.secureConnection ? 'encryption' : 'sign_in';
}
