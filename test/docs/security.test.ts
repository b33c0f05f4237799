// docs/security.md names the test behind each line: every file and every row of the red-team list that it names exists, and no
// line of its tables goes without.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import rows from '../cases/red-team.json' with { type: 'json' };
import { read, ROOT } from './page.ts';

const page = read('docs/security.md');
const filesIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test)\/[\w./-]+|ACCESS\.md)`/g)].map(([, file = '']) => file);
const rowsIn = (text: string): string[] => text.match(/\b[A-J]\d{1,2}\b/g) ?? [];

test('every file that it names is there', () => {
  const gone = filesIn(page).filter((file) => !existsSync(join(ROOT, file)));
  expect(gone).toEqual([]);
});

test('every row of the red-team list that it names is there', () => {
  const known = new Set(Object.keys(rows));
  expect(rowsIn(page).filter((id) => !known.has(id))).toEqual([]);
});

test('each line that says that something is held names the test that shows it', () => {
  let checked = 0;
  for (const section of page.split(/^## /m)) {
    if (!section.includes('| control | test |')) continue;
    const lines = section.split('\n').filter((line) => line.startsWith('| '));
    for (const line of lines.slice(1)) {
      expect(
        filesIn(line.split('|').at(-2) ?? '').some((file) => file.endsWith('.test.ts')),
        line,
      ).toBe(true);
      checked += 1;
    }
  }
  expect(checked).toBeGreaterThan(30);
});
