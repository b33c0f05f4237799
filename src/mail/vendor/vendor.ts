// What every mail vendor provides, so that a new one needs no change elsewhere: a letter transport, a webhook it can
// be asked to register, and reports that it signs. None of a vendor’s text is passed on.
import type { Secret } from '../../kernel/secret.ts';
import type { Reach } from '../../net/ask.ts';
import type { DiagnosticClass } from '../reports/report.ts';
import type { Transport } from '../transport/transport.ts';

/** An account at a vendor, and how it is reached. */
export type Account = {
  /** As it was checked; without a slash at its end. */
  base_url: string;
  key: Secret;
  reach: Reach;
  /** `Dunnock/1.2.3` */
  agent: string;
};

export type RefusedWhy =
  /** The vendor does not know the key, or gave it no right to this. */
  | 'key'
  /** There is no such webhook, or nothing is left of it. */
  | 'gone'
  /** The vendor does not take what was asked. */
  | 'refused'
  /** Too much was asked, or too often. */
  | 'busy'
  | 'unreachable';

export type Asked<T> = { ok: true; value: T } | { ok: false; why: RefusedWhy };

export type Webhook = { external_id: string; secret: Secret };

/** What a vendor says happened to a letter, in our words. */
export type VendorReport = {
  kind: 'accepted' | 'delivered' | 'soft' | 'hard' | 'policy' | 'complaint';
  /** The letter's own id, where it was given to the vendor. */
  send_id: string | null;
  /** The Message-ID under which it went, and the vendor's id of it. */
  message_id: string | null;
  external_id: string | null;
  /** Addresses that it is about. */
  recipients: readonly string[];
  status: string | null;
  cause: DiagnosticClass | null;
  /** The receiver's words, or else the vendor's own (src/mail/reports/words.ts). */
  said: string | null;
  at: Date;
};

export type VendorEvent = {
  /** The vendor's name of the kind, at most 100 plain characters. */
  kind: string;
  /** Null: of no meaning for letters. */
  report: VendorReport | null;
  /** Mail that came in, which is fetched afterwards; null: it speaks of none. */
  received: ReceivedMail | null;
};

/** Mail that a vendor took for us: its name there, and the addresses that it came to. */
export type ReceivedMail = { external_id: string; delivered_to: readonly string[]; at: Date };

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export type Vendor = {
  provider: string;
  /** Kinds of event that a webhook of it can carry, in the vendor's names; those that are asked for where none are named. */
  events: readonly string[];
  /** Those of them without which people would go on being written to: asked for always. */
  protecting: readonly string[];
  openTransport(account: Account): Transport;
  /** Whether the key is good, by a question that changes nothing. */
  probe(account: Account): Promise<Asked<null>>;
  /** Safe to ask twice: a webhook of this address that is there already is the one. */
  createWebhook(account: Account, url: string, events: readonly string[]): Promise<Asked<Webhook>>;
  rotateSecret(account: Account, external_id: string): Promise<Asked<Webhook>>;
  removeWebhook(account: Account, external_id: string): Promise<Asked<null>>;
  /** Mail that it took, byte for byte, up to a limit; `refused` where it is longer. */
  fetchMail(
    account: Account,
    external_id: string,
    limitBytes: number,
    signal?: AbortSignal,
  ): Promise<Asked<Buffer>>;
  /** For how long it signs with the secret before a rotation too. */
  rotation_ms: number;
  /** Whether a post bears what a signature needs: asked before its body is read. */
  claimsSignature(headers: Headers): boolean;
  /** The vendor's id of the event, where one of the secrets signed this body lately; null: it did not. */
  verify(headers: Headers, body: Buffer, secrets: readonly Secret[], now: Date): string | null;
  /** Null: nothing that it would send. */
  read(body: Buffer, now: Date): VendorEvent | null;
};
