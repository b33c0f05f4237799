import { expect, test } from 'vitest';
import { momentOf, sendChoices, snoozeChoices, wallIn } from './snooze.rules.ts';

const at = (now: string, zone: string, theirs: string | null = null) =>
  Object.fromEntries(
    snoozeChoices(new Date(now), zone, theirs).map((one) => [one.key, one.at.toISOString()]),
  );

test('mornings are eight o’clock where whoever snoozes is, also across a change of the clocks', () => {
  // Saturday; in Berlin the clocks go forward in the night.
  const choices = at('2026-03-28T10:00:30Z', 'Europe/Berlin');
  expect(choices).toEqual({
    later: '2026-03-28T13:00:00.000Z',
    tomorrow: '2026-03-29T06:00:00.000Z',
    monday: '2026-03-30T06:00:00.000Z',
    week: '2026-04-04T06:00:00.000Z',
  });
  expect(at('2026-03-02T10:00:00Z', 'UTC')['monday']).toBe('2026-03-09T08:00:00.000Z');
  expect(at('2026-12-31T23:30:00Z', 'Pacific/Auckland')['tomorrow']).toBe('2027-01-01T19:00:00.000Z');
});

test('no choice says today when it is tomorrow, and none is there twice', () => {
  expect(at('2026-03-02T18:30:00Z', 'UTC')).not.toHaveProperty('later');
  // Sunday: tomorrow is Monday.
  expect(at('2026-03-01T10:00:00Z', 'UTC')).toMatchObject({ tomorrow: '2026-03-02T08:00:00.000Z' });
  expect(at('2026-03-01T10:00:00Z', 'UTC')).not.toHaveProperty('monday');
});

test('the morning of whom it is with is offered where it is another one', () => {
  expect(at('2026-01-07T10:00:00Z', 'Europe/Berlin', 'America/New_York')['theirs']).toBe(
    '2026-01-07T13:00:00.000Z',
  );
  expect(at('2026-01-07T10:00:00Z', 'Europe/Berlin', 'Asia/Tokyo')['theirs']).toBe(
    '2026-01-07T23:00:00.000Z',
  );
  expect(at('2026-01-07T10:00:00Z', 'UTC', 'UTC')).not.toHaveProperty('theirs');
});

test('an answer goes later by the morning of whoever gets it, and says so', () => {
  const offered = (now: string, zone: string, theirs: string | null) =>
    sendChoices(new Date(now), zone, theirs).map(({ title, at: when }) => [title, when.toISOString()]);
  expect(offered('2026-01-07T10:00:00Z', 'Europe/Berlin', 'America/New_York')).toEqual([
    ['Later today', '2026-01-07T12:00:00.000Z'],
    ['Today 8:00, their time', '2026-01-07T13:00:00.000Z'],
    ['Tomorrow 8:00, their time', '2026-01-08T13:00:00.000Z'],
    ['Monday 8:00, their time', '2026-01-12T13:00:00.000Z'],
  ]);
  expect(offered('2026-01-07T21:00:00Z', 'UTC', null)).toEqual([
    ['Tomorrow 8:00', '2026-01-08T08:00:00.000Z'],
    ['Monday 8:00', '2026-01-12T08:00:00.000Z'],
  ]);
});

test('an hour that the clocks skip becomes the one after', () => {
  const moment = momentOf({ year: 2026, month: 3, day: 29, hour: 2, minute: 30 }, 'Europe/Berlin');
  expect(wallIn('Europe/Berlin', moment)).toMatchObject({ day: 29, hour: 3, minute: 30 });
});
