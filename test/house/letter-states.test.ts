// One file writes a letter's state. Whatever else moves letters calls it: an act that the table does not know cannot be done, and
// no second place says how a letter moves.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const WRITER = 'src/features/outreach/sends/letter/transitions.store.ts';

/** What a file writes of letters: the columns of each `update sends … set`, and that it makes some. */
function writesState(text: string): boolean {
  if (/insert\s+into\s+sends\b/i.test(text)) return true;
  const updates = [
    ...text.matchAll(
      /update\s+(?:only\s+)?sends\b[\s\S]*?\bset\b([\s\S]{0,1500}?)(?:\bwhere\b|\bfrom\b|`)/gi,
    ),
  ];
  return updates.some(([, set = '']) => {
    if (/(?:^|,)\s*state\s*=/.test(set)) return true;
    // Columns that are put together elsewhere in the file: none of them may be the state.
    return (
      /\$\{/.test(set) && /\btx\(/.test(set) && /\bstate:(?!\s*(?:SendState|string|boolean)\b)/.test(text)
    );
  });
}

test('no file writes the state of a letter but one', () => {
  const writers = globSync('src/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.includes('.test.') && !file.endsWith('.gen.ts'))
    .filter((file) => writesState(readFileSync(join(ROOT, file), 'utf8')));
  expect(writers, `move letters by moveLetters of ${WRITER}: the table says from where to where`).toEqual([
    WRITER,
  ]);
});

test('the SQL of the table is made in that file alone, and so is every machine in one', () => {
  const makers = globSync('src/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.includes('.test.') && file !== 'src/store/machine.ts')
    .filter((file) => /from '[^']*\/store\/machine\.ts'/.test(readFileSync(join(ROOT, file), 'utf8')));
  expect(makers).toContain(WRITER);
  expect(makers.filter((file) => !file.endsWith('.store.ts'))).toEqual([]);
});
