// Header-like fields in text: the blocks of a delivery status, the fields of a feedback report, the header of a
// returned letter. Folded lines are joined; a line that isn’t a field is skipped.

/** Field name in lower case → its values in order. */
export type Fields = ReadonlyMap<string, string[]>;

export const first = (fields: Fields, name: string): string | undefined => fields.get(name)?.[0];

const FIELD = /^([A-Za-z][\w-]{0,76})\s{0,4}:[ \t]?(.*)$/;
/** Characters kept of one field, folds and all: a hostile one may be a megabyte. */
const FIELD_CHARS = 8 * 1024;

/** The groups of fields that blank lines part, at most `most` of them; the rest is left unread. */
export function readBlocks(text: string, most: number): { blocks: Fields[]; truncated: boolean } {
  const blocks: Fields[] = [];
  let block = new Map<string, string[]>();
  let current: string[] | null = null;
  for (const line of linesOf(text)) {
    if (line.trim() === '') {
      if (block.size > 0) blocks.push(block);
      if (blocks.length >= most) return { blocks, truncated: true };
      block = new Map();
      current = null;
    } else if (current !== null && /^[ \t]/.test(line)) {
      unfold(current, line);
    } else {
      current = take(block, line);
    }
  }
  if (block.size > 0) blocks.push(block);
  return { blocks, truncated: false };
}

/** The first block alone: the header of a message whose text this is. */
export const readHeader = (text: string): Fields =>
  readBlocks(text.replace(/^\s+/, ''), 1).blocks[0] ?? new Map();

function take(block: Map<string, string[]>, line: string): string[] | null {
  const field = FIELD.exec(line);
  if (!field) return null;
  const name = (field[1] as string).toLowerCase();
  const values = block.get(name) ?? [];
  if (values.length < 1000) values.push((field[2] as string).slice(0, FIELD_CHARS).trim());
  block.set(name, values);
  return values;
}

function unfold(values: string[], line: string): void {
  const last = values.at(-1) ?? '';
  if (last.length < FIELD_CHARS)
    values[values.length - 1] = `${last} ${line.slice(0, FIELD_CHARS).trim()}`.trim();
}

/** Line after line, without a list of all of them in memory. */
export function* linesOf(text: string): Generator<string> {
  for (let start = 0; start <= text.length;) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 ? text.length : end;
    yield text.slice(start, text[stop - 1] === '\r' ? stop - 1 : stop);
    start = stop + 1;
  }
}
