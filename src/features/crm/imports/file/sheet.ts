// The first sheet of an Excel workbook as rows of text. Runs in a thread of its own alone: the reader holds the whole sheet.
import { readSheet } from 'read-excel-file/node';
import { invalid, type Refusal, stop } from '../../../../kernel/refusal.ts';
import { NO_WORKBOOK, openZip, storeZip } from './zip.ts';

/** A hundred thousand people of twenty-five columns. The reader makes an object of each, and a text of each shared one. */
const CELLS_MAX = 2_500_000;
const SHARED_MAX = 1_000_000;
const TOO_MANY_CELLS =
  'this workbook has more than 2,500,000 cells: keep only the sheet with people, or save that sheet as CSV';

/** Counted in the bytes, before anything is made of them. */
export function refusedCells(parts: ReadonlyMap<string, Buffer>): Refusal | null {
  for (const [name, part] of parts) {
    const cells = name.startsWith('xl/worksheets/') ? timesIn(part, '<c ', CELLS_MAX) : 0;
    const shared = name === 'xl/sharedStrings.xml' ? timesIn(part, '<si>', SHARED_MAX) : 0;
    if (cells > CELLS_MAX || shared > SHARED_MAX) return invalid(TOO_MANY_CELLS, { file: TOO_MANY_CELLS });
  }
  return null;
}

/** How often it is there; no further than one more than `most`. */
function timesIn(bytes: Buffer, mark: string, most: number): number {
  let times = 0;
  for (let at = bytes.indexOf(mark); at !== -1 && times <= most; at = bytes.indexOf(mark, at + mark.length))
    times += 1;
  return times;
}

/** Formulas are what they last came to; dates are days of the calendar; numbers are as Excel shows them. */
export async function sheetRows(bytes: Uint8Array): Promise<string[][]> {
  const parts = openZip(bytes);
  if (!parts.has('xl/workbook.xml')) throw NO_WORKBOOK;
  stop(refusedCells(parts));
  const book = storeZip(parts);
  // Their bytes are in the archive now, and once is enough.
  parts.clear();
  const rows = await readSheet(book, { trim: false, parseNumber: shownNumber }).catch(() => {
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
