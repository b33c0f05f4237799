// One connection to one mail server: opened, encrypted and signed in, then given letters one after another. The
// library speaks SMTP; deadlines and the meaning of errors are decided here.
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Secret } from '../../kernel/secret.ts';
import { trusting } from '../../net/trust.ts';
import { tlsFaultOf } from '../../net/tls-fault.ts';
import { deliver } from './deliver.ts';
import { openDialogue, type Dialogue } from './dialogue.ts';
import { openEnvelopeTrial, type EnvelopeAnswer, type EnvelopeTrial } from './envelope.ts';
import { expiredAt, SMTP_STARTS } from './expiry.ts';
import { codeIn, outcomeOfReply } from './reply.ts';
import { openSocket, type Place } from './socket.ts';
import type { Envelope, Outcome, OutgoingLetter, Peer, Stage } from './transport.ts';

/** `tls` from the first byte (465), or STARTTLS, which is then required. Without encryption no one signs in. */
export type Access =
  | { security: 'tls' | 'starttls'; login: { user: string; password: Secret } | null }
  | { security: 'plain'; login: null };

export type SessionOptions = Place & {
  access: Access;
  /** Whose words a refusal is. */
  peer: Peer;
  /** The name that we give in EHLO: whole, and leading back here (RFC 5321 section 4.1.1.1). */
  ehlo_name: string;
  deadlines: Deadlines;
};

export type Deadlines = {
  connectMs: number;
  /** From the connection to its first letter: greeting, TLS, signing in; also for RSET. */
  setupMs: number;
  /** From MAIL to the word that the letter may come. Hosts are known to make strangers wait on purpose. */
  envelopeMs: number;
  /** While the letter goes out: for each next piece to be taken. */
  pieceMs: number;
  /** From the end of the letter to the reply. Hosts look through it first; giving up here costs a person's time. */
  finalMs: number;
};

/** Shorter than RFC 5321 section 4.5.3.2 advises where nothing is lost by trying again, and as long as it can be at the end. */
export const DEADLINES: Deadlines = {
  connectMs: 15_000,
  setupMs: 45_000,
  envelopeMs: 120_000,
  pieceMs: 60_000,
  finalMs: 300_000,
};

/** What must go well, in words of a session, before a letter can leave. */
export type Rung = 'address' | 'connect' | 'encryption' | 'hello' | 'sign_in';

export type Session = {
  deliver(letter: OutgoingLetter): Promise<Outcome>;
  /** Whether a letter with this envelope would be taken; none is given. */
  tryEnvelope(envelope: Envelope): Promise<EnvelopeAnswer>;
  /** Whether the connection can carry another letter. */
  reset(): Promise<boolean>;
  isOpen(): boolean;
  /** Says goodbye and is gone soon. */
  end(): Promise<void>;
};

export type OpenedSession =
  | { ok: true; session: Session }
  | { ok: false; rung: Rung; outcome: Outcome; sentence: string | null };

/** A host that does not answer QUIT is left. */
const GOODBYE_MS = 1_000;
/** A reply is a few lines; more is not a mail server, or no friend. */
const LONGEST_REPLY_BYTES = 64 * 1024;
/** The library has one deadline for silence. Ours are all shorter. */
const NEVER_MS = 2_000_000_000;

export async function openSession(options: SessionOptions, signal?: AbortSignal): Promise<OpenedSession> {
  const { access, deadlines } = options;
  // Before the socket is open, whose first words no one would hear meanwhile.
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const opened = await openSocket(options, deadlines.connectMs, signal);
  if (!opened.ok) {
    const { why, sentence } = opened;
    const rung = why === 'address' || why === 'dns' ? 'address' : 'connect';
    return { ok: false, rung, outcome: { outcome: 'unreachable', why }, sentence };
  }
  const dialogue = openDialogue();
  const trial = openEnvelopeTrial(options.peer);
  const connection = new Connection({
    connection: opened.socket,
    host: opened.host,
    port: options.port,
    name: options.ehlo_name,
    secure: access.security === 'tls',
    requireTLS: access.security === 'starttls',
    ignoreTLS: access.security === 'plain',
    // Stated, so that nothing in the environment of the host turns it off.
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...trusting(options.ca ?? []) },
    connectionTimeout: NEVER_MS,
    greetingTimeout: NEVER_MS,
    socketTimeout: NEVER_MS,
    socketCloseTimeout: 0,
    maxResponseSize: LONGEST_REPLY_BYTES,
    customAuth: trial.customAuth,
    logger: dialogue.logger,
    transactionLog: true,
  });
  const failed = await setUp(connection, dialogue, options, signal);
  if (failed) {
    connection.close();
    return { ok: false, ...failed, outcome: await withExpiry(failed.outcome, options), sentence: null };
  }
  return { ok: true, session: sessionOver(connection, dialogue, trial, options) };
}

/** Of an expired certificate, since when: whoever is to renew it is told. */
async function withExpiry(outcome: Outcome, options: SessionOptions): Promise<Outcome> {
  if (outcome.outcome !== 'insecure' || outcome.fault !== 'certificate_expired') return outcome;
  const starts = options.access.security === 'tls' ? 'tls' : SMTP_STARTS;
  return { ...outcome, expired_at: await expiredAt(options, starts, options.deadlines.connectMs) };
}

type Failed = { rung: Rung; outcome: Outcome };

async function setUp(
  connection: SMTPConnection,
  dialogue: Dialogue,
  { access, peer, deadlines: { setupMs } }: SessionOptions,
  signal?: AbortSignal,
): Promise<Failed | null> {
  const { promise, resolve } = Promise.withResolvers<Failed | null>();
  let signing = false;
  const whereNow = (): Rung => (signing ? 'sign_in' : connection.upgrading ? 'encryption' : 'hello');
  const fail = (error: SMTPConnection.SMTPError): void => {
    const isTls = error.code === 'ETLS' || connection.upgrading === true;
    resolve({
      rung: isTls ? 'encryption' : whereNow(),
      outcome: outcomeOfSetup(error, peer, isTls, signing),
    });
  };
  // Errors come to whoever listens, and would end the process if no one did: so one listener stays for good.
  connection.on('error', fail);
  const timer = setTimeout(
    () => resolve({ rung: whereNow(), outcome: { outcome: 'unreachable', why: 'timeout' } }),
    setupMs,
  );
  const onCut = (): void =>
    resolve({ rung: whereNow(), outcome: { outcome: 'unreachable', why: 'dropped' } });
  signal?.addEventListener('abort', onCut);
  if (signal?.aborted) onCut();

  connection.connect((error) => {
    if (error) return fail(error);
    if (!access.login) return resolve(null);
    signing = true;
    // Nothing was offered to sign in with: the password stays here.
    if (!connection.allowsAuth || !dialogue.offers('AUTH'))
      return resolve({
        rung: 'sign_in',
        outcome: { outcome: 'auth_refused', code: null, enhanced: null, said: null },
      });
    const { user, password } = access.login;
    connection.login({ user, pass: password.reveal() }, (refused) =>
      refused ? fail(refused) : resolve(null),
    );
  });
  const failed = await promise;
  clearTimeout(timer);
  signal?.removeEventListener('abort', onCut);
  return failed;
}

function outcomeOfSetup(
  error: SMTPConnection.SMTPError,
  peer: Peer,
  isTls: boolean,
  signing: boolean,
): Outcome {
  const stage: Stage = signing ? 'auth' : 'connect';
  const said =
    error.response && error.code !== 'ETIMEDOUT' ? outcomeOfReply(error.response, { peer, stage }) : null;
  if (isTls) {
    if (said?.outcome === 'deferred' && codeIn(error.response ?? '') < 500) return said;
    const fault = said || error.response ? 'tls_missing' : tlsFaultOf(asNode(error));
    return fault ? { outcome: 'insecure', fault, expired_at: null } : { outcome: 'unreachable', why: 'tls' };
  }
  if (said) return said;
  if (error.code === 'EAUTH') return { outcome: 'auth_refused', code: null, enhanced: null, said: null };
  if (error.code === 'EPROTOCOL') return { outcome: 'unreachable', why: 'protocol' };
  return { outcome: 'unreachable', why: error.code === 'ETIMEDOUT' ? 'timeout' : 'dropped' };
}

/** The error as node gave it, before the library put its own code in place. */
const asNode = ({ originalCode }: SMTPConnection.SMTPError): Error =>
  Object.assign(new Error('tls'), { code: originalCode });

function sessionOver(
  connection: SMTPConnection,
  dialogue: Dialogue,
  trial: EnvelopeTrial,
  { peer, deadlines }: Pick<SessionOptions, 'peer' | 'deadlines'>,
): Session {
  const isOpen = (): boolean => !connection.destroyed;
  return {
    tryEnvelope: (envelope) => trial.ask(connection, envelope, deadlines.envelopeMs),
    deliver: (letter) => deliver(connection, dialogue, letter, { peer, deadlines }),
    isOpen,
    reset: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          connection.close();
          resolve(false);
        }, deadlines.setupMs);
        const end = (isReady: boolean): void => {
          clearTimeout(timer);
          connection.off('end', onEnd);
          if (!isReady) connection.close();
          resolve(isReady);
        };
        const onEnd = (): void => end(false);
        connection.once('end', onEnd);
        connection.reset((error) => end(!error));
      }),
    end: () =>
      new Promise((resolve) => {
        if (!isOpen()) return resolve();
        const timer = setTimeout(() => connection.close(), GOODBYE_MS);
        connection.once('end', () => {
          clearTimeout(timer);
          resolve();
        });
        connection.quit();
      }),
  };
}
