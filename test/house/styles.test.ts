// What a screen takes of a style sheet is in that sheet: a class that was renamed or moved away leaves a screen bare, and
// nothing else says so.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');

const uncommented = (css: string): string => css.replaceAll(/\/\*[^]*?\*\//g, '');

/** The classes that a sheet has, by its path. */
const sheets = new Map(
  globSync('**/*.module.css', { cwd: SRC }).map((file) => [
    join(SRC, file),
    new Set(
      [...uncommented(readFileSync(join(SRC, file), 'utf8')).matchAll(/\.([A-Za-z_][\w-]*)/g)].map(
        ([, name]) => name ?? '',
      ),
    ),
  ]),
);

test('every class that a screen names is in the style sheet it takes it from', () => {
  const taken: string[] = [];
  const bare: string[] = [];
  for (const file of globSync('**/*.tsx', { cwd: SRC })) {
    const text = readFileSync(join(SRC, file), 'utf8');
    for (const [, name = '', from = ''] of text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
      const classes = sheets.get(resolve(dirname(join(SRC, file)), from));
      expect(classes, `${file} takes ${from}`).toBeDefined();
      // Of the sheet itself: neither a path nor another value's key of that name.
      for (const [, key = ''] of text
        .replaceAll(/from '[^']+'/g, '')
        .matchAll(new RegExp(`(?<![\\w./-])${name}\\.([A-Za-z_]\\w*)`, 'g'))) {
        taken.push(key);
        if (!classes?.has(key)) bare.push(`${file}: ${name}.${key} is not in ${from}`);
      }
    }
  }
  expect(taken.length).toBeGreaterThan(500);
  expect(bare).toEqual([]);
});
