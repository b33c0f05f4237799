// What a pool can start on a day: allowances with their ramps, halved by a warning, under the caps of domains and campaign, and
// only where hours meet. Pure, and computed once for each zone and weekday, so that a year of days costs little.
import { allowanceOf, countedDay, domainAllowance } from '../../../../mail/timing/pacing.rules.ts';
import { dayIn, nextOpening, type Window } from '../../../../mail/timing/windows.rules.ts';

export type PacedSender = {
  identity_id: string;
  active: boolean;
  timezone: string;
  workday: Window | null;
  daily_cap: number;
  hourly_cap: number;
  min_gap_s: number;
  jitter_s: number;
  ramp: { start: number; step: number; day: number; ceiling: number };
  ramp_counted_on: string | null;
  domain_id: string;
  domain_state: string;
  domain_cap: number;
  warned: boolean;
  started: Record<string, number> | null;
  domain_started: Record<string, number> | null;
};

export type Hours = { windows: readonly Window[]; blackout_dates: readonly string[]; timezone: string };

const minutes = ({ from, to }: Window): number => clock(to) - clock(from);
const clock = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

export const usable = (senders: readonly PacedSender[]): PacedSender[] =>
  senders.filter(({ active, domain_state }) => active && domain_state === 'active');

/** Whether hours of a zone and someone's workday meet on a weekday; asked once for each. */
export function openMeetings(hours: Hours): (sender: PacedSender, zone: string, weekday: number) => boolean {
  const known = new Map<string, boolean>();
  return ({ timezone, workday }, zone, weekday) => {
    if (!workday) return hours.windows.some(({ days }) => days.includes(weekday));
    const key = `${zone} ${weekday} ${timezone} ${JSON.stringify(workday)}`;
    const answer = known.get(key) ?? meets(hours, { timezone, workday }, zone, weekday);
    known.set(key, answer);
    return answer;
  };
}

/** Tried in a week without a clock change: the middle of January. */
const SAMPLE = '2026-01-12';

function meets(
  { windows }: Hours,
  { timezone, workday }: { timezone: string; workday: Window },
  zone: string,
  weekday: number,
): boolean {
  const day = Temporal.PlainDate.from(SAMPLE).add({ days: weekday - 1 });
  const starts = day.toZonedDateTime({ timeZone: zone });
  const ends = day.add({ days: 1 }).toZonedDateTime({ timeZone: zone });
  const own = windows.filter(({ days }) => days.includes(weekday));
  const opens = nextOpening(new Date(starts.epochMilliseconds), [
    { timezone: zone, windows: own, blackout: [] },
    { timezone, windows: [workday], blackout: [] },
  ]);
  return opens !== null && opens.getTime() < ends.epochMilliseconds;
}

/** What the pace of one sender lets through in a day's hours: the gap between letters and the cap of an hour. */
function throughHours(sender: PacedSender, { windows }: Hours, weekday: number): number {
  const open = windows
    .filter(({ days }) => days.includes(weekday))
    .reduce((sum, each) => sum + minutes(each), 0);
  const most = Math.min(open, sender.workday ? minutes(sender.workday) : open);
  const gap = sender.min_gap_s + sender.jitter_s / 2;
  const byGap = gap === 0 ? Infinity : Math.floor((most * 60) / gap) + 1;
  return Math.min(byGap, Math.ceil(most / 60) * sender.hourly_cap);
}

/**
 * What the pool may start on one day of the campaign, `2026-03-02`. `ahead` is how many sending days lie between: the ramp
 * goes up by each.
 */
export function capacityOn(
  senders: readonly PacedSender[],
  hours: Hours & { daily_cap: number | null },
  day: string,
  ahead: number,
  now: Date,
): number {
  const weekday = Temporal.PlainDate.from(day).dayOfWeek;
  const today = ahead === 0;
  const byDomain = new Map<string, { sum: number; cap: number }>();
  for (const sender of usable(senders)) {
    const own = dayIn(now, sender.timezone);
    const counted = countedDay(sender.ramp, {
      counted_on: sender.ramp_counted_on,
      today: own,
      warned: sender.warned,
    });
    // A warned ramp is frozen.
    const ramp = { ...sender.ramp, day: counted.day + (sender.warned ? 0 : ahead) };
    const { allowance } = allowanceOf({ daily_cap: sender.daily_cap, ramp }, sender.warned);
    const left = Math.max(0, allowance - (today ? (sender.started?.[own] ?? 0) : 0));
    const utc = now.toISOString().slice(0, 10);
    const cap = domainAllowance(sender.domain_cap, sender.warned);
    const of = byDomain.get(sender.domain_id) ?? {
      sum: 0,
      cap: Math.max(0, cap - (today ? (sender.domain_started?.[utc] ?? 0) : 0)),
    };
    of.sum += Math.min(left, throughHours(sender, hours, weekday));
    byDomain.set(sender.domain_id, of);
  }
  return [...byDomain.values()].reduce((total, { sum, cap }) => total + Math.min(sum, cap), 0);
}
