// When a letter may leave: the recipient’s weekdays and local hours, blackout days, and the sender’s own workday, all
// of which must agree (domain.md §6.5). Pure, for a given instant; computed in the zone, so that clock changes move
// nothing: the missing hour is skipped, and of the doubled hour the first counts.

/** Weekdays as ISO counts them, Monday 1 to Sunday 7; local times as `09:00`; `24:00` is the end of the day. */
export type Window = { days: readonly number[]; from: string; to: string };

export type Schedule = {
  /** An IANA name. */
  timezone: string;
  /** None: never. */
  windows: readonly Window[];
  /** Local days, `2026-12-24`, on which nothing opens. */
  blackout: readonly string[];
};

/** A stretch of time, epoch milliseconds; `to` is outside. */
type Stretch = { from: number; to: number };

/** How far ahead an opening is looked for: a year and a week, so that every yearly pattern comes by once. */
const HORIZON_DAYS = 372;

/** Open now? Every one of the schedules must say so. */
export const openAt = (at: Date, schedules: readonly Schedule[]): boolean =>
  schedules.every((schedule) => openOf(at.getTime(), schedule));

/** The earliest instant, not before `at`, at which all are open; null where none comes within a year. */
export function nextOpening(at: Date, schedules: readonly Schedule[]): Date | null {
  const [first, ...others] = schedules;
  if (!first) return at;
  for (const stretch of stretches(at.getTime(), first)) {
    let from: number | null = stretch.from;
    // Within one stretch of the first schedule the others are asked in turn until no one moves the moment on.
    while (from !== null && from < stretch.to) {
      const moved: number | null = others.reduce<number | null>(
        (moment, schedule) => (moment === null ? null : firstOf(moment, schedule)),
        from,
      );
      if (moved === null) return null;
      if (moved === from) return new Date(from);
      from = moved;
    }
  }
  return null;
}

/** Why nothing may leave now: outside the hours, or on a day that is out; null where all are open. */
export function closedBy(at: Date, schedules: readonly Schedule[]): 'blackout' | 'outside_window' | null {
  const shut = schedules.find((schedule) => !openOf(at.getTime(), schedule));
  if (!shut) return null;
  const day = localDay(at, shut.timezone);
  return shut.blackout.includes(day.toString()) ? 'blackout' : 'outside_window';
}

/** The calendar day in a zone, `2026-03-29`. */
export const dayIn = (at: Date, timezone: string): string => localDay(at, timezone).toString();

/** Midnight at which the next local day begins. */
export function nextDayIn(at: Date, timezone: string): Date {
  const next = localDay(at, timezone).add({ days: 1 });
  return new Date(next.toZonedDateTime({ timeZone: timezone }).epochMilliseconds);
}

/** Whether this runtime knows a zone by that name. */
export function isTimezone(name: string): boolean {
  try {
    // An offset such as +02:00 is no zone: it would not follow the clock changes of where someone lives.
    return /^[A-Za-z]/.test(name) && Boolean(localDay(new Date(0), name));
  } catch {
    return false;
  }
}

const localDay = (at: Date, timezone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone).toPlainDate();

function openOf(at: number, schedule: Schedule): boolean {
  const [now] = stretches(at, schedule);
  return now !== undefined && now.from === at;
}

function firstOf(at: number, schedule: Schedule): number | null {
  const [next] = stretches(at, schedule);
  return next?.from ?? null;
}

/** The stretches in which a schedule is open from `at` on, in order; the one that holds `at` begins with it. */
function* stretches(at: number, { timezone, windows, blackout }: Schedule): Generator<Stretch> {
  if (windows.length === 0) return;
  let day = localDay(new Date(at), timezone);
  for (let n = 0; n <= HORIZON_DAYS; n++, day = day.add({ days: 1 })) {
    if (blackout.includes(day.toString())) continue;
    const open = windows
      .filter(({ days }) => days.includes(day.dayOfWeek))
      .map(({ from, to }) => ({ from: instantOf(day, from, timezone), to: instantOf(day, to, timezone) }))
      .toSorted((a, b) => a.from - b.from);
    for (const { from, to } of open) if (to > at && from < to) yield { from: Math.max(from, at), to };
  }
}

/** A local time of a day as an instant: a time that the clocks skip is the moment of the change, of two the first. */
function instantOf(day: Temporal.PlainDate, time: string, timezone: string): number {
  const whole = time === '24:00';
  const date = whole ? day.add({ days: 1 }) : day;
  const local = date.toPlainDateTime(Temporal.PlainTime.from(whole ? '00:00' : time));
  const first = local.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  if (first.toPlainDateTime().equals(local)) return first.epochMilliseconds;
  const after = local.toZonedDateTime(timezone, { disambiguation: 'later' });
  // A nanosecond on, since a change that falls on this very moment would not count as before it.
  const change = after.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  return change?.epochMilliseconds ?? after.epochMilliseconds;
}
