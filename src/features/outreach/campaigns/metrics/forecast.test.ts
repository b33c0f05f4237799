// Owns the forecast as a rule: capacities by ramp, warning and caps, hours that meet, and waits, reckoned by hand.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type ForecastFacts, forecastOf } from './forecast.rules.ts';

const everyDay = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }];
const now = new Date('2026-03-02T08:00:00.000Z');

function facts(more: {
  campaign?: Partial<ForecastFacts['campaign']>;
  sender?: Partial<ForecastFacts['senders'][number]>;
  steps?: ForecastFacts['steps'];
  people: number;
  timezone?: string;
}): ForecastFacts {
  return {
    campaign: {
      id: randomUUID(),
      windows: everyDay,
      blackout_dates: [],
      timezone: 'UTC',
      starts_on: null,
      ends_on: null,
      daily_cap: null,
      new_per_day: null,
      first_delay: { days: 0, hours: 0 },
      started_today: 0,
      ...more.campaign,
    },
    senders: [
      {
        identity_id: randomUUID(),
        active: true,
        timezone: 'UTC',
        workday: null,
        daily_cap: 40,
        hourly_cap: 100,
        min_gap_s: 0,
        jitter_s: 0,
        ramp: { start: 5, step: 3, day: 0, ceiling: 40 },
        ramp_counted_on: null,
        domain_id: randomUUID(),
        domain_state: 'active',
        domain_cap: 120,
        warned: false,
        started: null,
        domain_started: null,
        ...more.sender,
      },
    ],
    steps: more.steps ?? [{ id: 'a', kind: 'letter', wait: { days: 0, hours: 0 } }],
    cohorts: [
      {
        step_id: null,
        due_on: null,
        timezone: more.timezone ?? null,
        company_timezone: null,
        country: null,
        people: more.people,
      },
    ],
  };
}

describe('the forecast', () => {
  const sent = (given: ForecastFacts): number[] => forecastOf(given, now).days.map(({ letters }) => letters);

  test('goes up with the ramp, a step each sending day', () => {
    const answer = forecastOf(facts({ people: 5 + 8 + 11 + 1 }), now);
    expect(answer.days.map(({ capacity, letters }) => [capacity, letters])).toEqual([
      [5, 5],
      [8, 8],
      [11, 11],
      [14, 1],
    ]);
    expect(answer.finishes_on).toBe('2026-03-05');
  });

  test('a warned domain sends half, and its ramp is frozen', () => {
    expect(sent(facts({ people: 4, sender: { warned: true } }))).toEqual([2, 2]);
  });

  test('keeps within the cap of the domain, of the campaign, and of new people', () => {
    const fast = { ramp: { start: 40, step: 0, day: 0, ceiling: 40 } };
    expect(sent(facts({ people: 20, sender: { ...fast, domain_cap: 10 } }))).toEqual([10, 10]);
    expect(sent(facts({ people: 20, sender: fast, campaign: { daily_cap: 10, started_today: 4 } }))).toEqual([
      6, 10, 4,
    ]);
    expect(sent(facts({ people: 20, sender: fast, campaign: { new_per_day: 10 } }))).toEqual([10, 10]);
  });

  test('leaves out weekends and days that are out, and waits between letters', () => {
    const fast = { ramp: { start: 40, step: 0, day: 0, ceiling: 40 } };
    const weekdays = [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }];
    const steps = [
      { id: 'a', kind: 'letter', wait: { days: 0, hours: 0 } },
      { id: 'w', kind: 'wait', wait: { days: 2, hours: 0 } },
      { id: 'b', kind: 'letter', wait: { days: 3, hours: 0 } },
    ];
    const given = facts({
      people: 3,
      sender: fast,
      steps,
      campaign: { windows: weekdays, blackout_dates: ['2026-03-02'] },
    });
    const answer = forecastOf(given, now);
    expect(answer).toMatchObject({ people_left: 3, letters_left: 6, finishes_on: '2026-03-09' });
    expect(answer.days.filter(({ letters }) => letters > 0).map(({ day }) => day)).toEqual([
      '2026-03-03',
      '2026-03-09',
    ]);
  });

  test('says what is against it where it is never done', () => {
    expect(forecastOf(facts({ people: 1, sender: { active: false } }), now)).toMatchObject({
      finishes_on: null,
      why_not: 'No identity in the pool is active on an active domain.',
    });
    const asleep = facts({
      people: 1,
      timezone: 'Asia/Tokyo',
      campaign: { windows: [{ days: [1], from: '09:00', to: '10:00' }] },
      sender: { workday: { days: [1, 2, 3, 4, 5], from: '09:00', to: '10:00' } },
    });
    expect(forecastOf(asleep, now).why_not).toContain('don’t overlap');
  });

  test('ten thousand people in every zone come to an answer at once', async () => {
    const zones = Intl.supportedValuesOf('timeZone').slice(0, 200);
    const given = facts({
      people: 0,
      sender: {
        daily_cap: 1000,
        ramp: { start: 200, step: 0, day: 0, ceiling: 1000 },
        domain_cap: 1000,
        workday: { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' },
      },
    });
    const cohorts = zones.map((timezone) => ({
      step_id: null,
      due_on: null,
      timezone,
      company_timezone: null,
      country: null,
      people: 50,
    }));
    const began = performance.now();
    const answer = forecastOf(
      {
        ...given,
        cohorts,
        campaign: { ...given.campaign, windows: [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }] },
      },
      now,
    );
    expect(answer.people_left).toBe(10_000);
    expect(answer.finishes_on).not.toBeNull();
    // Far from the second that is asked for, so that a busy machine does not fail it.
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
