// Checks that every link of the table leads to a screen that exists, by the screens’ own routes.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Screen, SCREENS, screenUrl } from './links.rules.ts';

const shell = `${import.meta.dirname}/../ui/shell`;
const routes = globSync('*routes.tsx', { cwd: shell }).flatMap((file) =>
  [
    ...readFileSync(`${shell}/${file}`, 'utf8').matchAll(/getParentRoute: \(\) => (\w+),\s+path: '([^']+)'/g),
  ].map(([, parent, path = '']) => (parent === 'settings' ? `/settings${path}` : path)),
);
const patterns = routes.map((path) => new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}$`));

test('every link of the table leads to a screen that exists', () => {
  expect(routes.length).toBeGreaterThan(40);
  for (const screen of Object.keys(SCREENS) as Screen[]) {
    const url = new URL(
      (screenUrl as (...of: unknown[]) => string)({ base_url: 'https://x.example/' }, screen, 'OUT-12'),
    );
    expect(
      patterns.some((pattern) => pattern.test(url.pathname)),
      `${screen}: ${url.pathname}`,
    ).toBe(true);
  }
});

test('a link is whole, and escapes what it names', () => {
  const instance = { base_url: 'https://desk.example.com/' };
  expect(screenUrl(instance, 'approvals')).toBe('https://desk.example.com/approvals');
  expect(screenUrl(instance, 'item', 'OUT-12')).toBe('https://desk.example.com/work/OUT/OUT-12');
  expect(screenUrl(instance, 'thread', 'a&b')).toBe('https://desk.example.com/inbox?open=a%26b');
});
