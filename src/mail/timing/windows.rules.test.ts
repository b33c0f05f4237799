// When a letter may leave, in tables: hours of the recipient and of the sender, both clock changes, days that are out.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Schedule, closedBy, isTimezone, nextDayIn, nextOpening, openAt } from './windows.rules.ts';

const WEEKDAYS = [1, 2, 3, 4, 5];
const office = (timezone: string, from = '09:00', to = '17:00'): Schedule => ({
  timezone,
  windows: [{ days: WEEKDAYS, from, to }],
  blackout: [],
});
const everyDay = (timezone: string, from: string, to: string): Schedule => ({
  timezone,
  windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from, to }],
  blackout: [],
});
const opening = (at: string, ...schedules: Schedule[]): string | undefined =>
  nextOpening(new Date(at), schedules)?.toISOString();

describe('the earliest permitted instant', () => {
  test.each([
    ['now, when it is open', '2026-03-02T09:30:00.000Z', office('Europe/Berlin'), '2026-03-02T09:30:00.000Z'],
    ['the same morning', '2026-03-02T05:00:00.000Z', office('Europe/Berlin'), '2026-03-02T08:00:00.000Z'],
    [
      'the next morning at the very end',
      '2026-03-02T16:00:00.000Z',
      office('Europe/Berlin'),
      '2026-03-03T08:00:00.000Z',
    ],
    [
      'Monday, over a weekend',
      '2026-03-06T18:00:00.000Z',
      office('America/New_York'),
      '2026-03-06T18:00:00.000Z',
    ],
    [
      'Monday, after Friday',
      '2026-03-06T22:00:00.000Z',
      office('America/New_York'),
      '2026-03-09T13:00:00.000Z',
    ],
  ])('is %s', (_, at, schedule, expected) => expect(opening(at, schedule)).toBe(expected));

  test('is where the recipient and the sender are both at work', () => {
    // Berlin 09–17 is 08–16 UTC, New York 09–17 is 14–22 UTC: they share 14–16.
    expect(opening('2026-03-02T08:00:00.000Z', office('Europe/Berlin'), office('America/New_York'))).toBe(
      '2026-03-02T14:00:00.000Z',
    );
    expect(opening('2026-03-02T16:00:00.000Z', office('Europe/Berlin'), office('America/New_York'))).toBe(
      '2026-03-03T14:00:00.000Z',
    );
  });

  test('never comes where the two never meet, or where there is no window', () => {
    expect(
      opening(
        '2026-03-02T08:00:00.000Z',
        office('Asia/Tokyo', '09:00', '10:00'),
        office('Asia/Tokyo', '11:00', '12:00'),
      ),
    ).toBeUndefined();
    expect(opening('2026-03-02T08:00:00.000Z', { ...office('UTC'), windows: [] })).toBeUndefined();
  });

  test('skips a day that is out, in the local calendar', () => {
    const out = { ...office('Asia/Tokyo'), blackout: ['2026-03-03'] };
    expect(opening('2026-03-02T20:00:00.000Z', out)).toBe('2026-03-04T00:00:00.000Z');
    expect(closedBy(new Date('2026-03-02T20:00:00.000Z'), [out])).toBe('blackout');
    expect(closedBy(new Date('2026-03-03T20:00:00.000Z'), [out])).toBe('outside_window');
  });

  test('skips the missing hour', () => {
    // Berlin, 29 March 2026: 02:00 becomes 03:00 (01:00 UTC).
    expect(opening('2026-03-29T00:30:00.000Z', everyDay('Europe/Berlin', '02:30', '03:30'))).toBe(
      '2026-03-29T01:00:00.000Z',
    );
    expect(opening('2026-03-29T00:30:00.000Z', everyDay('Europe/Berlin', '02:00', '02:45'))).toBe(
      '2026-03-30T00:00:00.000Z',
    );
  });

  test('takes the first of the doubled hour', () => {
    // Berlin, 25 October 2026: 03:00 becomes 02:00 (01:00 UTC).
    const nights = everyDay('Europe/Berlin', '02:15', '02:45');
    expect(opening('2026-10-24T23:00:00.000Z', nights)).toBe('2026-10-25T00:15:00.000Z');
    expect(opening('2026-10-25T01:20:00.000Z', nights)).toBe('2026-10-26T01:15:00.000Z');
  });

  test('is open itself, is never before the asked moment, and nothing between is open', () => {
    const zone = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'Pacific/Apia',
    );
    const hour = fc.integer({ min: 0, max: 22 });
    const schedule = fc
      .record({
        timezone: zone,
        from: hour,
        long: fc.integer({ min: 1, max: 8 }),
        days: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
      })
      .map(({ timezone, from, long, days }): Schedule => ({
        timezone,
        windows: [
          {
            days,
            from: `${String(from).padStart(2, '0')}:00`,
            to: `${String(Math.min(from + long, 24)).padStart(2, '0')}:00`,
          },
        ],
        blackout: [],
      }));
    const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(
        moment,
        fc.array(schedule, { minLength: 1, maxLength: 2 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (at, schedules, part) => {
          const next = nextOpening(at, schedules);
          if (next === null) return;
          expect(next.getTime()).toBeGreaterThanOrEqual(at.getTime());
          expect(openAt(next, schedules)).toBe(true);
          const between = new Date(at.getTime() + Math.floor((next.getTime() - at.getTime()) * part));
          if (between.getTime() < next.getTime()) expect(openAt(between, schedules)).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('a day begins at local midnight, or where the clocks begin it', () => {
  expect(nextDayIn(new Date('2026-03-02T10:00:00.000Z'), 'Europe/Berlin').toISOString()).toBe(
    '2026-03-02T23:00:00.000Z',
  );
  // Beirut, 29 March 2026: the day begins at 01:00.
  expect(nextDayIn(new Date('2026-03-28T12:00:00.000Z'), 'Asia/Beirut').toISOString()).toBe(
    '2026-03-28T22:00:00.000Z',
  );
});

test.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['+02:00', false],
  ['Nowhere/At_All', false],
  ['', false],
])('%j is a zone: %s', (name, known) => expect(isTimezone(name)).toBe(known));
