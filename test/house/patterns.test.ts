// Every regular expression of the product takes time by the length of what it reads and no more, or reads a text that is known
// to be short: an analyzer decides the first (scripts/patterns.ts), a list states the second.
import { expect, test } from 'vitest';
import {
  foundLinear,
  type Pattern,
  patternsBuiltIn,
  patternsInSources,
  verdictOf,
} from '../../scripts/patterns.ts';
import { SLOW } from './patterns.slow.ts';

/** What one pattern may take over the longest text it sees, on a machine that does other things as well. */
const HOLDS_AT_MOST_MS = 1_000;
const ANALYZED_WITHIN_MS = 10_000;

const { literals, building, later } = patternsInSources();
const built = patternsBuiltIn(building);
const all = new Map([...literals, ...built].map((each) => [each.key, each]));
const known = foundLinear();
const listed = new Map(SLOW.flatMap((slow) => slow.keys.map((key) => [key, slow] as const)));

test('every pattern that a file builds while it loads was caught', () => {
  expect(literals.length).toBeGreaterThan(400);
  expect([...new Set(built.map(({ file }) => file))].sort()).toEqual(expect.arrayContaining(building));
});

test('no pattern is built while the product runs, out of what no one analyzed', () => {
  expect(
    later.map((each) => each.split(' ')[0]),
    'build it once, where the file loads, or compare texts without a pattern',
  ).toEqual(['client/hooks/guard.mjs', 'client/hooks/guard.mjs']);
});

test('every pattern is linear, or listed with the longest text it sees', { timeout: 300_000 }, () => {
  const wrong = [...all.values()]
    .filter(({ key }) => !known.has(key) && !listed.has(key))
    .map((pattern) => ({ pattern, ...verdictOf(pattern, ANALYZED_WITHIN_MS) }))
    .filter(({ verdict }) => verdict !== 'linear')
    .map(
      ({ pattern: { key, file, source }, verdict, says }) => `${verdict} ${key} ${file} /${source}/ ${says}`,
    );
  expect(wrong, 'write a loop, or parts that cannot match the same characters (STYLE.md)').toEqual([]);
});

test('the list of slow patterns names nothing that is gone, or that was found linear', () => {
  expect([...listed.keys()].filter((key) => !all.has(key) || known.has(key))).toEqual([]);
  for (const [key, { file }] of listed) expect(all.get(key)?.file).toBe(file);
});

/** Its own words, again and again: what such a pattern begins to match everywhere and never ends. */
function pumpsOf({ source }: Pattern, longest: number): string[] {
  const words = [...new Set(source.match(/[\p{L}\d]{2,}/gu))].slice(0, 20);
  return [...words, '-', ' \t', '.', '<', '@:', '{', '5', '\n '].flatMap((word) =>
    ['', ' ', 'x', '\n'].map(
      (end) => (word + end).repeat(Math.ceil(longest / (word + end).length)).slice(0, longest - 1) + '!',
    ),
  );
}

test.each(SLOW.flatMap(({ keys, longest }) => keys.map((key) => [key, longest] as const)))(
  'the pattern %s holds no one up over %i characters of its own words',
  { timeout: 120_000 },
  (key, longest) => {
    const pattern = all.get(key) as Pattern;
    const form = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
    for (const text of pumpsOf(pattern, longest)) {
      const { user } = process.cpuUsage();
      form.test(text);
      expect((process.cpuUsage().user - user) / 1000, JSON.stringify(text.slice(0, 40))).toBeLessThan(
        HOLDS_AT_MOST_MS,
      );
    }
  },
);
