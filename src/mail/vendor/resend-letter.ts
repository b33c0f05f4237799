// A composed letter in the form of Resend’s API: fields in place of bytes. The vendor signs and encodes it itself;
// what replies, opt-outs and threads depend on is sent as headers.
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import type { OutgoingLetter } from '../transport/transport.ts';
import { SEND_TAG } from './resend-events.ts';

/** Headers of ours that go along; every other is the vendor's to write. */
const CARRIED: Record<string, string> = {
  'message-id': 'Message-ID',
  'in-reply-to': 'In-Reply-To',
  references: 'References',
  'list-unsubscribe': 'List-Unsubscribe',
  'list-unsubscribe-post': 'List-Unsubscribe-Post',
  'feedback-id': 'Feedback-ID',
};

/** The same bytes always give the same text: a key that is used again with another is refused. */
export async function bodyOf({ envelope, bytes, idempotency_key }: OutgoingLetter): Promise<string> {
  const letter = await PostalMime.parse(bytes);
  const cc = addressesOf(letter.cc);
  const isCopied = (address: string) => cc.includes(address.toLowerCase());
  const to = envelope.to.filter((address) => !isCopied(address));
  return JSON.stringify({
    from: letter.from ? mailbox(letter.from) : envelope.from,
    to,
    ...(to.length < envelope.to.length && { cc: envelope.to.filter(isCopied) }),
    ...(letter.replyTo && letter.replyTo.length > 0 && { reply_to: letter.replyTo.map(mailbox) }),
    subject: letter.subject ?? '',
    ...(letter.text !== undefined && { text: letter.text }),
    ...(letter.html !== undefined && { html: letter.html }),
    headers: headersOf(letter),
    ...(letter.attachments.length > 0 && { attachments: letter.attachments.map(attachmentOf) }),
    // The key of a letter is its id.
    // A letter that was sent again has a key of its own, and the same id.
    tags: [{ name: SEND_TAG, value: idempotency_key.split('.')[0] ?? '' }],
  });
}

const addressesOf = (list: Address[] | undefined): string[] =>
  (list ?? []).flatMap(({ address }) => address?.toLowerCase() ?? []);

const mailbox = ({ name, address }: Address): string =>
  name ? `"${name.replace(/["\\]/g, '\\$&')}" <${address ?? ''}>` : (address ?? '');

const headersOf = (letter: Email): Record<string, string> =>
  Object.fromEntries(
    letter.headers.flatMap(({ key, value }) => {
      const name = CARRIED[key.toLowerCase()];
      return name ? [[name, value.replace(/\s+/g, ' ').trim()]] : [];
    }),
  );

function attachmentOf({ filename, mimeType, content, contentId }: Attachment) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content));
  return {
    filename: filename ?? 'attachment',
    content_type: mimeType,
    content: bytes.toString('base64'),
    ...(contentId && { content_id: contentId.replace(/^<|>$/g, '') }),
  };
}
