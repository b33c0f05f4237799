// Reads one message as it arrived: who wrote, what it replies to, what is new in it, and whether a machine wrote it.
// Pure; never throws, whatever the bytes; limited in time and memory by `limits.ts`. Bounces and complaints are for
// `readReports`.
import { decodeWords } from 'postal-mime';
import { messageIdsIn } from '../reports/addresses.ts';
import { automaticSignal } from '../reports/automatic.ts';
import { first } from '../reports/fields.ts';
import type { Fields } from '../reports/fields.ts';
import { authenticationIn } from './authenticity.ts';
import { cleanLine, cleanText } from './clean.ts';
import { isForwarded } from './forwarded.ts';
import { inertHtml } from './html.ts';
import {
  BRIEF_BYTES,
  BRIEF_CHARS,
  FILES,
  HTML_CHARS,
  MESSAGE_IDS,
  SUBJECT_CHARS,
  TEXT_CHARS,
} from './limits.ts';
import type { ReadMail } from './mail.ts';
import { openMail } from './open.ts';
import type { OpenedMail } from './open.ts';
import { wordsOfPage } from './page.ts';
import { mailboxesOf } from './people.ts';
import { listIdIn } from './list-id.rules.ts';
import { leftIn } from './left.ts';
import { readingByRule } from './reading.ts';
import { returnDate } from './returning.ts';
import { contentOfSigned, isEncrypted, isOpaque, withoutArmour } from './secured.ts';
import { stripQuoted } from './strip.ts';
import { deskOf } from './ticket.ts';
import { attachmentsOf, bytesOf, calendarOf, holdsLetter, quotedIds } from './within.ts';

/** `cut`: its source held more than these bytes. */
export async function readMail(bytes: Uint8Array, cut = false): Promise<ReadMail> {
  const outer = await openMail(bytes);
  const opened = (await openedInside(outer)) ?? outer;
  return read(outer.header, { ...opened, cut: opened.cut || cut });
}

/** S/MIME that holds the letter in its signature: its header is the outer one, its body the inner. */
async function openedInside({ header, parts }: OpenedMail): Promise<OpenedMail | null> {
  const part = isOpaque(header) ? parts[0] : undefined;
  const content = part === undefined ? null : contentOfSigned(bytesOf(part));
  return content === null ? null : await openMail(content);
}

function read(header: Fields, opened: OpenedMail): ReadMail {
  const { parts } = opened;
  const subject = subjectOf(header);
  const date = dateOf(header);
  const page = opened.html === null ? '' : wordsOfPage(opened.html);
  const written = withoutArmour(cleanText(opened.text ?? '', TEXT_CHARS).trim());
  const text = written === '' ? page : written;
  const stripped = stripQuoted(text, page);
  const calendar = calendarOf(parts);
  // A program sends it, and a person has pressed the button.
  const marked = calendar === null ? automaticSignal(header, subject) : null;
  const desk = deskOf(header, { subject, text_stripped: stripped.text, automatic: marked !== null });
  // A help desk marks what people write there as a machine's too.
  const signal = desk?.kind === 'words' ? null : (marked ?? (desk === null ? null : 'subject'));
  const people = headed(header);
  const said = { text_stripped: stripped.text, stripped_whole: stripped.whole };
  const words = {
    subject,
    text_stripped: stripped.text,
    stripped_whole: stripped.whole,
    automatic: signal === null ? null : { signal },
    returns_on: signal === null ? null : returnDate(`${subject}\n${stripped.text}`, date, isAmerican(header)),
  };
  const ticket = desk?.kind === 'notice' ? desk.ticket : null;
  return {
    ...people,
    date,
    text,
    ...words,
    html: opened.html === null ? null : inertHtml(opened.html),
    attachments: attachmentsOf(parts, opened.cut),
    calendar,
    forwarded: isForwarded(subject, text) || (holdsLetter(parts) && stripped.text.length < 2000),
    reading: readingByRule({ ...words, ticket, left: leftIn({ ...people, ...said }, signal !== null) }),
    encrypted: isEncrypted(header, text),
    quoted_ids: quotedIds(parts, text),
    cut: isCut(opened),
  };
}

/** The same by its header and its first words alone, for a letter that takes too long to read: no rule reads what it says. */
export async function readBriefly(bytes: Uint8Array): Promise<ReadMail> {
  const { header, text: plain, html } = await openMail(bytes.subarray(0, BRIEF_BYTES));
  const subject = subjectOf(header);
  const signal = automaticSignal(header, subject);
  const text = cleanText(plain ?? (html ?? '').replace(/<[^<>]*>/g, ' '), BRIEF_CHARS).trim();
  const automatic = signal === null ? null : { signal };
  const unsaid = { subject: '', text_stripped: '', stripped_whole: true, returns_on: null };
  return {
    ...headed(header),
    subject,
    date: dateOf(header),
    text,
    text_stripped: text,
    stripped_whole: false,
    automatic,
    returns_on: null,
    html: null,
    attachments: [],
    calendar: null,
    forwarded: false,
    reading: readingByRule({ ...unsaid, automatic }),
    encrypted: isEncrypted(header, ''),
    quoted_ids: [],
    cut: true,
  };
}

type Headed =
  | 'message_id'
  | 'in_reply_to'
  | 'references'
  | 'from'
  | 'reply_to'
  | 'to'
  | 'cc'
  | 'authentication'
  | 'list_id';

const headed = (header: Fields): Pick<ReadMail, Headed> => ({
  message_id: messageIdsIn(first(header, 'message-id'), 1).map(cleanId)[0] ?? null,
  in_reply_to: messageIdsIn(first(header, 'in-reply-to'), 1).map(cleanId)[0] ?? null,
  references: referencesOf(header),
  from: mailboxesOf(header, 'from')[0] ?? null,
  reply_to: mailboxesOf(header, 'reply-to'),
  to: mailboxesOf(header, 'to'),
  cc: mailboxesOf(header, 'cc'),
  authentication: authenticationIn(header),
  list_id: listIdIn(cleanLine(first(header, 'list-id') ?? '', 1_000)),
});

const isCut = ({ cut, text, html, parts }: OpenedMail): boolean =>
  cut || (text ?? '').length > TEXT_CHARS || (html ?? '').length > HTML_CHARS || parts.length > FILES;

const subjectOf = (header: Fields): string =>
  cleanLine(decodeWords((first(header, 'subject') ?? '').slice(0, 8 * SUBJECT_CHARS)), SUBJECT_CHARS);

const cleanId = (id: string): string => cleanLine(id, 500);

/** The newest are last, and are wanted most. */
const referencesOf = (header: Fields): string[] =>
  messageIdsIn((first(header, 'references') ?? '').slice(-8000), 1000)
    .map(cleanId)
    .slice(-MESSAGE_IDS);

/** Null where none is stated, or one of another age: clocks that were never set say 1970. */
function dateOf(header: Fields): Date | null {
  const stated = (first(header, 'date') ?? '').slice(0, 100).split('(')[0] ?? '';
  const date = new Date(stated);
  const year = date.getUTCFullYear();
  return year >= 1990 && year < 2100 ? date : null;
}

/** Where `3/4` is a day of March. */
const isAmerican = (header: Fields): boolean =>
  /\s-0[4-9]00\b/.test(first(header, 'date')?.slice(0, 100) ?? '');
