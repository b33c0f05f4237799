// Whatever the caps, gaps, hours and zones are, and whatever happens around them: no letter starts while a gate is shut, and
// none waits without a time. The whole form, ninety days and ten thousand people, runs at night.
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { simulate, type Plan } from './simulation.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ baseUrl: 'https://desk.example' });
});
afterAll(() => app.close());

const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC');
const hour = fc.integer({ min: 0, max: 23 });
const window = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 3, maxLength: 7 }),
    hour,
    fc.integer({ min: 1, max: 24 }),
  )
  .map(([days, from, length]) => ({ days, from: clock(from), to: clock(Math.min(24, from + length)) }));
const clock = (at: number): string => `${String(at).padStart(2, '0')}:00`;

const identity = fc.record({
  timezone: zone,
  daily_cap: fc.integer({ min: 1, max: 12 }),
  hourly_cap: fc.integer({ min: 1, max: 5 }),
  min_gap_s: fc.constantFrom(0, 300, 1200),
  jitter_s: fc.constantFrom(0, 180),
  ramp_start: fc.integer({ min: 1, max: 4 }),
  ramp_step: fc.integer({ min: 0, max: 3 }),
  ramp_ceiling: fc.integer({ min: 4, max: 12 }),
  workday: fc.option(window, { freq: 3 }),
});

const plan: fc.Arbitrary<Plan> = fc
  .record({
    zones: fc.uniqueArray(zone, { minLength: 1, maxLength: 4 }),
    identities: fc.array(identity, { minLength: 1, maxLength: 3 }),
    campaign: fc.record({
      timezone: zone,
      windows: fc.array(window, { minLength: 1, maxLength: 2 }),
      daily_cap: fc.option(fc.integer({ min: 1, max: 15 })),
      new_per_day: fc.option(fc.integer({ min: 1, max: 10 })),
      touches_a_week: fc.integer({ min: 1, max: 3 }),
    }),
    domain_cap: fc.integer({ min: 3, max: 30 }),
    seed: fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
  })
  .map(({ seed, campaign, ...rest }) => ({
    ...rest,
    campaign: { ...campaign, blackout: [] },
    days: 4,
    every_min: 20,
    people: 30,
    follow_up_days: 1,
    happenings: 2,
    chance: () => seed.next().value as number,
  }));

test(
  'no path reaches sending with a gate shut, and caps, gaps and hours are never broken',
  { timeout: 240_000 },
  async () => {
    let started = 0;
    await fc.assert(
      fc.asyncProperty(plan, async (random) => {
        const seen = await simulate(app, random);
        started += seen.started;
        expect(seen.faults).toEqual([]);
      }),
      { numRuns: Number(process.env['SIMULATIONS'] ?? 4), endOnFailure: true },
    );
    // A simulation in which nothing leaves proves nothing; narrow hours and a cap of one let few leave in six of them.
    expect(started).toBeGreaterThan(0);
  },
);
