// A QR code (ISO/IEC 18004) of a text: byte mode, error correction level M, versions 1 to 12 (up to 287 bytes, far more than
// an otpauth link). Gives rows of modules, true where dark.

/** Version: [error-correction bytes a block, blocks of the first size, data bytes in each, blocks with one byte more]. */
const LEVEL_M: [number, number, number, number][] = [
  [10, 1, 16, 0],
  [16, 1, 28, 0],
  [26, 1, 44, 0],
  [18, 2, 32, 0],
  [24, 2, 43, 0],
  [16, 4, 27, 0],
  [18, 4, 31, 0],
  [22, 2, 38, 2],
  [22, 3, 36, 2],
  [26, 4, 43, 1],
  [30, 1, 50, 4],
  [22, 6, 36, 2],
];

const ALIGNED = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
  [6, 30, 54],
  [6, 32, 58],
];

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i++) {
  EXP[i] = EXP[i + 255] = x;
  LOG[x] = i;
  x = (x << 1) ^ (x & 0x80 ? 0x11d : 0);
}

const times = (a: number, b: number): number => (a && b ? (EXP[(LOG[a] ?? 0) + (LOG[b] ?? 0)] ?? 0) : 0);

/** The Reed-Solomon remainder of `data` for `count` bytes of correction. */
function correction(data: number[], count: number): number[] {
  let generator = [1];
  for (let i = 0; i < count; i++) {
    const next = Array.from({ length: generator.length + 1 }, () => 0);
    generator.forEach((value, at) => {
      next[at] = (next[at] ?? 0) ^ value;
      next[at + 1] = (next[at + 1] ?? 0) ^ times(value, EXP[i] ?? 0);
    });
    generator = next;
  }
  const rest = [...data, ...Array.from({ length: count }, () => 0)];
  data.forEach((_, i) => {
    const lead = rest[i] ?? 0;
    generator.forEach((value, at) => {
      rest[i + at] = (rest[i + at] ?? 0) ^ times(value, lead);
    });
  });
  return rest.slice(data.length);
}

function codewords(bytes: Uint8Array, version: number): number[] {
  const [ecc, blocks, size, longer] = LEVEL_M[version - 1] ?? [0, 0, 0, 0];
  const room = blocks * size + longer * (size + 1);
  const bits: number[] = [];
  const push = (value: number, length: number): void => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  push(4, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const data: number[] = [];
  for (let i = 0; i < bits.length; i += 8) data.push(Number.parseInt(bits.slice(i, i + 8).join(''), 2));
  for (let pad = 0xec; data.length < room; pad ^= 0xec ^ 0x11) data.push(pad);

  const parts: number[][] = [];
  for (let at = 0, i = 0; i < blocks + longer; i++) {
    const length = i < blocks ? size : size + 1;
    parts.push(data.slice(at, at + length));
    at += length;
  }
  const fixes = parts.map((part) => correction(part, ecc));
  const across = (lists: number[][], length: number): number[] =>
    Array.from({ length }, (_, i) => lists.flatMap((list) => (i < list.length ? [list[i] ?? 0] : []))).flat();
  return [...across(parts, size + 1), ...across(fixes, ecc)];
}

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

type Grid = (boolean | null)[][];

const bch = (value: number, bits: number, polynomial: number): number => {
  let rest = value << bits;
  for (let i = Math.floor(Math.log2(rest || 1)); i >= bits; i--)
    if ((rest >> i) & 1) rest ^= polynomial << (i - bits);
  return (value << bits) | rest;
};

/** Everything but the data: finders, timing, alignment, format and version; null where data goes. */
function frame(version: number, mask: number): Grid {
  const side = version * 4 + 17;
  const grid: Grid = Array.from({ length: side }, () => Array.from({ length: side }, () => null));
  const set = (x: number, y: number, dark: boolean): void => {
    const row = grid[y];
    if (row && x >= 0 && x < side) row[x] = dark;
  };
  for (let i = 0; i < side; i++) {
    set(i, 6, i % 2 === 0);
    set(6, i, i % 2 === 0);
  }
  for (const [cx, cy] of [
    [3, 3],
    [side - 4, 3],
    [3, side - 4],
  ] as const)
    for (let dy = -4; dy <= 4; dy++)
      for (let dx = -4; dx <= 4; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        if (cy + dy >= 0) set(cx + dx, cy + dy, ring !== 2 && ring !== 4);
      }
  const centres = ALIGNED[version - 1] ?? [];
  const last = centres.at(-1);
  for (const cx of centres)
    for (const cy of centres) {
      if ((cx === 6 && (cy === 6 || cy === last)) || (cx === last && cy === 6)) continue;
      for (let dy = -2; dy <= 2; dy++)
        for (let dx = -2; dx <= 2; dx++) set(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }
  // Level M is 00 in the format's first two bits.
  const format = bch(mask, 10, 0x537) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const dark = ((format >> i) & 1) === 1;
    if (i < 8) {
      set(8, i < 6 ? i : i + 1, dark);
      set(side - 1 - i, 8, dark);
    } else {
      set(i === 8 ? 7 : 14 - i, 8, dark);
      set(8, side - 15 + i, dark);
    }
  }
  set(8, side - 8, true);
  if (version >= 7) {
    const bits = bch(version, 12, 0x1f25);
    for (let i = 0; i < 18; i++) {
      const dark = ((bits >> i) & 1) === 1;
      set(side - 11 + (i % 3), Math.floor(i / 3), dark);
      set(Math.floor(i / 3), side - 11 + (i % 3), dark);
    }
  }
  return grid;
}

function fill(grid: Grid, words: number[], mask: number): boolean[][] {
  const side = grid.length;
  const hides = MASKS[mask];
  let bit = 0;
  for (let right = side - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < side; step++) {
      const up = ((right + 1) & 2) === 0;
      const y = up ? side - 1 - step : step;
      for (const x of [right, right - 1]) {
        const row = grid[y];
        if (!row || row[x] !== null) continue;
        const dark = (((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        row[x] = dark !== (hides?.(x, y) ?? false);
        bit++;
      }
    }
  }
  return grid.map((row) => row.map((cell) => cell === true));
}

/** How hard it is to read: runs of one colour, blocks, what looks like a finder, and an uneven share of dark. */
function penalty(modules: boolean[][]): number {
  const side = modules.length;
  let score = 0;
  const lines = [...modules, ...modules.map((_, x) => modules.map((row) => row[x] ?? false))];
  for (const line of lines) {
    const text = line.map((dark) => (dark ? '1' : '0')).join('');
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) score += run.length - 2;
    score += 40 * (text.match(/(?=10111010000|00001011101)/g)?.length ?? 0);
  }
  for (let y = 0; y < side - 1; y++)
    for (let x = 0; x < side - 1; x++) {
      const one = modules[y]?.[x];
      if (one === modules[y]?.[x + 1] && one === modules[y + 1]?.[x] && one === modules[y + 1]?.[x + 1])
        score += 3;
    }
  const dark = modules.flat().filter(Boolean).length / side ** 2;
  return score + Math.floor(Math.abs(dark * 20 - 10)) * 10;
}

export function qrModules(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  const version =
    LEVEL_M.findIndex(
      ([, blocks, size, longer], i) => bytes.length + (i < 9 ? 2 : 3) <= blocks * size + longer * (size + 1),
    ) + 1;
  if (version === 0) throw new RangeError('too long for a QR code');
  const words = codewords(bytes, version);
  const drawn = MASKS.map((_, mask) => fill(frame(version, mask), words, mask));
  return drawn.reduce((best, next) => (penalty(next) < penalty(best) ? next : best));
}
