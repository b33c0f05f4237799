// Reads a file of people from its first byte to drafts, packed a thousand rows at a time: what the plan and the write have in
// common. It knows no database.
import { CsvError, parse } from 'csv-parse/sync';
import { invalid, Refusal, type RefusalDetails } from '../../../../kernel/refusal.ts';
import type { CustomField } from '../../fields/contract.ts';
import { decode, type Encoding, EMPTY, isZip, NO_HEADER, ONLY_A_HEADER, sniff } from './decode.rules.ts';
import { type ImportDraft, type ForAll, openDrafting } from './draft.ts';
import { cleanCell } from './cell.rules.ts';
import { type Column, mapped, propose } from './mapping.rules.ts';
import { packedText } from './packed.ts';
import { parseAddress } from '../../../../mail/address.rules.ts';

export type Wishes = {
  mapping: Record<string, string | null>;
  fields: CustomField[];
  all: ForAll;
};

export type Format = { kind: 'csv'; encoding: Encoding; delimiter: string } | { kind: 'xlsx' };
/** `samples`: a few values of each column, as far as the first rows have any. */
export type Head = { format: Format; columns: Column[]; samples: string[][] };

/** Some rows of the file, packed (packed.ts); `from` and `to` are the first and the last of them. */
export type Some = { count: number; from: number; to: number; text: string };

export type People = { head: Head; parts: Some[] };

export const ROWS_MAX = 100_000;
const COLUMNS_MAX = 400;
export const DRAFTS_A_PART = 1_000;
const ROWS_LOOKED_AT = 50;

const says = (sentence: string): Refusal => invalid(sentence, { file: sentence });
const TOO_MANY_ROWS = says(
  `this file has more than ${ROWS_MAX.toLocaleString('en')} rows: split it and import each part`,
);
const TOO_MANY_COLUMNS = says(`this file has more than ${COLUMNS_MAX} columns: keep only the ones you need`);

/** Everything is parted in one go; the cells of a row are dropped as soon as its draft is made, the drafts as soon as packed. */
export async function readPeople(
  bytes: Uint8Array,
  wishes: Wishes,
  sheet: (bytes: Uint8Array) => Promise<string[][]>,
): Promise<People> {
  const table = openTable(wishes);
  const format = isZip(bytes) ? readSheet(await sheet(bytes), table.put) : readCsv(bytes, table.put);
  const { columns, samples, parts } = table.end();
  return { head: { format, columns, samples }, parts };
}

type Put = (cells: string[]) => void;
type Row = { cells: string[]; row: number };

/** Takes rows from the top: the first that is not empty names the columns, the next few show what is in them. */
function openTable({ mapping, fields, all }: Wishes) {
  let row = 0;
  let names: string[] | null = null;
  let below: Row[] = [];
  let columns: Column[] | null = null;
  let samples: string[][] = [];
  let draft: ReturnType<typeof openDrafting> | null = null;
  let drafts: ImportDraft[] = [];
  const parts: Some[] = [];
  let count = 0;

  const pack = (): void => {
    const [first, last] = [drafts[0], drafts.at(-1)];
    if (first && last)
      parts.push({ count: drafts.length, from: first.row, to: last.row, text: packedText(drafts) });
    drafts = [];
  };
  const add = (made: ImportDraft): void => {
    count += 1;
    if (drafts.push(made) === DRAFTS_A_PART) pack();
  };
  const begin = (): void => {
    if (names === null) throw EMPTY;
    if (below.length === 0) throw ONLY_A_HEADER;
    const shown = below.map(({ cells }) => cells);
    columns = mapped(propose(names, shown, fields), mapping, fields);
    samples = columns.map(({ index }) => samplesOf(shown.map((cells) => cells[index] ?? '')));
    draft = openDrafting(columns, fields, all);
    for (const each of below) add(draft(each.cells, each.row));
    below = [];
  };
  return {
    put(cells: string[]): void {
      row += 1;
      if (cells.every((cell) => cell.trim() === '')) {
        // Empty rows above the headings are no rows.
        if (names === null) row = 0;
      } else if (names === null) names = headings(cells);
      else if (draft) {
        if (count >= ROWS_MAX) throw TOO_MANY_ROWS;
        add(draft(cells, row));
      } else if (below.push({ cells, row }) === ROWS_LOOKED_AT) begin();
    },
    end(): { columns: Column[]; samples: string[][]; parts: Some[] } {
      if (columns === null) begin();
      pack();
      return { columns: columns ?? [], samples, parts };
    },
  };
}

const SAMPLES = 2;
const SAMPLE_CHARS = 60;

/** On one line, and of characters that a text may have. */
const shownCell = (cell: string): string => cleanCell(cell.replace(/\s+/g, ' '));

const samplesOf = (values: readonly string[]): string[] =>
  [...new Set(values.map(shownCell).filter(Boolean))]
    .slice(0, SAMPLES)
    .map((value) => value.slice(0, SAMPLE_CHARS).toWellFormed());

function headings(cells: string[]): string[] {
  if (cells.some((cell) => parseAddress(cell).ok)) throw NO_HEADER;
  const names = cells.map(shownCell);
  const used = names.slice(0, names.findLastIndex((name) => name !== '') + 1);
  if (used.length > COLUMNS_MAX) throw TOO_MANY_COLUMNS;
  return used;
}

function readSheet(rows: string[][], put: Put): Format {
  for (const cells of rows) put(cells);
  return { kind: 'xlsx' };
}

const LONGEST_RECORD = 1_048_576;

/** RFC 4180, and what real files make of it: uneven rows, and quotes inside a cell that is not quoted. */
function readCsv(bytes: Uint8Array, put: Put): Format {
  const { text, encoding } = decode(bytes);
  const { delimiter, from } = sniff(text);
  try {
    parse(text.slice(from), {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: LONGEST_RECORD,
      on_record(cells: unknown) {
        put(cells as string[]);
        return undefined;
      },
    });
  } catch (error) {
    throw error instanceof CsvError ? notParted(error) : error;
  }
  return { kind: 'csv', encoding, delimiter };
}

function notParted(error: CsvError): Refusal {
  const row = typeof error['records'] === 'number' ? error['records'] + 1 : null;
  const where = row === null ? '' : ` in row ${row}`;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return says(`a quotation mark${where} is never closed: close it, or save the list as CSV again`);
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return says(`the row${where} has no end: add the missing quotation mark, or save the list as CSV again`);
  return says(`the file can’t be split into columns${where}: save the list as CSV again`);
}

/** How a refusal crosses from one thread to another. */
export type SaidNo = {
  status: number;
  code: Refusal['code'];
  sentence: string;
  details: RefusalDetails | undefined;
};

export const saidNo = ({ status, code, sentence, details }: Refusal): SaidNo => ({
  status,
  code,
  sentence,
  details,
});
export const asRefusal = ({ status, code, sentence, details }: SaidNo): Refusal =>
  new Refusal(status, code, sentence, details);
