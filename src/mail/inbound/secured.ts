// Signed and encrypted letters. Signatures aren’t verified here: what they cover is read like any letter. S/MIME that
// wraps its content in one ASN.1 value (RFC 8551 §3.5.2) is opened as far as the content.
import type { Fields } from '../reports/fields.ts';
import { first } from '../reports/fields.ts';

/** Values within values; a signed letter nests six deep. */
const DEEPEST = 24;

const SIGNED = /^-----BEGIN PGP SIGNED MESSAGE-----[ \t]*$/m;
const SIGNATURE = /^-----BEGIN PGP SIGNATURE-----[ \t]*$/m;
const SIGNATURE_END = /^-----END PGP SIGNATURE-----[ \t]*$/m;

/** The words of a text that PGP signed in place (RFC 9580 §7), with what is around them. */
export function withoutArmour(text: string): string {
  const begin = SIGNED.exec(text);
  if (begin === null) return text;
  const inside = text.slice(begin.index + begin[0].length);
  const signature = SIGNATURE.exec(inside);
  if (signature === null) return text;
  // Header lines of the armour end with an empty line.
  const words = inside
    .slice(0, signature.index)
    .replace(/^\n(?:[A-Za-z]{1,20}: [^\n]{0,200}\n){0,9}\n/, '')
    .replace(/^- /gm, '');
  const rest = inside.slice(signature.index);
  const end = SIGNATURE_END.exec(rest);
  return `${text.slice(0, begin.index)}${words}${end ? rest.slice(end.index + end[0].length) : ''}`.trim();
}

export function isEncrypted(header: Fields, text: string): boolean {
  const type = (first(header, 'content-type') ?? '').slice(0, 1000);
  if (/^\s*multipart\/encrypted\b/i.test(type)) return true;
  if (isOpaque(header)) return /smime-type\s*=\s*"?(?:enveloped|authenveloped)-data/i.test(type);
  return /^-----BEGIN PGP MESSAGE-----[ \t]*$/m.test(text);
}

export const isOpaque = (header: Fields): boolean =>
  /^\s*application\/(?:x-)?pkcs7-mime\b/i.test((first(header, 'content-type') ?? '').slice(0, 1000));

const [INTEGER, OCTETS, OBJECT_ID, SEQUENCE, SET, CONTENT] = [0x02, 0x04, 0x06, 0x30, 0x31, 0xa0];

type Value = { tag: number; start: number; end: number; next: number };

/** The message within a SignedData (RFC 5652 §5.1); null where the bytes are nothing of the kind. */
export function contentOfSigned(bytes: Uint8Array): Uint8Array | null {
  const path = [[SEQUENCE], [OBJECT_ID, CONTENT], [SEQUENCE], [INTEGER, SET, SEQUENCE], [OBJECT_ID, CONTENT]];
  let within: Value | null = { tag: 0, start: 0, end: bytes.length, next: bytes.length };
  for (const tags of path) {
    const values: Value[] = within === null ? [] : childrenOf(bytes, within, tags.length);
    within =
      values.length === tags.length && tags.every((tag, at) => values[at]?.tag === tag)
        ? (values.at(-1) ?? null)
        : null;
  }
  const content = within === null ? undefined : childrenOf(bytes, within, 1)[0];
  return content === undefined ? null : octets(bytes, content);
}

/** A string may be one value or, where its writer did not know its length, many. */
function octets(bytes: Uint8Array, value: Value): Uint8Array | null {
  if (value.tag === OCTETS) return bytes.subarray(value.start, value.end);
  if (value.tag !== (OCTETS | 0x20)) return null;
  const parts = childrenOf(bytes, value, 100_000).filter(({ tag }) => tag === OCTETS);
  return Buffer.concat(parts.map(({ start, end }) => bytes.subarray(start, end)));
}

function childrenOf(bytes: Uint8Array, { start, end }: Value, most: number): Value[] {
  const found: Value[] = [];
  for (let at = start; at < end && found.length < most;) {
    const value = valueAt(bytes, at, end, DEEPEST);
    if (value === null) break;
    found.push(value);
    at = value.next;
  }
  return found;
}

function valueAt(bytes: Uint8Array, at: number, end: number, levels: number): Value | null {
  const [tag, size] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || size === undefined || levels === 0 || (tag & 0x1f) === 0x1f) return null;
  if (size === 0x80) return openEnded(bytes, tag, at + 2, end, levels);
  const more = size > 0x80 ? size & 0x7f : 0;
  if (more > 4) return null;
  let length = more === 0 ? size : 0;
  for (let each = 0; each < more; each++) length = length * 256 + (bytes[at + 2 + each] ?? 0);
  const start = at + 2 + more;
  const stop = start + length;
  return stop > end ? null : { tag, start, end: stop, next: stop };
}

/** A value without a length ends where two zeros are in the place of the next one. */
function openEnded(bytes: Uint8Array, tag: number, start: number, end: number, levels: number): Value | null {
  for (let at = start; at < end;) {
    if (bytes[at] === 0 && bytes[at + 1] === 0) return { tag, start, end: at, next: at + 2 };
    const inner = valueAt(bytes, at, end, levels - 1);
    if (inner === null) return null;
    at = inner.next;
  }
  return null;
}
