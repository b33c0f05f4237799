// Checks that a token's value has the shape of the specification, and that a typing error never reaches the database.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawValue, hasTokenShape, hintOf, randomBase62, sha256 } from './value.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('a value is nck_, 43 characters of randomness and 6 of checksum, and no two are alike', () => {
  const drawn = Array.from({ length: 500 }, drawValue);
  for (const value of drawn) {
    expect(value).toMatch(/^nck_[0-9A-Za-z]{49}$/);
    expect(hasTokenShape(value)).toBe(true);
  }
  expect(new Set(drawn).size).toBe(500);
});

test('one wrong character anywhere is seen by the checksum', () => {
  fc.assert(
    fc.property(fc.nat(48), fc.constantFrom(...ALPHABET), (at, wrong) => {
      const value = drawValue();
      fc.pre(value[at + 4] !== wrong);
      expect(hasTokenShape(value.slice(0, at + 4) + wrong + value.slice(at + 5))).toBe(false);
    }),
  );
});

test('C9: a truncated, lengthened, padded, case-changed or foreign value has no shape', () => {
  const value = drawValue();
  const swapped = [...value].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
  for (const wrong of [
    '',
    'nck_',
    value.slice(0, -1),
    `${value}0`,
    ` ${value}`,
    `${value}\n`,
    swapped,
    value.replace('nck_', 'nsk_'),
  ])
    expect(hasTokenShape(wrong), wrong).toBe(false);
  expect(hasTokenShape(`nck_${randomBase62(49)}`)).toBe(false);
});

test('randomness uses every character of the alphabet about as often', () => {
  const counts = new Map<string, number>();
  for (const c of randomBase62(62_000)) counts.set(c, (counts.get(c) ?? 0) + 1);
  expect(counts.size).toBe(62);
  for (const count of counts.values()) expect(count).toBeGreaterThan(800);
});

test('what is stored is 32 bytes that the value makes and that do not make the value; the hint is its end', () => {
  const value = drawValue();
  expect(sha256(value)).toHaveLength(32);
  expect(sha256(value).equals(sha256(value))).toBe(true);
  expect(value.endsWith(hintOf(value))).toBe(true);
  expect(hintOf(value)).toHaveLength(4);
});
