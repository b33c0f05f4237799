// Owns in which order files are run: the longest first, so that at the end every process has something short left to do. A
// fresh checkout has no record of earlier runs, so what is long is here; among the rest the bigger file is taken to be longer.
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** About so many seconds on two quiet cores; only the order counts. */
const LONG: readonly (readonly [pattern: RegExp, seconds: number])[] = [
  [/^test\/long\//, 1_000],
  [/^test\/real\//, 200],
  [/^test\/browser\/(runs|access)\./, 100],
  [/^test\/(letters\/dependencies|ground\/backup|browser\/(inbox|shell-states))\./, 52],
  [/^test\/(letters\/hanging|docs\/commands|browser\/(quarantine|people|campaigns|work|deals))\./, 40],
  [/^test\/(security\/(fuzz|mail-frame)|browser\/)/, 30],
  [/^test\/letters\/(crash|address|simulation)\./, 20],
  [/\/(guessing|mailboxes|trouble|busy|budgets|scripts|honest)\.test\.ts$/, 15],
  [/^test\/(imports|faults|ground|inbox|apart|agent)\/|\/(doors|attempts|silent|markdown)\.test\.ts$/, 12],
  [/\/(plans|random|cost|run|first-boot|hostile|crash|revocation|sign-in)\.test\.ts$/, 10],
  [/^test\/(letters|redteam|events)\//, 8],
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
