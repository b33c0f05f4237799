// A letter is never sent twice and never lost: the whole form of the crash round.
import { expect, test } from 'vitest';
import { crashRound } from '../letters/crash.ts';

test.each([
  ['one process', 1 as const],
  ['two processes on one database', 2 as const],
])('200 kills while 10,000 letters go out by %s', { timeout: 60 * 60_000 }, async (_, processes) => {
  const seen = await crashRound({
    letters: 10_000,
    kills: 200,
    processes,
    lifeMs: () => Math.random() * 600,
  });
  expect(seen).toMatchObject({ twice: [], lost: [], invented: [] });
  expect(seen.mostUncertainOfAKill).toBeLessThanOrEqual(8);
  expect(seen.uncertain).toBeLessThanOrEqual(8 * seen.kills);
  expect(seen.states['sent']).toBe(10_000 - seen.uncertain);
});
