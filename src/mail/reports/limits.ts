// How much of a stranger’s message is read. A report that matters says so early; everything beyond these limits stays
// unread.

/** Bytes of the message; a returned letter of 10 MB is behind the fields, and is not needed. */
export const MESSAGE_BYTES = 2 * 1024 * 1024;
/** Lines of the message: the MIME reader spends its time by the line, 8,000 in a third of a second. */
export const MESSAGE_LINES = 8_000;
/** Multiparts within multiparts; real reports nest three deep. */
export const MIME_DEPTH = 32;
export const HEADER_BYTES = 512 * 1024;
/** Characters of the readable notice. */
export const NOTICE_CHARS = 64 * 1024;
/** Characters of what one receiver said about one recipient. */
export const DIAGNOSTIC_CHARS = 4 * 1024;
/** Recipients in one report. */
export const RECIPIENTS = 1000;
/** Machine-readable parts of each sort, and Message-IDs, in one report. */
export const PARTS = 8;
