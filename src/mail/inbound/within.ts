// What a letter contains: files, the answer to an invitation, and the Message-IDs in it.
import type { Attachment as Part } from 'postal-mime';
import { messageIdsIn } from '../reports/addresses.ts';
import { first, readHeader } from '../reports/fields.ts';
import { decode } from '../reports/parts.ts';
import { cleanLine, cleanText } from './clean.ts';
import { FIELD_BYTES, FILES, FILES_BYTES, NAME_CHARS, QUOTED_IDS } from './limits.ts';
import type { Attachment, CalendarAnswer } from './mail.ts';

export const bytesOf = ({ content }: Part): Uint8Array =>
  typeof content === 'string'
    ? new TextEncoder().encode(content)
    : content instanceof Uint8Array
      ? content
      : new Uint8Array(content);

/** `cut`: the mail is longer than what was read of it, and so may be its last file: neither its end nor its size is here. */
export function attachmentsOf(parts: readonly Part[], cut: boolean): Attachment[] {
  let kept = 0;
  return parts.slice(0, FILES).map((part, at) => {
    const bytes = bytesOf(part);
    const whole = !(cut && at === parts.length - 1);
    const keep = whole && kept + bytes.length <= FILES_BYTES;
    if (keep) kept += bytes.length;
    const content_id = cleanLine((part.contentId ?? '').replace(/^\s*<|>\s*$/g, ''), NAME_CHARS);
    return {
      filename: filenameOf(part.filename),
      content_type: typeOf(part.mimeType),
      content_id: content_id === '' ? null : content_id,
      inline: part.disposition === 'inline' || (part.related === true && part.disposition !== 'attachment'),
      size: whole ? bytes.length : null,
      bytes: keep ? bytes : null,
    };
  });
}

/** No folder, and nothing that turns the reading direction: `…gpj.exe` is shown as what it is. */
function filenameOf(name: string | null): string | null {
  const bare = cleanLine((name ?? '').replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''), NAME_CHARS)
    .replace(/[/\\]/g, '_')
    .replace(/^\.+/, '');
  return bare === '' ? null : bare;
}

const typeOf = (type: string): string =>
  /^[a-z0-9][\w!#$&^.+-]{0,62}\/[a-z0-9][\w!#$&^.+-]{0,62}$/i.test(type)
    ? type.toLowerCase()
    : 'application/octet-stream';

const ANSWERS: ReadonlyMap<string, CalendarAnswer['answer']> = new Map([
  ['ACCEPTED', 'accepted'],
  ['DECLINED', 'declined'],
  ['TENTATIVE', 'tentative'],
]);

export function calendarOf(parts: readonly Part[]): CalendarAnswer | null {
  for (const part of parts) {
    if (part.mimeType !== 'text/calendar' && part.mimeType !== 'application/ics') continue;
    const text = decode(bytesOf(part).subarray(0, FIELD_BYTES)).replace(/\r?\n[ \t]/g, '');
    const method = part.method ?? /^METHOD:(\w{1,20})/m.exec(text)?.[1];
    if (method?.toUpperCase() !== 'REPLY' && method?.toUpperCase() !== 'COUNTER') continue;
    const said = /^ATTENDEE[^\n]{0,2000}?;PARTSTAT=([A-Z-]{1,20})/im.exec(text)?.[1] ?? '';
    return { answer: ANSWERS.get(said.toUpperCase()) ?? 'other' };
  }
  return null;
}

const isLetter = ({ mimeType }: Part): boolean =>
  /^(?:message\/(?:rfc822|global|global-headers|rfc822-headers)|text\/rfc822-headers)$/.test(mimeType);

export const holdsLetter = (parts: readonly Part[]): boolean => parts.some(isLetter);

/**
 * Letters within first, then what is called a Message-ID, then whatever looks like one: those of programs are long, so that
 * an address in brackets is hardly ever taken for one.
 */
export function quotedIds(parts: readonly Part[], text: string): string[] {
  const inLetters = parts
    .filter(isLetter)
    .slice(0, QUOTED_IDS)
    .map((part) => readHeader(decode(bytesOf(part).subarray(0, FIELD_BYTES))))
    .flatMap((header) => messageIdsIn(first(header, 'message-id'), 1));
  const named = [...text.matchAll(/message-id[*_]*\s{0,3}:\s{0,3}<([^<>\s]{3,300})>/gi)].map(
    (each) => each[1],
  );
  const alike = [...text.matchAll(/<([\w.+$%=~!#-]{16,200}@[\w.-]{3,200})>/g)].map((each) => each[1]);
  const all = [...inLetters, ...named, ...alike].map((id) => cleanText(id ?? '', 500));
  return [...new Set(all)].filter((id) => id.includes('@')).slice(0, QUOTED_IDS);
}
