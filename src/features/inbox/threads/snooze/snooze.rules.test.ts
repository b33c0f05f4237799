import { expect, test } from 'vitest';
import { momentOf, snoozeChoices, wallIn } from './snooze.rules.ts';

const at = (now: string, zone: string, theirs: string | null = null) =>
  Object.fromEntries(
    snoozeChoices(new Date(now), zone, theirs).map((one) => [one.key, one.at.toISOString()]),
  );

test('mornings are nine o’clock where whoever snoozes is, also across a change of the clocks', () => {
  // Saturday; in Berlin the clocks go forward in the night.
  const choices = at('2026-03-28T10:00:30Z', 'Europe/Berlin');
  expect(choices).toEqual({
    later: '2026-03-28T13:00:00.000Z',
    tomorrow: '2026-03-29T07:00:00.000Z',
    monday: '2026-03-30T07:00:00.000Z',
    week: '2026-04-04T07:00:00.000Z',
    month: '2026-04-25T07:00:00.000Z',
  });
  expect(at('2026-03-02T10:00:00Z', 'UTC')['monday']).toBe('2026-03-09T09:00:00.000Z');
  expect(at('2026-03-01T10:00:00Z', 'UTC')['monday']).toBe('2026-03-02T09:00:00.000Z');
  expect(at('2026-12-31T23:30:00Z', 'Pacific/Auckland')['tomorrow']).toBe('2027-01-01T20:00:00.000Z');
});

test('the morning of whom it is with is offered where it is another one', () => {
  expect(at('2026-01-07T10:00:00Z', 'Europe/Berlin', 'America/New_York')['theirs']).toBe(
    '2026-01-07T14:00:00.000Z',
  );
  expect(at('2026-01-07T10:00:00Z', 'Europe/Berlin', 'Asia/Tokyo')['theirs']).toBe(
    '2026-01-08T00:00:00.000Z',
  );
  expect(at('2026-01-07T10:00:00Z', 'UTC', 'UTC')).not.toHaveProperty('theirs');
});

test('an hour that the clocks skip becomes the one after', () => {
  const moment = momentOf({ year: 2026, month: 3, day: 29, hour: 2, minute: 30 }, 'Europe/Berlin');
  expect(wallIn('Europe/Berlin', moment)).toMatchObject({ day: 29, hour: 3, minute: 30 });
});
