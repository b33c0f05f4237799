// Every command of README.md and of the guides is run as it is there, and prints what the page says it prints.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { blocksOf, ROOT, RUN } from './page.ts';
import { openTerminal } from './terminal.ts';

/** What is not run, by its first line; the page says why in a comment before it. This list only shrinks. */
const NOT_RUN: Record<string, string[]> = {
  'README.md': ['npm run demo', 'npm test'],
  'docs/guide/events.md': [
    '# verify FILE SIGNATURE: FILE holds the exact bytes of the request; EVENTS_SECRET is in the environment.',
  ],
};

/** These are for whoever has an instance: one is started and set up before the first command. */
const HAS_ONE = ['docs/guide/agents.md', 'docs/guide/operations.md'];

const PATTERN = /[.*+?^${}()|[\]\\]/g;
const asPattern = (line: string): RegExp =>
  new RegExp(
    line
      .split('…')
      .map((part) => part.replaceAll(PATTERN, String.raw`\$&`))
      .join('.+'),
    'm',
  );

test('what is not run is listed here, and its page says why', () => {
  const found: Record<string, string[]> = {};
  for (const page of RUN)
    for (const { text, language, reason } of blocksOf(page))
      if (language === 'sh' && reason !== null) {
        (found[page] ??= []).push(text.split('\n')[0] ?? '');
        for (const file of reason.match(/\btest\/\S+\.ts\b/g) ?? [])
          expect(existsSync(join(ROOT, file)), `${page} names ${file}`).toBe(true);
      }
  expect(found).toEqual(NOT_RUN);
});

test('a command is in a block of its own language, so that none is passed over', () => {
  for (const page of RUN)
    for (const { language, text } of blocksOf(page)) {
      expect(['bash', 'shell', 'console', 'zsh'], page).not.toContain(language);
      if (language !== 'sh')
        expect(text, page).not.toMatch(/^\s*\$? ?(npm|npx|node|curl|claude|git) |^export [A-Z_]+=/m);
    }
});

const shown = RUN.filter((page) =>
  blocksOf(page).some(({ language, reason }) => language === 'sh' && reason === null),
);

describe('every command of a page does what the page says', () => {
  test.each(shown)('%s', { timeout: 900_000 }, async (page) => {
    const terminal = openTerminal();
    onTestFinished(() => terminal.close());
    if (HAS_ONE.includes(page)) await terminal.type('', 'npm start\n');
    let printed: string | null = null;
    for (const { language, section, text, reason } of blocksOf(page)) {
      if (language === 'sh') printed = reason === null ? await terminal.type(section, text) : null;
      else if (language === 'text') {
        expect(printed, `${page}: ${text} follows no command that was run`).not.toBeNull();
        for (const line of text.trimEnd().split('\n')) expect(printed).toMatch(asPattern(line));
      }
    }
  });
});
