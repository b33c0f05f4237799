// How much of a stranger’s letter is read, and the maximum cost. Measured on one core with postal-mime 4.0: a short
// line of text costs 12 µs and 2 kB while it is read, so the line limit bounds both; HTML of the greatest size and
// depth takes 1.5 s. All limits used at once: under four seconds and 500 MB. An ordinary letter takes a millisecond
// or two.

/** Bytes of the message; what is behind them is not read. */
export const MAIL_BYTES = 10 * 1024 * 1024;
/** Lines of the message: 10 MB in base64 are 138,000. */
export const MAIL_LINES = 150_000;
/** Lines shorter than those of an encoded file, `SHORT_LINE` bytes; no one reads a letter of so many. */
export const SHORT_LINES = 20_000;
export const SHORT_LINE = 60;
/** Multiparts within multiparts; mail that was passed on ten times nests thirty deep. */
export const DEPTH = 128;
/** Of one field of the header; a hundred thousand recipients are 3 MB. */
export const FIELD_BYTES = 64 * 1024;
/** Of all headers of all parts. */
export const HEADERS_BYTES = 1024 * 1024;
export const RECIPIENTS = 200;
export const MESSAGE_IDS = 100;
export const QUOTED_IDS = 20;

export const SUBJECT_CHARS = 998;
export const NAME_CHARS = 300;
/** Characters of the text that are kept. */
export const TEXT_CHARS = 256 * 1024;
/** Characters of HTML that are read; what is kept of them is never much longer. */
export const HTML_CHARS = 512 * 1024;
/** Elements within elements; the words of deeper ones are kept. */
export const HTML_DEPTH = 128;

/** Of a letter that takes too long to read: bytes that are taken apart, and characters of its words that are kept. */
export const BRIEF_BYTES = 256 * 1024;
export const BRIEF_CHARS = 16 * 1024;

/** Files told of. */
export const FILES = 100;
/** Kept of all files of one mail: as much as a mail of `MAIL_BYTES` can carry. What is more is told of with its size. */
export const FILES_BYTES = 8 * 1024 * 1024;
