// Composes the bytes of a letter: exact RFC 5322, identical for identical input, because they are stored when the
// send is created and a retry carries them again.
import { createHash } from 'node:crypto';
import { findUnsafe, mailboxOf, type Mailbox, type Unsafe } from './fields.ts';
import { signDkim, type DkimSigning } from './dkim.ts';
import { textFromHtml } from './text.ts';

export type Attachment = { filename: string; content_type: string; content: Uint8Array };

export type ListUnsubscribe = {
  /** https, answers RFC 8058 posts; `null` leaves one-click out. */
  url: string | null;
  /** mailto:, or nothing. */
  mailto: string | null;
};

/** What is said, by whom and to whom. Everything that the bytes depend on is here, the time and the id too. */
export type Letter = {
  from: Mailbox;
  reply_to: Mailbox | null;
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  subject: string;
  /** Empty when only `html` was written: the text part is then made from it. */
  text: string;
  html: string | null;
  /** With its angle brackets; the right side is a domain we own. */
  message_id: string;
  date: Date;
  in_reply_to: string | null;
  references: readonly string[];
  list_unsubscribe: ListUnsubscribe | null;
  /** `campaign:person:kind:sender` for Gmail's aggregation; printable ASCII. */
  feedback_id: string | null;
  attachments: readonly Attachment[];
  dkim: DkimSigning | null;
};

export type Composed =
  | {
      ok: true;
      bytes: Buffer;
      /** A recipient has an international mailbox: the next hop must offer SMTPUTF8 (RFC 6531). */
      needs_smtputf8: boolean;
      /** RCPT addresses: `to`, then `cc`, each once. */
      recipients: readonly string[];
    }
  | Unsafe
  | { ok: false; reason: 'letter_too_large' | 'empty_letter' };

/** Of the whole letter, attachments encoded. Most receivers take 20 to 25 MB; a personal letter that big is a mistake. */
export const LARGEST_LETTER_BYTES = 10 * 1024 * 1024;

/** Never throws for what people wrote; a DKIM key that cannot sign is a fault. */
export async function composeLetter(letter: Letter): Promise<Composed> {
  const unsafe = findUnsafe(letter);
  if (unsafe) return unsafe;
  const raw = letter.attachments.reduce((sum, { content }) => sum + content.byteLength, 0);
  // Encoding never makes it smaller, so the work of encoding can be spared.
  if (raw + letter.text.length + (letter.html?.length ?? 0) > LARGEST_LETTER_BYTES) return tooLarge;
  const text = letter.text.trim() === '' ? textFromHtml(letter.html ?? '') : letter.text;
  if (text === '') return { ok: false, reason: 'empty_letter' };

  const unsigned = await build(letter, text);
  const bytes = letter.dkim ? await signDkim(unsigned, letter.dkim, letter.date) : unsigned;
  if (bytes.byteLength > LARGEST_LETTER_BYTES) return tooLarge;
  const addressed = [...letter.to, ...letter.cc].flatMap(({ address }) => mailboxOf(address) ?? []);
  return {
    ok: true,
    bytes,
    needs_smtputf8: addressed.some(({ utf8_local }) => utf8_local),
    recipients: [...new Set(addressed.map(({ local, domain }) => `${local}@${domain}`))],
  };
}

const tooLarge = { ok: false, reason: 'letter_too_large' } as const;

async function build(letter: Letter, text: string): Promise<Buffer> {
  // Read where the first letter is composed, as what signs and sends it.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const composer = new MailComposer({
    from: shown(letter.from),
    replyTo: letter.reply_to ? shown(letter.reply_to) : undefined,
    to: letter.to.map(shown),
    cc: letter.cc.map(shown),
    subject: letter.subject,
    messageId: letter.message_id,
    // Given as text, because an own header object would be written with another zone.
    date: letter.date.toUTCString().replace('GMT', '+0000'),
    inReplyTo: letter.in_reply_to ?? undefined,
    references: [...letter.references],
    text: wholeBreaks(text),
    html: letter.html === null ? undefined : wholeBreaks(letter.html),
    attachments: letter.attachments.map(({ filename, content_type, content }) => ({
      filename,
      contentType: content_type,
      content: Buffer.from(content),
    })),
    headers: ownHeaders(letter),
    // From the id alone, so that the same letter has the same bytes.
    baseBoundary: createHash('sha256').update(letter.message_id).digest('hex').slice(0, 24),
    boundaryPrefix: '--=_',
    newline: 'win',
    // Nothing in a letter makes this machine open a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** A bare CR or LF may not be in a letter (RFC 5322 section 2.3), and whoever fixes it on the way breaks its signature. */
const wholeBreaks = (text: string): string => text.replace(/\r\n|\r|\n/g, '\r\n');

/** The address as it goes over the wire, so that header and envelope name the same mailbox. */
function shown({ name, address }: Mailbox): { name: string; address: string } {
  const mailbox = mailboxOf(address);
  return { name: name ?? '', address: mailbox ? `${mailbox.local}@${mailbox.domain}` : address };
}

/** Prepared: the composer would write non-header text as encoded words, which these fields may not have. */
function ownHeaders({ list_unsubscribe, feedback_id }: Letter): { key: string; value: Prepared }[] {
  const headers: { key: string; value: Prepared }[] = [];
  if (list_unsubscribe) {
    const { url, mailto } = list_unsubscribe;
    const ways = [url, mailto].flatMap((way) => (way === null ? [] : [`<${way}>`])).join(', ');
    if (ways !== '') headers.push({ key: 'List-Unsubscribe', value: prepared(ways) });
    if (url !== null)
      headers.push({ key: 'List-Unsubscribe-Post', value: prepared('List-Unsubscribe=One-Click') });
  }
  if (feedback_id !== null) headers.push({ key: 'Feedback-ID', value: prepared(feedback_id) });
  return headers;
}

type Prepared = { prepared: true; foldLines: true; value: string };
const prepared = (value: string): Prepared => ({ prepared: true, foldLines: true, value });
