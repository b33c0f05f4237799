// From a file's bytes to its text: what kind of file it is, which encoding it has, which character parts its columns. Every
// file that cannot be read is named in one sentence.
import { invalid, type Refusal } from '../../../../kernel/refusal.ts';

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export type Text = { text: string; encoding: Encoding };

const startsWith = (bytes: Uint8Array, ...head: number[]): boolean =>
  head.every((byte, i) => bytes[i] === byte);

export const isZip = (bytes: Uint8Array): boolean => startsWith(bytes, 0x50, 0x4b);

const unreadable = (sentence: string): Refusal => invalid(sentence, { file: sentence });

export const EMPTY = unreadable('this file is empty: choose a CSV or Excel file of people');
export const ONLY_A_HEADER = unreadable('this file has column names but no rows: add at least one row');
export const NO_HEADER = unreadable(
  'the first row of this file looks like a person: add a row of column names at the top',
);
const NOT_TEXT = unreadable('this file is not a list: save it as CSV or as an Excel workbook (.xlsx)');
const OLD_EXCEL = unreadable(
  'this file is in the Excel format used before 2007: open it and save it as .xlsx or CSV',
);
const NOT_UTF8 = unreadable('this file is marked as UTF-8 but isn’t: export it again as CSV in UTF-8');

/** Bytes without a byte order mark are UTF-8 where they can be, and Windows-1252 where not: what Excel writes. */
export function decode(bytes: Uint8Array): Text {
  if (bytes.length === 0) throw EMPTY;
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return decoded(bytes, 'utf-8') ?? stop(NOT_UTF8);
  if (startsWith(bytes, 0xff, 0xfe)) return decoded(bytes, 'utf-16le') ?? stop(NOT_TEXT);
  if (startsWith(bytes, 0xfe, 0xff)) return decoded(bytes, 'utf-16be') ?? stop(NOT_TEXT);
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) throw OLD_EXCEL;
  const wide = bare16(bytes);
  if (wide) return decoded(bytes, wide) ?? stop(NOT_TEXT);
  if (looksBinary(bytes)) throw NOT_TEXT;
  return decoded(bytes, 'utf-8') ?? decoded(bytes, 'windows-1252') ?? stop(NOT_TEXT);
}

function stop(refusal: Refusal): never {
  throw refusal;
}

function decoded(bytes: Uint8Array, encoding: Encoding): Text | null {
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding };
  } catch {
    return null;
  }
}

const SAMPLE = 4_096;

/** UTF-16 without its mark: Latin letters leave every other byte empty. */
function bare16(bytes: Uint8Array): Encoding | null {
  const sample = bytes.subarray(0, SAMPLE);
  if (sample.length < 4 || bytes.length % 2 !== 0) return null;
  const empty = [0, 0];
  sample.forEach((byte, i) => {
    if (byte === 0) empty[i % 2]! += 1;
  });
  const [even = 0, odd = 0] = empty;
  const most = sample.length / 2;
  if (odd > most * 0.7 && even < most * 0.1) return 'utf-16le';
  return even > most * 0.7 && odd < most * 0.1 ? 'utf-16be' : null;
}

/** A list has no NUL and hardly a control character. */
function looksBinary(bytes: Uint8Array): boolean {
  let controls = 0;
  const sample = bytes.subarray(0, 64 * 1024);
  for (const byte of sample) {
    if (byte === 0) return true;
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) controls += 1;
  }
  return controls * 50 > sample.length;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** Excel's own first line, which names the delimiter. */
const SAYS = /^sep=(.)\r?\n/i;

/**
 * The delimiter, and where the list begins. The one wins that parts most rows into as many columns as the first; of equals
 * the one that gives more columns. Quoted text is not looked into.
 */
export function sniff(text: string): { delimiter: string; from: number } {
  const said = SAYS.exec(text);
  if (said?.[1]) return { delimiter: said[1], from: said[0].length };
  const rows = firstRows(text);
  const scores = DELIMITERS.map((delimiter) => {
    const [first = 1, ...others] = rows.map((row) => row.get(delimiter) ?? 1);
    const alike = others.filter((columns) => columns === first).length;
    return { delimiter, score: first === 1 ? 0 : (1 + alike) * Math.min(first, 40) };
  });
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a));
  return { delimiter: best.score === 0 ? ',' : best.delimiter, from: 0 };
}

const ROWS_SNIFFED = 20;

/** Of the first rows: how many columns each delimiter makes. */
function firstRows(text: string): Map<string, number>[] {
  const rows: Map<string, number>[] = [];
  let row = new Map<string, number>();
  let quoted = false;
  let blank = true;
  for (const char of text.slice(0, 256 * 1024)) {
    if (char === '"') quoted = !quoted;
    if (!quoted && (char === '\n' || char === '\r')) {
      if (!blank) rows.push(row);
      if (rows.length === ROWS_SNIFFED) return rows;
      row = new Map();
      blank = true;
    } else if (!quoted && (DELIMITERS as readonly string[]).includes(char)) {
      row.set(char, (row.get(char) ?? 1) + 1);
    } else if (char.trim() !== '') blank = false;
  }
  if (!blank) rows.push(row);
  return rows;
}
