// When letters of a campaign may leave: its hours in the recipient's zone, the sender's workday, its first and its last day.
// Pure and without jitter, so that a preview says the same at every look (domain.md §6.5).
import { dayIn, nextOpening, type Schedule, type Window } from '../../../mail/timing/windows.rules.ts';
import type { Campaign } from './contract.ts';

/** An identity of a pool, with its domain, as the checks and a preview look at it. */
export type PoolSender = {
  identity_id: string;
  weight: number;
  name: string;
  address: string;
  active: boolean;
  timezone: string;
  workday: Window | null;
  daily_cap: number;
  signature_text: string;
  signature_html: string;
  transport_kind: string;
  domain: string;
  domain_state: string;
  domain_cap: number;
  /** Of SPF, DKIM and DMARC: what each last was. */
  auth: string[];
};

type Hours = Pick<Campaign, 'windows' | 'blackout_dates' | 'starts_on' | 'ends_on' | 'timezone'>;
type Sender = { timezone: string; workday: Window | null };

/** The earliest instant for a recipient in `zone`; null: none within a year, or only after the last day. */
export function earliestAt(hours: Hours, sender: Sender | null, zone: string, now: Date): Date | null {
  const opens = nextOpening(notBefore(hours, now), schedulesOf(hours, sender, zone));
  if (opens === null) return null;
  return hours.ends_on !== null && dayIn(opens, hours.timezone) > hours.ends_on ? null : opens;
}

function schedulesOf(
  { windows, blackout_dates: blackout }: Hours,
  sender: Sender | null,
  timezone: string,
): Schedule[] {
  const recipient = { timezone, windows, blackout };
  if (!sender?.workday) return [recipient];
  return [recipient, { timezone: sender.timezone, windows: [sender.workday], blackout: [] }];
}

function notBefore({ starts_on, timezone }: Hours, now: Date): Date {
  if (starts_on === null || dayIn(now, timezone) >= starts_on) return now;
  const start = Temporal.PlainDate.from(starts_on).toZonedDateTime({ timeZone: timezone });
  return new Date(start.epochMilliseconds);
}

/** Days on which letters can leave, from today to the last day, both counted, at most a year of them. */
export function sendingDaysLeft({ windows, blackout_dates, ends_on, timezone }: Hours, now: Date): number {
  if (ends_on === null) return Infinity;
  const weekdays = new Set(windows.flatMap(({ days }) => days));
  let day = Temporal.PlainDate.from(dayIn(now, timezone));
  let left = 0;
  for (let n = 0; n < 366 && day.toString() <= ends_on; n++, day = day.add({ days: 1 }))
    if (weekdays.has(day.dayOfWeek) && !blackout_dates.includes(day.toString())) left += 1;
  return left;
}
