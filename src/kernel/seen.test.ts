// The fingerprint of what was shown: equal for equal values, and another for every difference that could be signed for.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { seenFrom, seenOf } from './seen.ts';
import { seenIn } from './shapes.ts';

test('the order of keys does not count, and what is undefined is not there', () => {
  expect(seenOf({ a: 1, b: [2, { c: 3, d: undefined }] })).toBe(seenOf({ b: [2, { c: 3 }], a: 1 }));
  expect(seenOf(new Date(0))).toBe(seenOf('1970-01-01T00:00:00.000Z'));
});

test('every difference counts: order of a list, null, where a value exists, its type', () => {
  const all = [{ a: 1 }, { a: '1' }, { a: null }, { b: 1 }, {}, [], [1, 2], [2, 1], [[1], 2], 'x', ['x']];
  expect(new Set(all.map((one) => seenOf(one))).size).toBe(all.length);
  expect(seenOf('a', 'b')).not.toBe(seenOf('ab'));
});

test('an act says which operation answers with its seen', () => {
  expect(seenFrom(z.strictObject({ seen: seenIn('campaign_preflight') }))).toBe('campaign_preflight');
  expect(seenFrom(z.strictObject({ id: z.string() }))).toBeNull();
});
