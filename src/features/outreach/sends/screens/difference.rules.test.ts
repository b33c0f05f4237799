// Differences by words: what goes out and what comes in gives both texts back, whatever they are.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { difference, type Piece } from './difference.rules.ts';

const side = (pieces: Piece[], not: 'in' | 'out') =>
  pieces
    .filter(({ kind }) => kind !== not)
    .map(({ text }) => text)
    .join('');

test('a changed word is as what went and what came, with the rest in between', () => {
  expect(difference('Dear {{ person.name }} ,\nwe saw it.', 'Dear Dana ,\nwe saw it.')).toEqual([
    { kind: 'same', text: 'Dear ' },
    { kind: 'out', text: '{{ person.name }}' },
    { kind: 'in', text: 'Dana' },
    { kind: 'same', text: ' ,\nwe saw it.' },
  ]);
});

test('both texts can be read out of a difference, and no text differs from itself', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', 'ä'), maxLength: 60 });
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const pieces = difference(before, after);
      expect(side(pieces, 'in')).toBe(before);
      expect(side(pieces, 'out')).toBe(after);
      expect(difference(before, before).every(({ kind }) => kind === 'same')).toBe(true);
    }),
  );
});
