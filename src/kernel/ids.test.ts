// Ids sort by birth, those of one millisecond too.
import { expect, test } from 'vitest';
import { isUuid, newId } from './ids.ts';

test('every id sorts after the one before, and is a UUID of version 7', () => {
  const ids = Array.from({ length: 5_000 }, newId);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => isUuid(id) && /^.{14}7.{4}[89ab]/.test(id))).toBe(true);
});
