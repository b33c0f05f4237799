// The value of a token: `nck_`, 43 base62 characters of randomness (256 bits) and 6 of checksum (interface specification
// §2.2, domain.md §4.4). The checksum tells a typing error from a token without asking the database.
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'nck_';
const RANDOM_CHARS = 43;
const CHECKSUM_CHARS = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARS + CHECKSUM_CHARS}}$`);

export function drawValue(): string {
  const first = PREFIX + randomBase62(RANDOM_CHARS);
  return first + checksum(first);
}

/** Could this be a token of any instance? Says nothing about whether it is one. */
export function hasTokenShape(value: string): boolean {
  return SHAPE.test(value) && value.endsWith(checksum(value.slice(0, -CHECKSUM_CHARS)));
}

/** What is stored of a secret and looked up: 32 bytes. The values are random, so a plain hash is enough. */
export function sha256(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}

export const hintOf = (value: string): string => value.slice(-4);

/** Base62 characters without a bias: bytes above the last whole multiple of 62 are thrown away. */
export function randomBase62(length: number): string {
  let drawn = '';
  while (drawn.length < length)
    for (const byte of randomBytes(length * 2))
      if (byte < 248 && drawn.length < length) drawn += BASE62[byte % 62];
  return drawn;
}

function checksum(first: string): string {
  let rest = crc32(first);
  let text = '';
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
