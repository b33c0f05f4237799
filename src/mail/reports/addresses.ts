// Addresses and Message-IDs in strangers’ fields and sentences: limited, never throwing, never repaired.
import { withoutEnd } from '../../kernel/edges.ts';

/** What encloses and ends an address in sentences of East Asia and in print. */
const SIGNS = '（）［］【】「」『』《》〈〉，。、：；！？“”‘’«»…';
const LOCAL = String.raw`[^\s@<>()\[\]",;:\\${SIGNS}]{1,64}`;
const DOMAIN = String.raw`[^\s@<>()\[\]",;:\\/'|${SIGNS}]{1,255}`;

/** The source of a pattern that is one address, for patterns that look for one among other things. */
export const ADDRESS = `${LOCAL}@${DOMAIN}`;

const ANYWHERE = new RegExp(ADDRESS, 'g');

/** The address with its domain in lower case and the dots that sentences end in taken off; null when it is none. */
export function tidyAddress(text: string): string | null {
  const at = text.lastIndexOf('@');
  const domain = withoutEnd(text.slice(at + 1), '.…').toLowerCase();
  const local = text
    .slice(0, at)
    .replace(/^mailto:/i, '')
    .replace(/^['*`]+/, '');
  if (at < 1 || local === '' || domain === '' || domain.startsWith('.')) return null;
  return `${local}@${domain}`;
}

export function addressesIn(text: string, most: number): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(ANYWHERE)) {
    const address = tidyAddress(match[0]);
    if (address !== null && !found.includes(address)) found.push(address);
    if (found.length >= most) break;
  }
  return found;
}

/**
 * The address of a recipient field, `rfc822; <someone@example.org>` (RFC 3464 §2.3.2), also without its type and with a
 * quoted local part. Other types of address (X.400, a fax number) are none of ours: null.
 */
export function recipientOf(field: string | undefined): string | null {
  if (field === undefined || field.length > 1000) return null;
  const typed = /^\s*([\w-]{1,20})\s*;\s*/.exec(field);
  const type = typed?.[1]?.toLowerCase();
  if (type !== undefined && type !== 'rfc822' && type !== 'utf-8' && type !== 'unknown') return null;
  const value = unescape(field.slice(typed?.[0].length ?? 0).trim());
  const quoted = /^<?("[^"\r\n]{1,62}"@[^\s<>"@]{1,255})>?$/.exec(value);
  if (quoted) return tidyAddress(quoted[1] as string);
  return addressesIn(value, 1)[0] ?? null;
}

/** The characters that an international address is spelt with in an ASCII field (RFC 6533 §3). */
function unescape(value: string): string {
  return value.replace(/\\x\{([0-9A-Fa-f]{2,6})\}/g, (whole, hex: string) => {
    const point = Number.parseInt(hex, 16);
    return point >= 0x20 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
      ? String.fromCodePoint(point)
      : whole;
  });
}

/** The Message-IDs of a field, without their brackets. */
export function messageIdsIn(field: string | undefined, most: number): string[] {
  if (field === undefined) return [];
  return [...field.slice(0, 8000).matchAll(/<([^<>\s]{3,500})>/g)]
    .slice(0, most)
    .map((each) => each[1] as string);
}

export function hostOf(field: string | undefined): string | null {
  const name =
    /^(?:\s*[\w-]{1,20}\s*;)?\s*([A-Za-z0-9](?:[A-Za-z0-9-]|\.(?=[A-Za-z0-9])){0,251})(?![^\s()[\],;:])/.exec(
      field?.slice(0, 1000) ?? '',
    );
  return name?.[1]?.toLowerCase() ?? null;
}
