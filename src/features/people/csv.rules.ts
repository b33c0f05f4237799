// Text as CSV (RFC 4180) that a spreadsheet takes for text: a cell that would begin a formula is given an apostrophe before
// it, as spreadsheets themselves write a text that looks like one.
const FORMULA = /^[=+\-@\t\r]/;

/** Tells spreadsheets that the text is UTF-8. */
export const BYTE_ORDER_MARK = '﻿';

export function csvCell(value: string | null): string {
  const text = value ?? '';
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (cells: readonly (string | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;
