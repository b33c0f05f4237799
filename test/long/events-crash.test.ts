// An event is never lost: the whole form of the crash round.
import { expect, test } from 'vitest';
import { crashRound } from '../events/crash.ts';

test(
  '50 kills while 20,000 events go to a receiver that fails one post in ten',
  { timeout: 30 * 60_000 },
  async () => {
    const seen = await crashRound({ kills: 50, facts: 30_000, lifeMs: () => Math.random() * 2_000 });
    expect(seen).toMatchObject({ lost: [], invented: [], differing: [], unsigned: [], failed: 0 });
    expect(seen.facts).toBeGreaterThan(15_000);
  },
);
