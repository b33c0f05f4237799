// Text in charsets that node reads and does not write: by asking its reader about every sequence of one and two bytes.

const tables = new Map<string, Map<string, number[]>>();

function tableOf(charset: string): Map<string, number[]> {
  const known = tables.get(charset);
  if (known) return known;
  const decoder = new TextDecoder(charset, { fatal: true });
  const table = new Map<string, number[]>();
  const note = (bytes: number[]): void => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes));
      if ([...text].length === 1 && !table.has(text)) table.set(text, bytes);
    } catch {
      // Nothing is written so.
    }
  };
  for (let one = 0; one < 256; one++) note([one]);
  for (let one = 128; one < 255; one++) for (let two = 64; two < 255; two++) note([one, two]);
  tables.set(charset, table);
  return table;
}

const ESCAPED = { kanji: [0x1b, 0x24, 0x42], ascii: [0x1b, 0x28, 0x42] };

export function inCharset(charset: string, text: string): Uint8Array {
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le');
  // ISO-2022-JP is EUC-JP without its high bits, between two escapes.
  const isJis = charset === 'iso-2022-jp';
  const table = tableOf(isJis ? 'euc-jp' : charset);
  const bytes = [...text].flatMap((letter) => table.get(letter) ?? [0x3f]);
  return Uint8Array.from(
    isJis ? [...ESCAPED.kanji, ...bytes.map((byte) => byte & 0x7f), ...ESCAPED.ascii] : bytes,
  );
}
