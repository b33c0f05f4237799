// A bounce in prose: where the returned letter begins, which addresses the notice is about, and what it says about
// each.
import { shortWords } from './phrases.ts';
import { ADDRESS, addressesIn, recipientOf, tidyAddress } from './addresses.ts';
import type { Draft } from './delivery-status.ts';
import { linesOf } from './fields.ts';
import { DIAGNOSTIC_CHARS, RECIPIENTS } from './limits.ts';

/** The line with which a notice hands over to the letter that it returns. */
const RETURNED =
  /^[\s>|*=-]{0,40}(?:(?:original|returned|unsent|undelivered|failed) (?:message|mail|letter|header)|(?:message|mail) (?:headers?|text|contents?) follows|(?:this is|below is|included is|enclosed is|below this line is|here is|following is) (?:a |the )?(?:copy|header|text)|the (?:header|text) of (?:the|your) (?:original )?(?:message|mail)|(?:original )?(?:message|header)s? (?:is )?(?:following|follow|attached)|a copy of (?:the|your) (?:original )?(?:message|mail))/i;

export type Notice = { prose: string; returned: string };

export function splitNotice(text: string): Notice {
  let start = 0;
  for (const line of linesOf(text)) {
    const isSeam = (RETURNED.test(line) && start > 0) || /^(?:Received|Return-Path): /.test(line);
    if (isSeam) return { prose: text.slice(0, start), returned: fromHeader(text.slice(start)) };
    start = text.indexOf('\n', start) + 1;
    if (start === 0) break;
  }
  return { prose: text, returned: '' };
}

/** From the first line on that looks like a header's: the seam itself, and rulers under it, are none. */
function fromHeader(text: string): string {
  const header = /^[A-Za-z][\w-]{1,76}: /m.exec(text);
  return header ? text.slice(header.index) : '';
}

/** A line that opens with an address, as lists of failed recipients write it. */
const LISTED = new RegExp(
  String.raw`^[\s>*|•"'-]{0,20}(?:\d{1,3}[.)]\s)?<?(${ADDRESS})>?"?'?\s{0,5}(?:<(?:mailto:)?${ADDRESS}>)?\s{0,5}(?:$|:(?!/)|\.\.\.|\bon (?:[A-Z][a-z]{2}|\d)|[(,;]|-{1,2}\s|failed|could not|was not|is not)`,
);

/** A line of a transcript that closes with whom it was about what is above it: `550 5.1.1 <someone@…>... User unknown`. */
const CLOSED = new RegExp(String.raw`^[45]\d\d[ -](?:[45]\.\d{1,3}\.\d{1,3} )?<(${ADDRESS})>\.\.\.`);

/** An address, and behind it on its line a reply, or a reason in brackets. */
const REASONED = new RegExp(
  String.raw`^[ \t]{0,8}<?(${ADDRESS})>?[ \t]{1,4}(?=\[|[^\n@]{0,80}(?<![\d.])[45]\d\d(?![\d.]))`,
);

/** A sentence that says whose delivery failed. */
const NAMED = new RegExp(
  String.raw`(?:recipients?(?: address)?(?: was)?|RCPT(?: TO)?|addressee|deliver(?:ed|y|ing|able)?(?: \w+){0,4} (?:to|for)(?: the following \w+(?:\(?e?s\)?)?)?|attempts|(?:your|the|this|following) (?:message|e-?mail|mail)(?: \w+){0,3} (?:to|for)|(?:mailbox|quota|user|account)(?: \w+){0,3})[ \t]{0,4}:?[ \t]{0,4}(?:rfc822;)?[ \t]{0,4}["'(<]{0,2}(?<![\w.+-])(${ADDRESS})`,
  'gi',
);

const DESKS = /^(?:post[._-]?master|mailer-daemon|abuse|support|help(?:desk)?|info-?desk|no-?reply)@/i;

/** Whom notices tell to ask. */
export const isDesk = (address: string): boolean => DESKS.test(address);

/** The drafts of what a notice says; `known` are recipients that a header names already. */
export function readNotice(prose: string, known: readonly string[]): Draft[] {
  const listed = listedIn(prose);
  // A header that names no more than the list does names the same, some of them as they were before forwarding.
  const others = listed.size < known.length ? known : listed.size === 0 ? namedIn(prose) : [];
  for (const address of others) if (!listed.has(address)) listed.set(address, '');
  const meant = [...listed.keys()].filter((address) => !isDesk(address));
  const addresses = meant.length > 0 ? meant : [...listed.keys()];
  return addresses.slice(0, RECIPIENTS).map((address) => ({
    ...blankDraft(address),
    original_recipient: generatedFrom(listed.get(address) ?? ''),
    diagnostic: listed.get(address) ?? '',
  }));
}

export const blankDraft = (recipient: string | null): Draft => ({
  recipient,
  original_recipient: null,
  action: null,
  stated: null,
  diagnostic: '',
  filed: null,
  host: null,
});

/** Address → the lines under it, until the next address; of a transcript, the lines above it, since the one before. */
function listedIn(prose: string): Map<string, string> {
  const found = new Map<string, string>();
  let current: string | null = null;
  let above = '';
  for (const line of linesOf(prose)) {
    const closed = tidyAddress(CLOSED.exec(line)?.[1] ?? '');
    const opened = closed ?? tidyAddress((LISTED.exec(line) ?? REASONED.exec(line))?.[1] ?? '');
    const address = opened !== null && (found.has(opened) || found.size < RECIPIENTS) ? opened : null;
    if (address !== null && closed !== null) {
      // What was heard is the receiver's; the line that closes is the reporter's word for it.
      const said = /(?:^|\n)<<< /.test(above) ? above : `${above}\n${line}`;
      found.set(address, append(found.get(address) ?? '', said));
      current = null;
      above = '';
    } else if (address !== null) {
      current = address;
      found.set(address, append(found.get(address) ?? '', line));
      above = '';
    } else {
      above = append(above, line);
      if (current !== null) found.set(current, append(found.get(current) ?? '', line));
    }
  }
  return found;
}

const append = (text: string, line: string): string =>
  text.length > DIAGNOSTIC_CHARS ? text : `${text}\n${line.slice(0, DIAGNOSTIC_CHARS)}`;

function namedIn(prose: string): string[] {
  const found = new Set<string>();
  for (const match of shortWords(prose).matchAll(NAMED)) {
    const address = recipientOf(match[1]);
    if (address !== null) found.add(address);
    if (found.size >= RECIPIENTS) break;
  }
  return [...found];
}

/** Exim's word for the address before forwarding. */
function generatedFrom(lines: string): string | null {
  const from = /generated from ([^\s()]{3,320})/.exec(lines)?.[1];
  return from === undefined ? null : (addressesIn(from, 1)[0] ?? null);
}

/** What a notice says about one of several: the paragraphs that name it; about the only one, everything. */
export function proseAbout(prose: string, recipient: string | null, isOnly: boolean): string {
  if (isOnly || recipient === null) return isOnly ? prose : '';
  const lines: string[] = [];
  for (const line of linesOf(prose)) {
    if (line.toLowerCase().includes(recipient.toLowerCase())) lines.push(line.slice(0, 1000));
    if (lines.length >= 10) break;
  }
  return lines.join('\n');
}
