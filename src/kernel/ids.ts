// Ids are UUIDv7, made by the process: they sort by creation time, and no round trip is needed to get one.
import { randomUUIDv7 } from 'node:crypto';

let last = '';

/**
 * A UUIDv7 that sorts after every other of this process: those of one millisecond are random to each other, and "newest
 * first" must hold there too (RFC 9562 §6.2, method 2: the later one is the earlier one and one more).
 */
export function newId(): string {
  const drawn = randomUUIDv7();
  last = drawn > last ? drawn : oneMore(last);
  return last;
}

/** Adds one to the random end of an id; its 48 bits do not run over within a millisecond. */
function oneMore(id: string): string {
  const end = (BigInt(`0x${id.slice(24)}`) + 1n) & 0xffff_ffff_ffffn;
  return id.slice(0, 24) + end.toString(16).padStart(12, '0');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Any UUID form (RFC 9562), whatever its version: ids of other makers must pass as well. */
export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text);
}
