// Owns in which order files are run: the longest first, so that at the end every process has something short left to do. A
// fresh checkout has no record of earlier runs, so what is long stands here; among the rest the bigger file is taken to be longer.
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** About so many seconds on two quiet cores; only the order counts. */
const LONG: readonly (readonly [pattern: RegExp, seconds: number])[] = [
  [/^test\/long\//, 1_000],
  [/^test\/real\//, 200],
  [/^test\/browser\/access\./, 150],
  [/^test\/docs\/commands\./, 95],
  [/^test\/browser\/(inbox|runs)\./, 80],
  [/^test\/browser\/(people|deals)\./, 70],
  [/^test\/browser\/(campaigns|capabilities)\./, 55],
  [/^test\/(letters\/crash|ground\/backup|browser\/(chat|imports|item))\./, 47],
  [/^test\/browser\//, 30],
  [/^test\/(imports\/killed|events\/crash|letters\/simulation|agent\/agent)\./, 20],
  [/^src\/features\/(people|prospects|sends|threads)\/plans\./, 20],
  [/^test\/(house\/doors|endpoint\/attempts|imports\/\w+|faults\/\w+)\./, 15],
  [/^src\/(features\/(scripts\/scripts|mailboxes\/mailboxes)|lua\/run)\./, 15],
  [/^test\/ground\//, 10],
  [/\/plans\.test\.ts$/, 10],
  [/^test\/letters\//, 10],
  [/\/(random|sign-in|hostile)\.test\.ts$/, 10],
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
