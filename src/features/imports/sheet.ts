// The first sheet of an Excel workbook as rows of text. Runs in a thread of its own alone: the reader holds the whole sheet.
import { readSheet } from 'read-excel-file/node';
import { NO_WORKBOOK, openZip, storeZip } from './zip.ts';

/** Formulas are what they last came to; dates are days of the calendar; numbers are as Excel shows them. */
export async function sheetRows(bytes: Uint8Array): Promise<string[][]> {
  const parts = openZip(bytes);
  if (!parts.has('xl/workbook.xml')) throw NO_WORKBOOK;
  const rows = await readSheet(storeZip(parts), { trim: false, parseNumber: shownNumber }).catch(() => {
    throw NO_WORKBOOK;
  });
  return rows.map((row) => row.map(cellText));
}

/** Excel keeps fifteen digits; 0.1 + 0.2 is 0.3 to whoever looks at it. */
const shownNumber = (text: string): number => Number(Number(text).toPrecision(15));

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return dayOf(cell);
  return typeof cell === 'object' ? '' : String(cell as string | number | boolean);
}

function dayOf(moment: Date): string {
  if (Number.isNaN(moment.getTime())) return '';
  const iso = moment.toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso;
}
