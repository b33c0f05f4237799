// Arguments that no schema of ours can mean: each is refused by name, none becomes a fault further in.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseArguments } from './parse.ts';
import { Refusal } from './refusal.ts';

const schema = z.strictObject({ title: z.string(), custom: z.record(z.string(), z.unknown()).optional() });

function sentenceOf(given: unknown): string {
  try {
    parseArguments(schema, given);
  } catch (error) {
    if (error instanceof Refusal) return error.sentence;
    throw error;
  }
  return 'parsed';
}

/** An object nested `levels` deep. */
const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = { a: value };
  return value;
};

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'an argument called %s is named like any other',
  (key) => {
    expect(sentenceOf(JSON.parse(`{"title":"a","${key}":{}}`))).toBe(
      `there is no argument "${key}" (arguments: title, custom)`,
    );
  },
);

test.each([
  ['a NUL', { title: 'a\0b' }, 'title'],
  ['half a character', { title: 'a\ud800' }, 'title'],
  ['a NUL further in', { title: 'a', custom: { list: ['a', { b: '\0' }] } }, 'custom'],
  ['half a character in a key', { title: 'a', custom: { '\udc00': 1 } }, 'custom'],
])('%s is refused, since the database takes it nowhere', (_, given, name) => {
  expect(sentenceOf(given)).toBe(`${name} contains a NUL or an unpaired surrogate`);
});

test('whole characters of any kind are text', () => {
  expect(sentenceOf({ title: '😀 \u0001 \uffff é', custom: { '😀': ['\n'] } })).toBe('parsed');
});

test('arguments are refused past 32 levels, without walking further', () => {
  expect(sentenceOf({ title: 'a', custom: nested(31) })).toBe('parsed');
  expect(sentenceOf({ title: 'a', custom: nested(33) })).toBe(
    'the arguments are nested deeper than 32 levels',
  );
  expect(sentenceOf({ title: 'a', custom: nested(200_000) })).toBe(
    'the arguments are nested deeper than 32 levels',
  );
});

test('arguments are refused past 10,000 values, before the schema looks at each', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));
  expect(sentenceOf({ title: 'a', custom: many(9_990) })).toBe('parsed');
  expect(sentenceOf({ title: 'a', custom: many(10_001) })).toBe(
    'the arguments contain more than 10000 values',
  );
  expect(sentenceOf(many(10_001))).toBe('the arguments contain more than 10000 values');
});

test('a refusal names a hundred bad fields at most, and says how many more there are', () => {
  const stray = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, 1]));
  const refused = (() => {
    try {
      return parseArguments(schema, { title: 'a', ...stray });
    } catch (error) {
      return error;
    }
  })() as Refusal;
  expect(Object.keys(refused.details?.fields ?? {}).length).toBe(100);
  const named = refused.sentence.match(/there is no argument/g)?.length ?? 0;
  expect(refused.sentence).toMatch(new RegExp(`and ${5_000 - named} more$`));
  expect(refused.sentence.length).toBeLessThan(300);
});

test.each([
  [{ id: 'x' }, 'id: it must be an id'],
  [{ name: '' }, 'name: it can’t be empty'],
  [{ name: 'abcd' }, 'name: it must have at most 3 characters'],
  [{ tags: [] }, 'tags: it must have at least 2 entries'],
  [{ tags: ['a', 'b', 'c', 'd'] }, 'tags: it must have at most 3 entries'],
  [{ days: -1 }, 'days: it must be at least 0'],
  [{ days: 366 }, 'days: it must be at most 365'],
  [{ share: 0 }, 'share: it must be more than 0'],
  [{ state: 'gone' }, 'state: it must be one of draft, active'],
  [{ own: 'a' }, 'own: three letters'],
])('a fault in %j is said in everyday words', (given, says) => {
  const shape = z.strictObject({
    id: z.guid().optional(),
    name: z.string().min(1).max(3).optional(),
    tags: z.array(z.string()).min(2).max(3).optional(),
    days: z.int().min(0).max(365).optional(),
    share: z.number().gt(0).optional(),
    state: z.enum(['draft', 'active']).optional(),
    own: z.string().min(3, 'three letters').optional(),
  });
  expect(() => parseArguments(shape, given)).toThrow(expect.objectContaining({ sentence: says }));
});
