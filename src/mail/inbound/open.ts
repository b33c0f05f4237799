// Takes a letter apart with the MIME reader, within limits enforced beforehand. What the reader refuses is read as
// one plain text: a person’s letter is never lost because of its form.
import PostalMime from 'postal-mime';
import type { Attachment as Part } from 'postal-mime';
import { readHeader } from '../reports/fields.ts';
import type { Fields } from '../reports/fields.ts';
import { decode, headerOf } from '../reports/parts.ts';
import {
  DEPTH,
  FIELD_BYTES,
  HEADERS_BYTES,
  MAIL_BYTES,
  MAIL_LINES,
  SHORT_LINE,
  SHORT_LINES,
  TEXT_CHARS,
} from './limits.ts';

export type OpenedMail = {
  header: Fields;
  text: string | null;
  html: string | null;
  parts: Part[];
  cut: boolean;
};

export async function openMail(raw: Uint8Array): Promise<OpenedMail> {
  const bytes = beginningOf(withinHeader(raw.subarray(0, MAIL_BYTES)));
  const cut = bytes.length < raw.length;
  try {
    const email = await PostalMime.parse(bytes, {
      // A letter within a letter is a file: its words are not what they say.
      forceRfc822Attachments: true,
      maxNestingDepth: DEPTH,
      maxHeadersSize: HEADERS_BYTES,
    });
    const { text = null, html = null, attachments } = email;
    return { header: headerOf(email), text, html, parts: attachments, cut };
  } catch {
    // It throws for its own limits and for nothing that could be fixed.
    return { ...plain(bytes), cut: true };
  }
}

function beginningOf(bytes: Uint8Array): Uint8Array {
  let start = 0;
  for (let lines = 0, short = 0; lines < MAIL_LINES && short < SHORT_LINES; lines++) {
    const end = bytes.indexOf(0x0a, start);
    if (end === -1) return bytes;
    if (end - start < SHORT_LINE) short += 1;
    start = end + 1;
  }
  return bytes.subarray(0, start);
}

/** Without those ends of fields that are longer than any field has to be; all else stays byte for byte. */
function withinHeader(bytes: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = [];
  let dropped = 0;
  let field = 0;
  let at = 0;
  for (let lines = 0; lines < MAIL_LINES && at < bytes.length; lines++) {
    const end = bytes.indexOf(0x0a, at);
    const line = bytes.subarray(at, end === -1 ? bytes.length : end + 1);
    if (line[0] === 0x0a || (line[0] === 0x0d && line[1] === 0x0a)) break;
    field = line[0] === 0x20 || line[0] === 0x09 ? field + line.length : line.length;
    const over = Math.max(0, field - FIELD_BYTES);
    if (over === 0) kept.push(line);
    else if (over < line.length) kept.push(line.subarray(0, line.length - over), NEW_LINE);
    dropped += over === 0 ? 0 : Math.min(over, line.length);
    at += line.length;
  }
  return dropped === 0 ? bytes : Buffer.concat([...kept, bytes.subarray(at)]);
}

const NEW_LINE = new Uint8Array([0x0a]);

function plain(bytes: Uint8Array): Omit<OpenedMail, 'cut'> {
  const text = decode(bytes.subarray(0, FIELD_BYTES + 4 * TEXT_CHARS));
  const end = /\r?\n\r?\n/.exec(text);
  return {
    header: readHeader(end ? text.slice(0, end.index) : text),
    text: end ? text.slice(end.index) : '',
    html: null,
    parts: [],
  };
}
