// What a limit by address counts as one caller: an IPv4 address, or the /64 of an IPv6 address. A network assigns at least a
// /64, so its holder can call from any of 2^64 addresses.

const LONGEST = 64;

export function placeOf(address: string): string {
  const parts = /^[\da-f:.]{2,45}(%|$)/i.test(address) ? hextets(address.split('%')[0] ?? '') : [];
  if (parts.length !== 8 || parts.some(Number.isNaN)) return address.slice(0, LONGEST);
  const [high = 0, low = 0] = parts.slice(6);
  const isMapped = parts.slice(0, 5).every((part) => part === 0) && parts[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** The /48 that a /64 is in, of which a network gives one to many a customer; null for every other place. */
export function networkOf(place: string): string | null {
  const [, network] = /^([\da-f]{1,4}:[\da-f]{1,4}:[\da-f]{1,4}):[\da-f]{1,4}::\/64$/.exec(place) ?? [];
  return network === undefined ? null : `${network}::/48`;
}

/** A /48 has 65,536 places and may be a campus or one guesser: it is allowed so many times what one place is. */
export const PLACES_OF_A_NETWORK = 10;

/** The eight numbers of an IPv6 address; fewer, more or none of what is not one. */
function hextets(address: string): number[] {
  if (!address.includes(':')) return [];
  const numbers = (text: string): number[] =>
    text === ''
      ? []
      : text.split(':').flatMap((part) => (part.includes('.') ? dotted(part) : [parseInt(part, 16)]));
  const [before = '', behind] = address.split('::');
  const head = numbers(before);
  const tail = numbers(behind ?? '');
  if (behind === undefined) return head;
  return [...head, ...Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => 0), ...tail];
}

function dotted(text: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}
