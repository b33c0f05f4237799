// Keeps what the plan read from a file, so that the write needn’t parse a long list again. It is found by the same bytes,
// options and caller, used once, and soon discarded.
import type { Principal } from '../../../../kernel/caller.ts';
import { MINUTE_MS } from '../../../../kernel/clock.ts';
import type { People, Wishes } from './reading.ts';

export type Known = { by: Pick<Principal, 'kind' | 'id'>; sha256: string; wishes: Wishes };

const KEPT_MS = 15 * MINUTE_MS;
/** Of all that is kept, about a byte each: some hundred thousand rows. */
export const CHARS_KEPT = 64 * 1024 * 1024;

type Kept = { people: People; chars: number; timer: NodeJS.Timeout };
const kept = new Map<string, Kept>();

/** A short list is read again in a few milliseconds. */
export function keepRead(known: Known, people: People): void {
  if (people.parts.length < 2) return;
  const key = keyOf(known);
  forget(key);
  const chars = people.parts.reduce((sum, { text }) => sum + text.length, 0);
  if (chars > CHARS_KEPT) return;
  // The oldest go first.
  let all = [...kept.values()].reduce((sum, each) => sum + each.chars, chars);
  for (const [oldest, each] of kept) {
    if (all <= CHARS_KEPT) break;
    all -= each.chars;
    forget(oldest);
  }
  kept.set(key, { people, chars, timer: setTimeout(() => kept.delete(key), KEPT_MS).unref() });
}

export function takeRead(known: Known): People | null {
  return forget(keyOf(known));
}

function forget(key: string): People | null {
  const found = kept.get(key);
  if (!found) return null;
  clearTimeout(found.timer);
  kept.delete(key);
  return found.people;
}

const keyOf = ({ by, sha256, wishes }: Known): string =>
  JSON.stringify([by.kind, by.id, sha256, wishes.mapping, wishes.fields, wishes.all]);
