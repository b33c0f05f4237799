// A letter is never sent twice and never lost, in a few kills; the whole form runs at night.
import { describe, expect, test } from 'vitest';
import { crashRound } from './crash.ts';

describe('processes are killed without warning while hundreds of letters go out', () => {
  test.each([
    ['one process and three kills', { letters: 300, kills: 3, processes: 1 as const }],
    ['two processes on one database and two kills', { letters: 250, kills: 2, processes: 2 as const }],
  ])(
    '%s: none goes twice, none is lost, and what is uncertain is listed',
    { timeout: 300_000 },
    async (_, round) => {
      const seen = await crashRound({ ...round, lifeMs: () => Math.random() * 250 });
      // Before the lists of letters, since it says why.
      expect(seen.states).toEqual({
        sent: seen.states['laid']! - seen.uncertain,
        ...(seen.uncertain > 0 && { uncertain: seen.uncertain }),
        laid: seen.states['laid'],
      });
      expect(seen).toMatchObject({ twice: [], lost: [], invented: [] });
      // Eight at a time in each process, and each that was killed leaves at most those.
      expect(seen.mostUncertainOfAKill).toBeLessThanOrEqual(8);
      expect(seen.uncertain).toBeLessThanOrEqual(8 * seen.kills);
      // A dead lease keeps no other letter waiting. Most are back within five seconds however busy the machine is with other
      // tests; none waits as long as the shortest lease.
      expect(seen.usualResumeMs).toBeLessThan(5_000);
      expect(seen.slowestResumeMs).toBeLessThan(20_000);
    },
  );
});
