// Every row of the red-team list (test/cases/red-team.json) has a test: one whose name begins with the row's id, or one that
// the list names. The sources of the tests are read, so that a test that is deleted or renamed takes its row along.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import rows from '../cases/red-team.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');
const LETTERS = { A: 30, B: 20, C: 18, D: 8, E: 10, F: 11, G: 17, H: 9, I: 12, J: 15 };
type Row = { seen: string; held_by?: [file: string, words: string][] };
const list: [id: string, row: Row][] = Object.entries(rows as unknown as Record<string, Row>);

/** Ids at the beginning of a name: `A21: …`, `A2, A3: …`, `A28, side door 23: …`, `A15 and A18: …`. */
const NAMED =
  /['"`]((?:[A-J]\d{1,2}(?:, | and )?)+)(?:(?:, | and )?side door \d+)?(?:: |\b and side door \d+: )/g;

const sources = new Map(
  ['src', 'test']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.test.ts'))
        .map((file) => join(folder, file)),
    )
    .map((file) => [file, readFileSync(join(ROOT, file), 'utf8').replaceAll(/^\s*\/\/.*$/gm, '')] as const),
);

const named = new Map<string, string>();
for (const [file, source] of sources)
  for (const [, ids = ''] of source.matchAll(NAMED))
    for (const id of ids.match(/[A-J]\d+/g) ?? []) named.set(id, file);

test('the list has its hundred and fifty rows, in order, each saying what is seen', () => {
  const ids = Object.entries(LETTERS).flatMap(([letter, most]) =>
    Array.from({ length: most }, (_, i) => `${letter}${i + 1}`),
  );
  expect(list.map(([id]) => id)).toEqual(ids);
  for (const [id, { seen }] of list) expect(seen.length, id).toBeGreaterThan(10);
});

describe('every row has a test', () => {
  test('one that begins with its id, or one that the list names', () => {
    expect(list.filter(([id, { held_by }]) => !named.has(id) && !held_by).map(([id]) => id)).toEqual([]);
  });

  test('what the list names is there', () => {
    const gone = list.flatMap(([id, { held_by = [] }]) =>
      held_by
        .filter(([file, words]) => words.length < 8 || !sources.get(file)?.includes(words))
        .map(([file, words]) => `${id}: ${file}: ${words}`),
    );
    expect(gone).toEqual([]);
  });

  test('no name begins with a row that there is not', () => {
    const known = new Set(list.map(([id]) => id));
    expect([...named].filter(([id]) => !known.has(id))).toEqual([]);
  });
});
