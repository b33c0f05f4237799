// The differences between two texts by words, for comparing a letter with its template or an earlier version. Very long texts
// are compared by lines. Pure.
export type Piece = { kind: 'same' | 'out' | 'in'; text: string };

/** Cells of the table that two texts may fill; more would be felt while reading. */
const CELLS_MAX = 1_500_000;

/** A field is one word. */
const WORDS = /(\{\{[^{}\n]*\}\}|\s+)/;

export function difference(before: string, after: string): Piece[] {
  const words = [split(before, WORDS), split(after, WORDS)] as const;
  const small = words[0].length * words[1].length <= CELLS_MAX;
  const [from, to] = small ? words : [split(before, /(\n)/), split(after, /(\n)/)];
  if (from.length * to.length > CELLS_MAX)
    return [
      { kind: 'out', text: before },
      { kind: 'in', text: after },
    ];
  return joined(walk(from, to, lengths(from, to)));
}

const split = (text: string, at: RegExp): string[] => text.split(at).filter((part) => part !== '');

/** The longest common run of parts from each pair of positions on. */
function lengths(from: string[], to: string[]): Uint32Array {
  const width = to.length + 1;
  const table = new Uint32Array((from.length + 1) * width);
  for (let i = from.length - 1; i >= 0; i--)
    for (let j = to.length - 1; j >= 0; j--)
      table[i * width + j] =
        from[i] === to[j]
          ? (table[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0);
  return table;
}

function walk(from: string[], to: string[], table: Uint32Array): Piece[] {
  const width = to.length + 1;
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    const [old, next] = [from[i], to[j]];
    if (old !== undefined && old === next) {
      pieces.push({ kind: 'same', text: old });
      i++;
      j++;
    } else if (
      next === undefined ||
      (old !== undefined && (table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0))
    ) {
      pieces.push({ kind: 'out', text: old ?? '' });
      i++;
    } else {
      pieces.push({ kind: 'in', text: next });
      j++;
    }
  }
  return pieces;
}

/** Neighbours of a kind as one. */
function joined(pieces: Piece[]): Piece[] {
  const runs: Piece[] = [];
  for (const piece of pieces) {
    const last = runs.at(-1);
    if (last?.kind === piece.kind) last.text += piece.text;
    else runs.push({ ...piece });
  }
  return runs;
}
