// An event is never lost, in a few kills; the whole form runs at night.
import { expect, test } from 'vitest';
import { crashRound } from './crash.ts';

test(
  'three kills while hundreds of events go out: none lost, none invented, repeats only with the same bytes',
  { timeout: 300_000 },
  async () => {
    const seen = await crashRound({ kills: 3, facts: 700, lifeMs: () => Math.random() * 400 });
    expect(seen).toMatchObject({ lost: [], invented: [], differing: [], unsigned: [], failed: 0 });
    expect(seen.facts).toBeGreaterThan(230);
    expect(seen.posts).toBeGreaterThan(seen.facts);
  },
);
