// What a plan read of a long list is given to the write of the very same, once, and never grows beyond its bound.
import { expect, test } from 'vitest';
import { CHARS_KEPT, keepRead, type Known, takeRead } from './kept.ts';
import type { People } from './reading.ts';

const known: Known = {
  by: { kind: 'person', id: 'ann' },
  sha256: 'a'.repeat(64),
  wishes: { mapping: {}, fields: [], all: { source: null, basis: null, tags: [] } },
};
/** The text is never looked into; only its length counts. */
const part = (chars: number) => ({ count: 1_000, from: 2, to: 1_001, text: 'x'.repeat(chars) });
const people = (chars = 10): People => ({
  head: { format: { kind: 'xlsx' }, columns: [], samples: [] },
  parts: [part(chars), part(0)],
});

test('what was read for a plan is given to the write of the same bytes, wishes and principal, and once', () => {
  const read = people();
  keepRead(known, read);
  expect(takeRead({ ...known, by: { kind: 'person', id: 'bob' } })).toBeNull();
  expect(takeRead({ ...known, sha256: 'b'.repeat(64) })).toBeNull();
  const tagged = { ...known.wishes, all: { ...known.wishes.all, tags: ['x'] } };
  expect(takeRead({ ...known, wishes: tagged })).toBeNull();
  const field = { key: 'seats', title: 'Seats', kind: 'number' as const, options: [] };
  expect(takeRead({ ...known, wishes: { ...known.wishes, fields: [field] } })).toBeNull();
  expect(takeRead(known)).toBe(read);
  expect(takeRead(known), 'its people have their ids: they are written once').toBeNull();
});

test('a short list is not kept, and of long ones no more than the bound: the oldest go first', () => {
  keepRead(known, { ...people(), parts: [part(10)] });
  expect(takeRead(known)).toBeNull();
  keepRead(known, people(CHARS_KEPT + 1));
  expect(takeRead(known)).toBeNull();
  const nth = (n: number): Known => ({ ...known, sha256: String(n).repeat(64) });
  for (const n of [1, 2, 3]) keepRead(nth(n), people(CHARS_KEPT / 2));
  expect(takeRead(nth(1))).toBeNull();
  expect(takeRead(nth(2))).not.toBeNull();
  expect(takeRead(nth(3))).not.toBeNull();
});
