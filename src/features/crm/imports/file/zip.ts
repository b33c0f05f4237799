// Archives that strangers made, opened with care: what the directory says is added up before anything is inflated, and what
// comes out is counted again, because a directory may lie. The sheet reader then gets an archive that was made here.
import { crc32, inflateRawSync } from 'node:zlib';
import { invalid, type Refusal } from '../../../../kernel/refusal.ts';

const says = (sentence: string): Refusal => invalid(sentence, { file: sentence });

export const NO_WORKBOOK = says(
  'this workbook can’t be read: save it as .xlsx again, without a password, or as CSV',
);
export const TOO_MUCH_INSIDE = says(
  'this workbook is over 100 MiB once unpacked: keep only the sheet with people, or save that sheet as CSV',
);

export const TOO_DENSE = says(
  'this workbook unpacks to more than 50 times its size: keep only the sheet with people, or save that sheet as CSV',
);

/** Lists of people unfold to about ten times their size; what is small may unfold further, because it stays small. */
const DENSEST = 50;
const SMALL_BYTES = 20 * 1024 * 1024;

export const UNFOLDED_MAX_BYTES = 100 * 1024 * 1024;
const MOST_ENTRIES = 2_000;

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

/** The XML parts of an archive, inflated. */
export function openZip(bytes: Uint8Array, maxBytes: number = UNFOLDED_MAX_BYTES): Map<string, Buffer> {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const dense = Math.max(zip.length * DENSEST, SMALL_BYTES);
  const [most, refusal] = dense < maxBytes ? [dense, TOO_DENSE] : [maxBytes, TOO_MUCH_INSIDE];
  try {
    return inflated(zip, directory(zip, most), most);
  } catch (error) {
    const isOutgrown =
      error === TOO_MUCH_INSIDE || (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
    throw isOutgrown ? refusal : NO_WORKBOOK;
  }
}

type Entry = { name: string; method: number; packed: number; at: number };

function directory(zip: Buffer, maxBytes: number): Entry[] {
  // The end record is last, before a comment of at most 65,535 bytes.
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== END) {
    end -= 1;
    if (end < zip.length - 66_000) throw NO_WORKBOOK;
  }
  const count = zip.readUInt16LE(end + 10);
  if (count > MOST_ENTRIES) throw TOO_MUCH_INSIDE;
  const entries: Entry[] = [];
  let unfolded = 0;
  let at = zip.readUInt32LE(end + 16);
  for (let i = 0; i < count; i++) {
    if (zip.readUInt32LE(at) !== ENTRY || (zip.readUInt16LE(at + 8) & ENCRYPTED) !== 0) throw NO_WORKBOOK;
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    unfolded += zip.readUInt32LE(at + 24);
    if (unfolded > maxBytes) throw TOO_MUCH_INSIDE;
    entries.push({
      name,
      method: zip.readUInt16LE(at + 10),
      packed: zip.readUInt32LE(at + 20),
      at: zip.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}

function inflated(zip: Buffer, entries: Entry[], maxBytes: number): Map<string, Buffer> {
  const parts = new Map<string, Buffer>();
  let left = maxBytes;
  for (const { name, method, packed, at } of entries) {
    if (!/\.(xml|rels)$/.test(name)) continue;
    if (zip.readUInt32LE(at) !== LOCAL) throw NO_WORKBOOK;
    const from = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
    const data = zip.subarray(from, from + packed);
    if (data.length < packed || (method !== STORED && method !== DEFLATED)) throw NO_WORKBOOK;
    const part = method === STORED ? data : inflateRawSync(data, { maxOutputLength: Math.max(left, 1) });
    left -= part.length;
    if (left < 0) throw TOO_MUCH_INSIDE;
    parts.set(name, part);
  }
  return parts;
}

/** An archive of these parts, unpacked. */
export function storeZip(parts: ReadonlyMap<string, Buffer>): Buffer {
  const out: Buffer[] = [];
  const index: Buffer[] = [];
  let at = 0;
  for (const [name, data] of parts) {
    const path = Buffer.from(name, 'utf8');
    // From "version needed" to "extra length": the same in both headers.
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt32LE(crc32(data), 10);
    facts.writeUInt32LE(data.length, 14);
    facts.writeUInt32LE(data.length, 18);
    facts.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([uint32(LOCAL), facts, path]);
    const listed = Buffer.alloc(14);
    listed.writeUInt32LE(at, 10);
    index.push(Buffer.concat([uint32(ENTRY), Buffer.from([20, 0]), facts, listed, path]));
    out.push(local, data);
    at += local.length + data.length;
  }
  const listing = Buffer.concat(index);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(parts.size, 8);
  end.writeUInt16LE(parts.size, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...out, listing, end]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
