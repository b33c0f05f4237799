// A message taken apart: its header, the text a person would read, and the machine-readable parts. What the MIME
// reader refuses (nested too deep, a header without end) is read as one plain text, because a report must be read.
import PostalMime, { decodeWords } from 'postal-mime';
import type { Email } from 'postal-mime';
import { first, readHeader } from './fields.ts';
import type { Fields } from './fields.ts';
import { HEADER_BYTES, MESSAGE_BYTES, MESSAGE_LINES, MIME_DEPTH, NOTICE_CHARS, PARTS } from './limits.ts';

export type Opened = {
  header: Fields;
  /** The subject, decoded. */
  subject: string;
  /** What a person would read, every text part in order. */
  text: string;
  deliveryStatuses: string[];
  feedback: string[];
  /** Returned letters, or their headers alone. */
  returned: string[];
  isReport: boolean;
  truncated: boolean;
};

export async function openMessage(raw: Uint8Array): Promise<Opened> {
  const bytes = beginningOf(raw);
  const truncated = raw.length > bytes.length;
  try {
    const email = await PostalMime.parse(bytes, {
      forceRfc822Attachments: true,
      maxNestingDepth: MIME_DEPTH,
      maxHeadersSize: HEADER_BYTES,
    });
    return { ...opened(email, bytes), truncated };
  } catch {
    // The MIME reader throws for its own limits and for nothing that we could fix.
    return { ...plain(bytes), truncated: true };
  }
}

/** What is read of it: so many bytes, and so many lines. */
function beginningOf(raw: Uint8Array): Uint8Array {
  const bytes = raw.subarray(0, MESSAGE_BYTES);
  let end = -1;
  for (let lines = 0; lines < MESSAGE_LINES; lines++) {
    end = bytes.indexOf(0x0a, end + 1);
    if (end === -1) return bytes;
  }
  return bytes.subarray(0, end + 1);
}

function opened(email: Email, bytes: Uint8Array): Omit<Opened, 'truncated'> {
  const header = headerOf(email);
  const machine = { deliveryStatuses: [] as string[], feedback: [] as string[], returned: [] as string[] };
  for (const { mimeType, content } of email.attachments) {
    const sort = sortOf(mimeType);
    if (sort === null || machine[sort].length >= PARTS) continue;
    machine[sort].push(typeof content === 'string' ? content : decode(new Uint8Array(content)));
  }
  const text = email.text ?? wordsOfHtml(email.html ?? '');
  const nothing = text.trim() === '' && machine.deliveryStatuses.length + machine.feedback.length === 0;
  return {
    header,
    subject: decodeWords((first(header, 'subject') ?? '').slice(0, 1000)),
    text: (nothing ? bodyOf(bytes) : text).slice(0, NOTICE_CHARS),
    isReport: isReport(header),
    ...machine,
  };
}

function sortOf(mimeType: string): 'deliveryStatuses' | 'feedback' | 'returned' | null {
  if (/^message\/(?:global-)?delivery-status$/.test(mimeType)) return 'deliveryStatuses';
  if (mimeType === 'message/feedback-report') return 'feedback';
  if (
    /^(?:message\/(?:rfc822|global|global-headers|rfc822-headers)|text\/(?:rfc822-headers|plain))$/.test(
      mimeType,
    )
  )
    return 'returned';
  return null;
}

/** The header as the MIME reader hands it out. */
export function headerOf(email: Email): Fields {
  const header = new Map<string, string[]>();
  for (const { key, value } of email.headers) {
    const values = header.get(key);
    if (values === undefined) header.set(key, [value]);
    else if (values.length < 100) values.push(value);
  }
  return header;
}

const isReport = (header: Fields): boolean =>
  /^\s*multipart\/report\b/i.test(header.get('content-type')?.[0] ?? '');

function plain(bytes: Uint8Array): Omit<Opened, 'truncated'> {
  const header = readHeader(decode(bytes.subarray(0, HEADER_BYTES)));
  return {
    header,
    subject: first(header, 'subject')?.slice(0, 1000) ?? '',
    text: bodyOf(bytes).slice(0, NOTICE_CHARS),
    deliveryStatuses: [],
    feedback: [],
    returned: [],
    isReport: isReport(header),
  };
}

/** Everything behind the header, undecoded: what is left of a multipart whose boundaries were lost on the way. */
function bodyOf(bytes: Uint8Array): string {
  const text = decode(bytes.subarray(0, HEADER_BYTES));
  const end = /\r?\n\r?\n/.exec(text);
  return end ? text.slice(end.index) : '';
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });
const latin = new TextDecoder('windows-1252');
const japanese = new TextDecoder('iso-2022-jp');

/** Machine-readable parts state no charset, and are written in three. */
export function decode(bytes: Uint8Array): string {
  try {
    const text = strictUtf8.decode(bytes);
    return text.includes('\u001b$') ? japanese.decode(bytes) : text;
  } catch {
    return latin.decode(bytes);
  }
}

/** The words of a page, a line for each block. Only ever matched against phrases, never shown. */
function wordsOfHtml(html: string): string {
  return html
    .slice(0, 4 * NOTICE_CHARS)
    .replace(/<(?:style|script)\b[^>]{0,500}>[^<]{0,50000}/gi, ' ')
    .replace(/<(?:br|\/p|\/div|\/tr|\/li|\/h\d)\b[^<>]{0,500}>/gi, '\n')
    .replace(/<[^<>]{0,2000}>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&(?:nbsp|#160);/g, ' ')
    .replace(/&(?:#39|apos|rsquo);/g, "'")
    .replace(/&amp;/g, '&');
}
