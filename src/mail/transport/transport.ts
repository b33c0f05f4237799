// What all letter transports share: their input, and the closed list of outcomes. A host’s words are kept beside the
// outcome as data for people; nothing is decided by them, and no sentence of ours contains them.
import type { TlsFault } from '../../net/tls-fault.ts';
import type { DiagnosticClass } from '../reports/report.ts';

/** Addresses in ASCII, but for international mailboxes of recipients. `from` is the VERP address of the send. */
export type Envelope = { from: string; to: readonly string[] };

export type OutgoingLetter = {
  envelope: Envelope;
  /** As they were composed and stored; never changed on the way. */
  bytes: Uint8Array;
  /** The same for every attempt at one send; for vendors that know such keys. */
  idempotency_key: string;
  /**
   * Awaited when everything but the end of the letter has gone out: commit `sending` here. Until it resolves no one can
   * have taken the letter. If it rejects, the letter is not sent. Called at most once, and always settled before the
   * outcome is given.
   */
  beforeFinalDot: () => Promise<void>;
  /** Cuts off what is open. What was already handed over is then uncertain. */
  signal?: AbortSignal;
};

/** Where in a session a reply came; `final` is the reply to the whole letter. */
export type Stage = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data' | 'final';

/** Of a reply: `550`, and the enhanced code (RFC 3463) where one was given. */
export type ReplyNumbers = { code: number | null; enhanced: string | null };

/** With whom a session is: a server that the operator has an account at, or one that takes mail for the recipient's domain. */
export type Peer = 'submission' | 'exchange';

/** Why a server takes nothing more of an identity. */
export type SenderTrouble = 'credentials' | 'sender_refused' | 'relay_refused' | 'quota' | 'refused';

/**
 * Whom a refusal is about. `hard`: the address is bad. `soft`: full, or away. `policy`: it is about us or the letter, not the
 * address.
 */
export type Blame = { cause: DiagnosticClass } & (
  | { about: 'recipient'; kind: 'hard' | 'soft' | 'policy' }
  | { about: 'content'; kind: 'policy' }
  /** Nothing more of the identity leaves until it is fixed. */
  | { about: 'sender'; kind: 'policy'; trouble: SenderTrouble }
);

/** What the host said, in one line and cut, the addresses of people taken out (src/mail/reports/words.ts); null where it said nothing. */
export type Said = { said: string | null };

export type UnreachableWhy =
  | 'address' // the host, or where its name leads, may not be called from here
  | 'dns' // the name leads nowhere now
  | 'refused' // no one listens, or no route there
  | 'timeout'
  | 'tls' // encryption that did not come about this time
  | 'certificate' // of a vendor: someone whose name cannot be trusted
  | 'dropped' // the connection broke off before the end of the letter
  | 'protocol'; // what answers does not speak SMTP as it must, or wants no mail at all

export type Outcome =
  | {
      outcome: 'accepted';
      /** The Message-ID that the next hop put in place of ours, where it is known to do that: replies will name it. */
      server_message_id: string | null;
      /** The id of the letter at the next hop, for questions to whoever runs it. */
      reference: string | null;
    }
  /** Try again later: no one took the letter. */
  | ({ outcome: 'deferred'; stage: Stage; greylisted: boolean; cause: DiagnosticClass } & ReplyNumbers & Said)
  /** No one took the letter, and trying again would change nothing. */
  | ({
      outcome: 'refused';
      stage: Stage;
      /** The one of `envelope.to` that was refused; null when it was the letter or the sender. */
      recipient: string | null;
    } & Blame &
      ReplyNumbers &
      Said)
  /** User name or password; nothing goes out until they are repaired. */
  | ({ outcome: 'auth_refused' } & ReplyNumbers & Said)
  /** An international mailbox, and a next hop that does not carry them. */
  | { outcome: 'address_unsupported' }
  /** `midway`: the connection was and had taken letters or could have; it broke off over this one. */
  | { outcome: 'unreachable'; why: UnreachableWhy; midway?: true }
  /** Encryption that isn't offered or can't be trusted: nothing goes out until that is fixed. */
  | { outcome: 'insecure'; fault: TlsFault; expired_at: Date | null }
  /** `beforeFinalDot` rejected, or the signal came before it was over: certainly not taken. */
  | { outcome: 'not_sent'; why: 'hook' | 'cut' }
  /** The end of the letter may have arrived and no answer to it did. Never send again by yourself. */
  | { outcome: 'uncertain' };

export type Transport = {
  /** Rejects only for a mistake of ours; whatever the other side does is an outcome. */
  send(letter: OutgoingLetter): Promise<Outcome>;
  /** Ends idle connections, and open ones when their letter is through. */
  close(): Promise<void>;
};
