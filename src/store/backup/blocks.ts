// Splits a backup’s text as it arrives, in pieces of any size: lines outside tables, and rows inside them.

export type Block =
  | { kind: 'line'; text: string }
  /** Whole rows of the table whose line came before. */
  | { kind: 'rows'; bytes: Buffer }
  | { kind: 'end_of_table' };

const NEWLINE = 10;
const END = Buffer.from('\\.\n');
const END_AFTER_ROW = Buffer.from('\n\\.\n');

/** A value never has a line that is the end of a table: COPY writes a backslash as two. What is left over is dropped. */
export async function* blocksOf(source: AsyncIterable<Buffer>): AsyncGenerator<Block> {
  let rest: Buffer = Buffer.alloc(0);
  let inTable = false;
  for await (const chunk of source) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    for (let length = -1; length !== rest.length;) {
      length = rest.length;
      if (!inTable) {
        const end = rest.indexOf(NEWLINE);
        if (end === -1) break;
        const text = rest.subarray(0, end).toString('utf8');
        rest = rest.subarray(end + 1);
        inTable = text.startsWith('copy ');
        yield { kind: 'line', text };
      } else if (rest.subarray(0, END.length).equals(END)) {
        rest = rest.subarray(END.length);
        inTable = false;
        yield { kind: 'end_of_table' };
      } else {
        const end = rest.indexOf(END_AFTER_ROW);
        const rows = (end === -1 ? rest.lastIndexOf(NEWLINE) : end) + 1;
        if (rows === 0) break;
        const bytes = rest.subarray(0, rows);
        rest = rest.subarray(rows);
        yield { kind: 'rows', bytes };
      }
    }
  }
}
