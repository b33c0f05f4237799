// When a snoozed conversation may come back, as moments that people name, in the time zone of whoever snoozes it and of whom
// it is with.
import { HOUR_MS, MINUTE_MS } from '../../../../kernel/clock.ts';

export type SnoozeChoice = { key: string; title: string; at: Date };

type Wall = { year: number; month: number; day: number; hour: number; minute: number; weekday: number };

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MORNING = 9;

/** What the clock on the wall shows there. */
export function wallIn(zone: string, at: Date): Wall {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '0';
  return {
    year: Number(part('year')),
    month: Number(part('month')),
    day: Number(part('day')),
    hour: Number(part('hour')),
    minute: Number(part('minute')),
    weekday: WEEKDAYS.indexOf(part('weekday')),
  };
}

const asUtc = ({ year, month, day, hour, minute }: Omit<Wall, 'weekday'>): number =>
  Date.UTC(year, month - 1, day, hour, minute);

/** The moment at which a wall clock there shows this; of an hour that is skipped, the one after. */
export function momentOf(wall: Omit<Wall, 'weekday'>, zone: string): Date {
  const meant = asUtc(wall);
  let at = meant;
  // The offset depends on the moment that is looked for: twice is enough, also across a change of it.
  for (let round = 0; round < 2; round += 1) at = meant - (asUtc(wallIn(zone, new Date(at))) - at);
  return new Date(at);
}

/** `days` after today, at nine. */
const morning = (today: Wall, days: number, zone: string): Date =>
  momentOf({ ...today, day: today.day + days, hour: MORNING, minute: 0 }, zone);

/** `theirs`: the zone of whom it is with, where it is known. */
export function snoozeChoices(now: Date, zone: string, theirs: string | null): SnoozeChoice[] {
  const today = wallIn(zone, now);
  const later = new Date(now.getTime() + 3 * HOUR_MS);
  const toMonday = (8 - today.weekday) % 7 || 7;
  const choices: SnoozeChoice[] = [
    { key: 'later', title: 'In three hours', at: new Date(later.getTime() - (later.getTime() % MINUTE_MS)) },
    { key: 'tomorrow', title: 'Tomorrow morning', at: morning(today, 1, zone) },
    { key: 'monday', title: 'Monday morning', at: morning(today, toMonday, zone) },
    { key: 'week', title: 'In a week', at: morning(today, 7, zone) },
    { key: 'month', title: 'In four weeks', at: morning(today, 28, zone) },
  ];
  if (theirs === null || theirs === zone) return choices;
  const there = wallIn(theirs, now);
  const at = morning(there, there.hour < MORNING ? 0 : 1, theirs);
  return [...choices, { key: 'theirs', title: 'When their morning begins', at }];
}
