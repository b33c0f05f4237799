// The envelope sender of one letter, which tells whose a bounce is: its send’s id under a keyed checksum, on the
// sending domain so that SPF aligns. Lower case throughout, because relays change the case of mailbox names.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid } from '../../kernel/ids.ts';
import type { Secret } from '../../kernel/secret.ts';

const PREFIX = 'bounce+';
/** 64 bits: no one guesses one for a report, and the mailbox stays within its 64 octets. */
const CHECKSUM_DIGITS = 16;

/** `bounce+<id>.<checksum>@domain`. `domain` is ASCII. */
export function verp(sendId: string, key: Secret, domain: string): string {
  const id = sendId.toLowerCase();
  const at = domain.toLowerCase();
  return `${PREFIX}${id}.${checksum(id, key, at)}@${at}`;
}

/**
 * The id of the send that this address was made for, or null when it was not made by us. Whoever sends `bounce@` on to another
 * mailbox puts that one's name in front of the plus, and keeps what is behind it.
 */
export function readVerp(address: string, key: Secret): string | null {
  const [, id, sum, domain] =
    /^[^+@\s]{1,64}\+([0-9a-f-]{36})\.([0-9a-f]{16})@([a-z0-9.-]{1,253})$/.exec(
      address.trim().toLowerCase(),
    ) ?? [];
  if (id === undefined || sum === undefined || domain === undefined || !isUuid(id)) return null;
  const right = Buffer.from(checksum(id, key, domain));
  return timingSafeEqual(right, Buffer.from(sum)) ? id : null;
}

/** What the header of a letter asks to be written when someone unsubscribes by mail: whose letter it was, whoever writes. */
export const unsubscribeMark = (sendId: string, key: Secret): string =>
  `${sendId.toLowerCase()}.${checksum(sendId.toLowerCase(), key, MARKED)}`;

/** An id, a dot and a sum. */
const MARK_CHARS = 36 + 1 + 16;

/** The id of the send that a subject names so, or null. */
export function readUnsubscribeMark(subject: string, key: Secret): string | null {
  const [, id, sum] =
    /^([0-9a-f-]{36})\.([0-9a-f]{16})$/.exec(
      subject.trim().toLowerCase().slice(0, 200).trimEnd().slice(-MARK_CHARS),
    ) ?? [];
  if (id === undefined || sum === undefined || !isUuid(id)) return null;
  return timingSafeEqual(Buffer.from(checksum(id, key, MARKED)), Buffer.from(sum)) ? id : null;
}

/** In the place of an address's domain: a mark is valid for no envelope, and no envelope for a mark. */
const MARKED = 'unsubscribe';

const checksum = (id: string, key: Secret, domain: string): string =>
  createHmac('sha256', key.reveal()).update(`verp\n${id}\n${domain}`).digest('hex').slice(0, CHECKSUM_DIGITS);
