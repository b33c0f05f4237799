// How much an import takes: said on screen before anything is sent, and held at the entry point.

/** On screen, by multipart; everything else sends JSON. */
export const UPLOAD_MAX_BYTES = 50 * 1024 * 1024;
