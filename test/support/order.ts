// Owns in which order files are run: the longest first, so that at the end every process has something short left to do. A
// fresh checkout has no record of earlier runs, so what is long stands here; among the rest the bigger file is taken to be longer.
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** About so many seconds on two quiet cores; only the order counts. */
const LONG: readonly (readonly [pattern: RegExp, seconds: number])[] = [
  [/^test\/long\//, 1_000],
  [/^test\/browser\/access\./, 100],
  [/^test\/(letters\/crash|docs\/commands)\./, 60],
  [/^test\/browser\/(people|deals|imports|campaigns)\./, 50],
  [/^test\/browser\//, 30],
  [/^test\/(imports\/killed|events\/crash)\./, 25],
  [/^src\/features\/(people|prospects|sends)\/plans\./, 25],
  [/^test\/ground\//, 20],
  [/\/plans\.test\.ts$/, 15],
  [/^test\/(house\/doors|endpoint\/attempts|imports\/\w+|letters\/\w+)\./, 12],
  [/\/(random|sign-in|hostile)\.test\.ts$/, 12],
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weightOf = (file: TestSpecification): number => {
      const path = relative(this.ctx.config.root, file.moduleId);
      const seconds = LONG.find(([pattern]) => pattern.test(path))?.[1] ?? 0;
      return seconds * 1_000_000 + statSync(file.moduleId).size;
    };
    const weighed = files.map((file) => ({ file, weight: weightOf(file) }));
    return weighed.sort((a, b) => b.weight - a.weight).map(({ file }) => file);
  }
}
