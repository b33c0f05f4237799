// The shape of one case of the corpus, and how its letters are put together: small, readable, and made here.

export type Kind = 'person' | 'automatic' | 'calendar' | 'forwarded' | 'bounce' | 'receipt' | 'complaint';

export type Expected = {
  kind: Kind;
  reading: 'out_of_office' | 'unsubscribe' | 'unread';
  /** To what it answers, where it says so in its fields. */
  in_reply_to?: string | null;
  references?: number;
  quoted_ids?: string[];
  stripped?: string;
  stripped_whole?: boolean;
  returns_on?: string | null;
  /** Of a report: one row a recipient. */
  reports?: { kind: string; recipient: string | null }[];
};

export type Case = { name: string; raw: Uint8Array; expected: Expected };

export const OUR_ID = '01998a2b-7f00-7abc-8def-0123456789ab@dunnock.example';
export const FIRST_ID = '01998a2b-0000-7abc-8def-0123456789ab@dunnock.example';
/** What we wrote: it offers to unsubscribe, which must never be taken for their wish. */
export const OURS =
  'Hello Ada,\n\ndo you print on cloth?\n\nNora\n\nUnsubscribe\nhttps://dunnock.example/u/x';

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text.replace(/\r?\n/g, '\r\n'));

export type Letter = {
  from?: string;
  subject?: string;
  /** More fields, each line ended. */
  fields?: string;
  text?: string;
  html?: string;
  type?: string;
  answers?: boolean;
};

const FIELDS = `In-Reply-To: <${OUR_ID}>\nReferences: <${FIRST_ID}>\n <${OUR_ID}>\n`;

const encoded = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- what is not ASCII is encoded
  /^[\u0000-\u007f]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;

export function head({
  from = 'Ada Roe <ada@example.org>',
  subject = 'Re: A question',
  fields = '',
  answers = true,
}: Letter): string {
  return (
    `Return-Path: <ada@example.org>\nFrom: ${from}\nTo: Nora Finch <nora@dunnock.example>\nSubject: ${encoded(subject)}\n` +
    `Date: Wed, 3 Dec 2025 10:00:00 +0100\nMessage-ID: <answer-1@example.org>\n${answers ? FIELDS : ''}${fields}MIME-Version: 1.0\n`
  );
}

const part = (type: string, body: string): string =>
  `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${wrapped(Buffer.from(body).toString('base64'))}\n`;

export const wrapped = (text: string): string => text.replace(/.{76}/g, '$&\n');

export function letter(of: Letter): Uint8Array {
  const { text, html } = of;
  if (text !== undefined && html !== undefined)
    return bytes(
      `${head(of)}Content-Type: multipart/alternative; boundary="=-a"\n\n--=-a\n${part('text/plain', text)}--=-a\n${part('text/html', html)}--=-a--\n`,
    );
  return bytes(head(of) + part(html === undefined ? 'text/plain' : 'text/html', html ?? text ?? ''));
}

export const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\n/g, '<br>');

export const quoted = (text: string): string => text.replace(/^/gm, '> ').replace(/ $/gm, '');

export const answer = (name: string, of: Letter, expected: Partial<Expected> = {}): Case => ({
  name,
  raw: letter(of),
  expected: { kind: 'person', reading: 'unread', in_reply_to: OUR_ID, references: 2, ...expected },
});
