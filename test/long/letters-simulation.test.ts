// Ninety days of one campaign: ten thousand people in twenty-four zones, through clocks that go forward in the north and back
// in the south, with suppressions, answers, pauses and people who leave.
import { expect, test } from 'vitest';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { openTestApp } from '../support/app.ts';
import { simulate } from '../letters/simulation.ts';

const ZONES = [
  'Pacific/Honolulu',
  'America/Anchorage',
  'America/Los_Angeles',
  'America/Denver',
  'America/Chicago',
  'America/New_York',
  'America/Halifax',
  'America/St_Johns',
  'America/Santiago',
  'America/Sao_Paulo',
  'Atlantic/Azores',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Athens',
  'Africa/Cairo',
  'Europe/Moscow',
  'Asia/Tehran',
  'Asia/Dubai',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Pacific/Auckland',
];
/** From here on, clocks change in New York, Berlin, Santiago, Cairo, Sydney and Auckland within the ninety days. */
const FROM = Date.UTC(new Date().getUTCFullYear() + 1, 1, 20);

test('ninety days, ten thousand people, twenty-four zones', { timeout: 3 * 3_600_000 }, async () => {
  const app = await openTestApp({ baseUrl: 'https://desk.example' });
  try {
    app.clock.advance(FROM - app.clock.now().getTime());
    let seed = 7;
    const chance = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const seen = await simulate(app, {
      days: Number(process.env['SIMULATION_DAYS'] ?? 90),
      every_min: 5,
      people: Number(process.env['SIMULATION_PEOPLE'] ?? 10_000),
      zones: ZONES,
      identities: ZONES.map((timezone) => ({
        timezone,
        daily_cap: 40,
        hourly_cap: 8,
        min_gap_s: 300,
        jitter_s: 180,
        ramp_start: 5,
        ramp_step: 3,
        ramp_ceiling: 40,
        workday: null,
      })),
      campaign: {
        timezone: 'Europe/Berlin',
        windows: [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }],
        blackout: [new Date(FROM + 40 * DAY_MS).toISOString().slice(0, 10)],
        daily_cap: 600,
        new_per_day: 300,
        touches_a_week: 2,
      },
      domain_cap: 500,
      follow_up_days: 4,
      chance,
      happenings: 12,
    });
    expect(seen.faults).toEqual([]);
    expect(seen.started).toBeGreaterThan(1_000);
  } finally {
    await app.close();
  }
});
