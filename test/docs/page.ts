// Reads a page of the documentation: its sections, and its fenced blocks in order with what is said about each.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** Every page that people read, the generated ones and records of decisions included. */
export const PAGES = globSync(['*.md', 'docs/**/*.md', 'client/**/*.md', 'bench/*.md'], { cwd: ROOT }).sort();

/** The pages whose commands are run. */
export const RUN = PAGES.filter(
  (page) => ['CONTRIBUTING.md', 'README.md'].includes(page) || page.startsWith('docs/guide/'),
);

export type Block = {
  /** The heading under which it exists. */
  section: string;
  language: string;
  text: string;
  /** Why it is not run, where it is not. */
  reason: string | null;
};

export const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

const NOT_RUN = /^<!-- not run: (.+) -->$/;

export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let section = '';
  let open: Block | null = null;
  let reason: string | null = null;
  for (const line of read(page).split('\n')) {
    if (open !== null) {
      if (line !== '```') open.text += `${line}\n`;
      else open = null;
      continue;
    }
    const fence = /^```(\w*)/.exec(line);
    if (fence) {
      open = { section, language: fence[1] ?? '', text: '', reason };
      blocks.push(open);
    }
    if (/^#{1,6} /.test(line)) section = line.replace(/^#+ /, '');
    if (line !== '') reason = NOT_RUN.exec(line)?.[1] ?? null;
  }
  return blocks;
}
