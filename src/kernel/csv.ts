// Writes CSV (RFC 4180) that a spreadsheet reads as text: a cell that would start a formula gets an apostrophe, as spreadsheets
// do themselves. Also the one way to turn a list into such a file.
import { z } from 'zod';
import type { Operation } from './operation.ts';
import type { Page } from './page.ts';
import { bind, type Bound, type ReadContext } from './context.ts';
import type { page as paging } from './shapes.ts';

/** Spreadsheets begin a formula with the wide forms of these signs too, and pass over a break of a line before one. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Tells spreadsheets that the text is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** A number is the product's own and stays one, below zero too; text is anyone's. */
type Cell = string | number | boolean | null;

export function csvCell(value: Cell): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = value ?? '';
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

const LOOKED_FOR = new Set(['query', 'address', 'domain']);

/** The audit log outlives everyone who is erased: of words and addresses that were looked for it keeps that they were. */
export function filtersInWords(filters: object): string {
  const said = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (LOOKED_FOR.has(name) ? name : `${name}=${String(value)}`));
  return said.length === 0 ? '' : `, by ${said.join(' ')}`.slice(0, 250).toWellFormed();
}

export const csvName = (noun: string, now: Date): string =>
  `${noun.replaceAll(' ', '-')}-${now.toISOString().slice(0, 10)}.csv`;

type Paged = z.ZodObject<typeof paging>;
type List<Takes extends Paged, Row> = Operation<string, Takes, z.ZodType<Page<Row>>, 'read'>;
/** Its filters are the list's, which the screens know by the list. */
type File<Name extends string> = Operation<
  Name,
  z.ZodObject,
  z.ZodString,
  'read',
  { file: string; instead: string }
>;

/** States the file of a list: below its route, behind its gates, with its filters. `nouns`: what it lists, in plain letters. */
export function csvOf<const Name extends string, Takes extends Paged, Row>(
  list: List<Takes, Row>,
  name: Name,
  nouns: string,
): File<Name> {
  const { limit: _rows, cursor: _from, ...example } = list.example as Record<string, unknown>;
  return {
    ...list,
    name,
    says: `Returns ${nouns} as a CSV file, with the filters and order of the list. The audit log records each export.`,
    path: `${list.path}/export`,
    takes: list.takes.omit({ limit: true, cursor: true }),
    gives: z.string(),
    example,
    cost: 'long',
    answers: {
      file: 'text/csv; charset=utf-8',
      instead: `this route returns a file: read GET ${list.path} with the same filters, page by page`,
    },
  } as File<Name>;
}

/** What is in each column of a row, by the column's heading. */
type CsvColumns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

const ROWS_AT_ONCE = 200;

/**
 * Joins the file to its list: read page by page by the list's own operation, as the same caller, and written as it is read. A row
 * that its caller may not see is in neither.
 */
export function bindCsv<Name extends string, Takes extends Paged, Row>(
  file: File<Name>,
  list: List<Takes, Row>,
  nouns: string,
  columns: CsvColumns<Row>,
): Bound {
  const cells = Object.values(columns);
  const lineOf = (row: Row): string => csvLine(cells.map((cell) => cell(row)));
  const pageOf = (context: ReadContext, filters: object, cursor: string | null): Promise<Page<Row>> =>
    context.invoke(list, { ...filters, limit: ROWS_AT_ONCE, ...(cursor && { cursor }) } as z.input<Takes>);
  async function* pieces(context: ReadContext, filters: object, first: Page<Row>): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLine(Object.keys(columns));
    for (let page = first; ; page = await pageOf(context, filters, page.next_cursor)) {
      yield page.items.map(lineOf).join('');
      if (page.next_cursor === null) return;
    }
  }
  return bind(file, async (context, filters) => {
    // What the list refuses is refused here too, before a file is begun that would only break off.
    const first = await pageOf(context, filters, null);
    context.account(`${nouns} as CSV${filtersInWords(filters)}`);
    return { filename: csvName(nouns, context.now), pieces: pieces(context, filters, first) };
  });
}
