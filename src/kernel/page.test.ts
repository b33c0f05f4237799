// Checks that pages stop at whole rows and that a cursor leads on to exactly the rest; and of the board's fair cut.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cursorOf, fairlyCut, keyIn, PAGE_MAX_CHARS, pageOf } from './page.ts';

const rows = (count: number, chars: number) =>
  Array.from({ length: count }, (_, n) => ({ n, text: 'x'.repeat(chars) }));

test('a page holds at most the rows asked for, and a cursor only where more follow', () => {
  expect(pageOf(rows(3, 5), 3, (r) => [r.n])).toMatchObject({ items: rows(3, 5), next_cursor: null });
  const first = pageOf(rows(4, 5), 3, (r) => [r.n]);
  expect(first.items).toHaveLength(3);
  expect(keyIn(first.next_cursor ?? '', () => z.tuple([z.int()]))).toEqual([2]);
});

test('a page stops at whole rows before the cap', () => {
  const page = pageOf(rows(200, 1_000), 200, (r) => [r.n]);
  expect(page.items.length).toBeGreaterThan(40);
  expect(JSON.stringify(page).length).toBeLessThan(PAGE_MAX_CHARS + 200);
  expect(page.next_cursor).not.toBeNull();
});

test('a row longer than the cap still comes, alone', () => {
  expect(pageOf(rows(2, 60_000), 50, (r) => [r.n]).items).toHaveLength(1);
});

test('a cursor that no page gave is refused, naming it', () => {
  const shape = () => z.tuple([z.iso.datetime(), z.guid()]);
  for (const bad of ['', 'x', '%%%', cursorOf(['now', 'x']), cursorOf([])])
    expect(() => keyIn(bad, shape)).toThrow(/^cursor: /);
  for (const bad of ['a\0b', '\ud800', '0000-01-01T00:00:00Z'])
    expect(() => keyIn(cursorOf([bad]), () => z.tuple([z.string()]))).toThrow(/^cursor: /);
  expect(keyIn(undefined, shape)).toBeNull();
});

describe('the fair cut of a board', () => {
  const column = (count: number, chars: number) => ({
    count,
    cards: Array.from({ length: Math.min(count, 200) }, () => 'x'.repeat(chars)),
  });

  test('a board that fits is left whole', () => {
    const cut = fairlyCut([column(3, 10), column(0, 10)]);
    expect(cut.map(({ cards, more }) => [cards.length, more])).toEqual([
      [3, 0],
      [0, 0],
    ]);
  });

  test('a full column hides nothing of the others, cards stay whole, and what is left out is counted', () => {
    const cut = fairlyCut([column(10_000, 300), column(5, 300), column(40, 300)]);
    expect(JSON.stringify(cut).length).toBeLessThan(46_000);
    expect(cut[1]?.cards).toHaveLength(5);
    expect(cut[2]?.cards).toHaveLength(40);
    expect(cut[0]?.cards.length).toBeGreaterThan(60);
    expect(cut[0]?.more).toBe(10_000 - (cut[0]?.cards.length ?? 0));
  });
});
