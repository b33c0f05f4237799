// Until when an away message keeps someone back (domain.md §6.6), pure: the first working day after the one on which they
// are back, in their own zone; seven days where no date was read, or none that can be meant.
import { DAY_MS, after } from '../../../../kernel/clock.ts';

const AWAY_DAYS = 7;
/** Who is away for longer than this has left. */
const LONGEST_DAYS = 400;
const SATURDAY = 6;

/** `returns_on`: the first day on which they are there again, `2026-03-02`. `timezone` is a name that the runtime knows. */
export function awayUntil(
  { returns_on, timezone }: { returns_on: string | null; timezone: string },
  now: Date,
): Date {
  const otherwise = after(now, AWAY_DAYS * DAY_MS);
  if (returns_on === null || !/^\d{4}-\d{2}-\d{2}$/.test(returns_on)) return otherwise;
  let day: Temporal.PlainDate;
  try {
    day = Temporal.PlainDate.from(returns_on).add({ days: 1 });
  } catch {
    // A day that no calendar has.
    return otherwise;
  }
  while (day.dayOfWeek >= SATURDAY) day = day.add({ days: 1 });
  const until = new Date(day.toZonedDateTime({ timeZone: timezone }).epochMilliseconds);
  return until > now && until < after(now, LONGEST_DAYS * DAY_MS) ? until : otherwise;
}
