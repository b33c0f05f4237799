// The page of interface copy lists what people read, and nothing that programs do.
import { expect, test } from 'vitest';
import { copyIn } from '../../scripts/ui-copy.ts';

const SCREEN = `
import { Button } from '../kit/button.tsx';
type Saved = 'Never shown';
export const NOTE = { draft: 'Draft saved', other: kind === 'Closed' ? 'Closed by a person' : 'open' };
export function Screen({ name, count }: Props) {
  const label = \`Delete \${name}\`;
  return (
    <section className="Wide Card" aria-label="Letters due">
      <p>
        {count} letters wait for <b>{campaign.name}</b>.
      </p>
      <Button type="submit" tone="Bad" onClick={() => go('/inbox')} hint={busy ? 'Wait a moment' : null}>
        Save note
      </Button>
    </section>
  );
}`;

test('what a screen shows is found, sentences whole and what is filled in between braces', () => {
  expect(copyIn('screen.tsx', SCREEN).map(({ text }) => text)).toEqual([
    'Draft saved',
    'Closed by a person',
    'Delete {name}',
    'Letters due',
    '{count} letters wait for {name}.',
    'Wait a moment',
    'Save note',
  ]);
});

test('a string is named with its file and line', () => {
  expect(copyIn('screen.tsx', SCREEN).at(-1)).toMatchObject({ file: 'screen.tsx', line: 12 });
});
