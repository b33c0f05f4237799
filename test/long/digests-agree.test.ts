// Two hundred random desks: whatever their digests propose can be done, and every metric is one number whoever is asked. A few of
// them in npm test: src/features/instance/digests/agreement.test.ts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agrees } from '../support/agreement.ts';
import { openTestApp } from '../support/app.ts';
import { deskActs, randomDesk } from '../support/random-desk.ts';
import { digestsOf, walk } from '../support/walk.ts';

const DESKS = 200;

test('two hundred random desks', { timeout: 7_200_000 }, async () => {
  for (const [seed, acts] of fc.sample(deskActs(60), { numRuns: DESKS, seed: 7141 }).entries()) {
    const app = await openTestApp();
    try {
      const desk = await randomDesk(app, acts);
      await agrees(app, desk);
      expect(await walk(app, desk, digestsOf(desk)), `desk ${seed}`).toBeGreaterThan(5);
    } finally {
      await app.close();
    }
  }
});
