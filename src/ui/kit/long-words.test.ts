// Words that are too long for a page.
import { marked } from 'marked';
import { expect, test } from 'vitest';
import { withShortWords } from './long-words.ts';

const longest = (text: string): number => Math.max(...text.split(/\s/).map((word) => [...word].length));

test('R10: a word of more than a thousand characters is broken before Markdown reads it, and others stay', () => {
  for (const letter of ['a', '*', '_', '[', 'https://x/', '😀', '<'])
    expect(longest(withShortWords(`Look: ${letter.repeat(100_000)} there`)), letter).toBeLessThanOrEqual(
      1_000,
    );
  const text = `Look:\n\n- **one** [two](https://three.example/${'x'.repeat(900)})\n`;
  expect(withShortWords(text)).toBe(text);
  expect(withShortWords('a'.repeat(2_500)).replaceAll(' ', '')).toBe('a'.repeat(2_500));
});

test('R10: Markdown reads a word of 100,000 letters at once', () => {
  for (const letter of ['a', '*', '_', '[', '`', '~', 'a@', '!['] as const) {
    const began = performance.now();
    marked.parse(withShortWords(letter.repeat(100_000 / letter.length)), {
      async: false,
      gfm: true,
      breaks: true,
    });
    expect(performance.now() - began, letter).toBeLessThan(3_000);
  }
});
