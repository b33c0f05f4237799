// An event is never lost, in a few kills; the whole form runs at night.
import { expect, test } from 'vitest';
import { crashRound } from './crash.ts';

test(
  'six kills while about a thousand events go out: none lost, none invented, repeats only with the same bytes',
  { timeout: 90_000 },
  async () => {
    const seen = await crashRound({ kills: 6, facts: 1_500, lifeMs: () => Math.random() * 400 });
    expect(seen).toMatchObject({ lost: [], invented: [], differing: [], unsigned: [], failed: 0 });
    expect(seen.facts).toBeGreaterThan(500);
    expect(seen.posts).toBeGreaterThan(seen.facts);
  },
);
