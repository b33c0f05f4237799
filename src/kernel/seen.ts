// Makes sure that what was shown is what is signed: a fingerprint of everything an act depends on, returned by the read and sent
// back with the act. Proposals and workflow steps carry the same string.
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { conflict, type Refusal } from './refusal.ts';
import { SEEN_IN } from './shapes.ts';

/** The same string for equal values, whatever the order of their keys; dates count as the moments they are. */
export const seenOf = (...shown: readonly unknown[]): string =>
  createHash('sha256').update(canonical(shown)).digest('base64url').slice(0, 32);

function canonical(value: unknown): string {
  const plain = value instanceof Date ? value.toISOString() : (value ?? null);
  if (typeof plain !== 'object' || plain === null) return JSON.stringify(plain);
  if (Array.isArray(plain)) return `[${plain.map(canonical).join(',')}]`;
  const entries = Object.entries(plain).filter(([, inner]) => inner !== undefined);
  return `{${entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
    .join(',')}}`;
}

/**
 * Refuses an act on something that is no longer what its caller looked at. Screens always say what they showed; a program may
 * leave it out, and then signs for what is there (domain.md §4.4: the body of such an act may be empty).
 */
export function refusedAsUnseen(
  given: string | undefined,
  present: string,
  { noun, read }: { noun: string; read: string },
): Refusal | null {
  if (given === undefined || given === present) return null;
  return conflict(`this ${noun} changed since you read it: read it again, then decide`, { read });
}

/** The operation whose answer holds the `seen` that this one takes; null where it takes none. */
export function seenFrom(takes: z.ZodObject): string | null {
  const { seen } = takes.shape;
  const from = seen && 'meta' in seen ? (seen as z.ZodType).meta()?.[SEEN_IN] : undefined;
  return typeof from === 'string' ? from : null;
}
