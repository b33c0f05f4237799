// The files of a test run that took longest, for whoever wants the run shorter.
import { relative } from 'node:path';

export type Timed = { name: string; startTime: number; endTime: number };

const SHOWN = 30;

/** One line a file, the longest first. */
export function slowest(files: readonly Timed[], root: string): string[] {
  return files
    .map(({ name, startTime, endTime }) => ({ file: relative(root, name), ms: endTime - startTime }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SHOWN)
    .map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`);
}
