// The corpus: every letter in it is read as what it is.
import { describe, expect, test } from 'vitest';
import { CORPUS } from './corpus/all.ts';
import { measure } from './measure.ts';

describe('the corpus', () => {
  test('it holds at least two hundred letters, none by the name of another', () => {
    expect(CORPUS.length).toBeGreaterThanOrEqual(200);
    expect(new Set(CORPUS.map(({ name }) => name)).size).toBe(CORPUS.length);
  });

  test.each(CORPUS.map((each) => [each.name, each] as const))('%s', async (_, each) => {
    expect((await measure(each)).differences).toEqual([]);
  });
});
