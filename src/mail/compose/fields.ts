// Valid values for a letter’s header fields. A field that could end its header line, or tell a receiver something
// other than what its author wrote, refuses the letter; nothing is repaired silently.
import { parseAddress, type Address } from '../address.rules.ts';
import type { Letter } from './letter.ts';

export type Mailbox = { name: string | null; address: string };

/** `field` is ours: the name of the field of the letter, never what was in it. */
export type Unsafe = { ok: false; reason: 'unsafe_header' | 'address_unsupported'; field: string };

/** Controls of C0 and C1 with CR, LF, NUL and tab, the line separators of Unicode, and halves of characters. */
const UNSAFE = /[\p{Cc}\u2028\u2029\p{Cs}]/u;

const MESSAGE_ID = /^<[!-;=?A-~]+@[!-;=?-~]+>$/;
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,62}$/i;
/** Printable ASCII without what ends an address in angle brackets. */
const URI = /^[!-;=?-~]+$/;
/** A line has at most 998 octets (RFC 5322 section 2.1.1), and these cannot be folded inside. */
const LONGEST_TOKEN = 900;
/** RFC 5322 sets no limit; a subject or a name longer than this is a body in the wrong field. */
const LONGEST_TEXT = 998;

export const mailboxOf = (text: string): Address | null => {
  const parsed = parseAddress(text);
  return parsed.ok ? parsed.address : null;
};

export const isMessageId = (text: string): boolean => MESSAGE_ID.test(text) && text.length <= LONGEST_TOKEN;

export function findUnsafe(letter: Letter): Unsafe | null {
  const { from, reply_to, to, cc, list_unsubscribe, attachments, dkim } = letter;
  const mailboxes: [string, Mailbox][] = [
    ['from', from],
    ...(reply_to ? [['reply_to', reply_to] as [string, Mailbox]] : []),
    ...to.map((each): [string, Mailbox] => ['to', each]),
    ...cc.map((each): [string, Mailbox] => ['cc', each]),
  ];
  for (const [field, { name, address }] of mailboxes) {
    if (!isText(name ?? '') || UNSAFE.test(address)) return unsafe(field);
    const mailbox = mailboxOf(address);
    if (!mailbox) return { ok: false, reason: 'address_unsupported', field };
    // Our own addresses stay ASCII: the envelope is, and one header in UTF-8 alone would need SMTPUTF8 of every receiver.
    const ours = field === 'from' || field === 'reply_to';
    if (ours && mailbox.utf8_local) return { ok: false, reason: 'address_unsupported', field };
  }
  if (to.length === 0) return unsafe('to');
  if (!isText(letter.subject)) return unsafe('subject');
  if (!isMessageId(letter.message_id)) return unsafe('message_id');
  if (Number.isNaN(letter.date.getTime())) return unsafe('date');
  if (letter.in_reply_to !== null && !isMessageId(letter.in_reply_to)) return unsafe('in_reply_to');
  if (!letter.references.every(isMessageId)) return unsafe('references');
  if (letter.feedback_id !== null && !isToken(letter.feedback_id)) return unsafe('feedback_id');
  const { url = null, mailto = null } = list_unsubscribe ?? {};
  if (url !== null && !(isToken(url) && url.startsWith('https://'))) return unsafe('list_unsubscribe');
  if (mailto !== null && !(isToken(mailto) && mailto.startsWith('mailto:')))
    return unsafe('list_unsubscribe');
  if (dkim && !/^[a-z0-9.-]+$/i.test(dkim.domain + dkim.selector)) return unsafe('dkim');
  const bad = attachments.some(
    ({ filename, content_type }) =>
      filename === '' || !isText(filename) || !MEDIA_TYPE.test(content_type) || isFrame(content_type),
  );
  return bad ? unsafe('attachments') : null;
}

/** Kinds that carry a structure of their own: given as an attachment they would change the letter around them. */
const isFrame = (contentType: string): boolean => /^(multipart|message)\//i.test(contentType);

const isText = (text: string): boolean => text.length <= LONGEST_TEXT && !UNSAFE.test(text);
const isToken = (text: string): boolean => text.length <= LONGEST_TOKEN && URI.test(text);
const unsafe = (field: string): Unsafe => ({ ok: false, reason: 'unsafe_header', field });
