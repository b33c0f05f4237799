// When a snoozed conversation may come back and an answer may go later, as moments that people name, in the time zone of
// whoever chooses and of whom it is with.
export type LaterChoice = { key: string; title: string; at: Date };

type Wall = { year: number; month: number; day: number; hour: number; minute: number; weekday: number };

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MORNING = 8;
/** The latest hour that is still offered for today. */
const EVENING = 20;

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

/** `days` after today, at eight. */
const morning = (today: Wall, days: number, zone: string): Date =>
  momentOf({ ...today, day: today.day + days, hour: MORNING, minute: 0 }, zone);

/** Until Monday, from tomorrow on. */
const toMonday = ({ weekday }: Wall): number => (8 - weekday) % 7 || 7;

/** In `hours`, by the full hour; none where that is late in the evening, or tomorrow. */
function laterToday(now: Date, today: Wall, hours: number, zone: string): LaterChoice[] {
  const hour = today.hour + hours;
  if (hour > EVENING) return [];
  return [{ key: 'later', title: 'Later today', at: momentOf({ ...today, hour, minute: 0 }, zone) }].filter(
    ({ at }) => at > now,
  );
}

/** `theirs`: the zone of whom it is with, where it is known. */
export function snoozeChoices(now: Date, zone: string, theirs: string | null): LaterChoice[] {
  const today = wallIn(zone, now);
  const monday = toMonday(today);
  const choices: LaterChoice[] = [
    ...laterToday(now, today, 3, zone),
    { key: 'tomorrow', title: 'Tomorrow', at: morning(today, 1, zone) },
    ...(monday === 1 ? [] : [{ key: 'monday', title: 'Monday', at: morning(today, monday, zone) }]),
    { key: 'week', title: 'In a week', at: morning(today, 7, zone) },
  ];
  if (theirs === null || theirs === zone) return choices;
  const there = wallIn(theirs, now);
  const at = morning(there, there.hour < MORNING ? 0 : 1, theirs);
  return [...choices, { key: 'theirs', title: 'When their morning begins', at }];
}

/** When an answer may go later: mornings where whoever gets it is, as far as that is known. */
export function sendChoices(now: Date, zone: string, theirs: string | null): LaterChoice[] {
  const there = theirs ?? zone;
  const today = wallIn(there, now);
  const monday = toMonday(today);
  const whose = there === zone ? '' : ', their time';
  return [
    ...laterToday(now, wallIn(zone, now), 2, zone),
    ...(today.hour < MORNING
      ? [{ key: 'today', title: `Today 8:00${whose}`, at: morning(today, 0, there) }]
      : []),
    { key: 'tomorrow', title: `Tomorrow 8:00${whose}`, at: morning(today, 1, there) },
    ...(monday === 1
      ? []
      : [{ key: 'monday', title: `Monday 8:00${whose}`, at: morning(today, monday, there) }]),
  ];
}
