// Identifiers. Every row's id is a UUIDv7 made by the process, so that a key also sorts by birth and no round trip asks for one.
import { randomUUIDv7 } from 'node:crypto';

export function newId(): string {
  return randomUUIDv7();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Any UUID form (RFC 9562), whatever its version: ids of other makers must pass as well. */
export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text);
}
