// The limits of an import: shown before anything is uploaded, and enforced at the entry point.

/** On screen, by multipart; everything else sends JSON. */
export const UPLOAD_MAX_BYTES = 50 * 1024 * 1024;
