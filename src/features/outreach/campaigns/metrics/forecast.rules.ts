// Forecasts when a campaign is done, pure: day by day, due letters go out as far as the day’s capacity reaches, follow-ups
// first, and each person’s next letter is due after its wait. Branches are assumed to go straight on.
import { recipientZone } from '../../../../mail/timing/zones.rules.ts';
import { dayIn } from '../../../../mail/timing/windows.rules.ts';
import type { Forecast } from '../metrics.contract.ts';
import { capacityOn, type Hours, openMeetings, type PacedSender, usable } from './pace.rules.ts';

export type ForecastFacts = {
  campaign: Hours & {
    id: string;
    starts_on: string | null;
    ends_on: string | null;
    daily_cap: number | null;
    new_per_day: number | null;
    first_delay: { days: number; hours: number };
    started_today: number;
  };
  senders: readonly PacedSender[];
  /** In order. */
  steps: readonly { id: string; kind: string; wait: { days: number; hours: number } }[];
  cohorts: readonly {
    step_id: string | null;
    due_on: string | null;
    timezone: string | null;
    company_timezone: string | null;
    country: string | null;
    people: number;
  }[];
};

const HORIZON_DAYS = 366;

/** People who wait for the same letter in the same zone since the same day. */
type Queue = { letter: number; zone: string; ready: number; people: number };

export function forecastOf(facts: ForecastFacts, now: Date): Forecast {
  const { campaign, senders } = facts;
  const letters = lettersOf(facts.steps);
  const today = Temporal.PlainDate.from(dayIn(now, campaign.timezone));
  let queues = queuesOf(facts, letters, today);
  const people_left = facts.cohorts.reduce((sum, { people }) => sum + people, 0);
  const letters_left = queues.reduce(
    (sum, { letter, people }) => sum + (letters.length - letter) * people,
    0,
  );
  const answer: Forecast = {
    campaign_id: campaign.id,
    as_of: now.toISOString(),
    people_left,
    letters_left,
    days: [],
    finishes_on: null,
    why_not: null,
  };
  if (letters_left === 0) return { ...answer, finishes_on: today.toString() };
  const meets = openMeetings(campaign);
  const pool = usable(senders);
  let left = letters_left;
  let sendingDays = 0;
  for (let n = 0; n < HORIZON_DAYS && left > 0; n++) {
    const date = today.add({ days: n });
    const day = date.toString();
    const shut = isShut(campaign, day);
    const open = (zone: string): boolean =>
      !shut && pool.some((sender) => meets(sender, zone, date.dayOfWeek));
    const zones = new Set(queues.map(({ zone }) => zone));
    const awake = shut
      ? []
      : pool.filter((sender) => zones.values().some((zone) => meets(sender, zone, date.dayOfWeek)));
    const most = shut ? 0 : capacityOn(awake, campaign, day, sendingDays, now);
    const capped = Math.min(
      most,
      Math.max(0, (campaign.daily_cap ?? most) - (n === 0 ? campaign.started_today : 0)),
    );
    const sent = sendDay(queues, letters, n, capped, campaign.new_per_day ?? Infinity, open);
    queues = sent.queues;
    left -= sent.letters;
    if (most > 0) sendingDays += 1;
    answer.days.push({ day, capacity: capped, letters: sent.letters, left });
    if (left === 0) answer.finishes_on = day;
  }
  return left === 0 ? answer : { ...answer, why_not: whyNot(facts, pool.length, answer) };
}

/** What may still start today, by the campaign's own clock. */
export function leftToday(
  { campaign, senders }: Pick<ForecastFacts, 'campaign' | 'senders'>,
  now: Date,
): number {
  const today = dayIn(now, campaign.timezone);
  if (isShut(campaign, today)) return 0;
  const meets = openMeetings(campaign);
  const weekday = Temporal.PlainDate.from(today).dayOfWeek;
  const awake = usable(senders).filter((sender) => meets(sender, campaign.timezone, weekday));
  const most = capacityOn(awake, campaign, today, 0, now);
  return Math.min(most, Math.max(0, (campaign.daily_cap ?? most) - campaign.started_today));
}

const isShut = ({ blackout_dates, starts_on, ends_on }: ForecastFacts['campaign'], day: string): boolean =>
  blackout_dates.includes(day) ||
  (starts_on !== null && day < starts_on) ||
  (ends_on !== null && day > ends_on);

type LetterStep = { id: string; after_days: number };

/** The letters of a sequence, each with the days between it and the one before: every step between is waited for. */
function lettersOf(steps: ForecastFacts['steps']): (LetterStep & { steps: string[] })[] {
  const letters: (LetterStep & { steps: string[] })[] = [];
  let hours = 0;
  let passed: string[] = [];
  for (const { id, kind, wait } of steps) {
    hours += wait.days * 24 + wait.hours;
    passed.push(id);
    if (kind !== 'letter') continue;
    letters.push({ id, after_days: Math.ceil(hours / 24), steps: passed });
    hours = 0;
    passed = [];
  }
  return letters;
}

function queuesOf(
  { cohorts, campaign }: ForecastFacts,
  letters: ReturnType<typeof lettersOf>,
  today: Temporal.PlainDate,
): Queue[] {
  const queues = new Map<string, Queue>();
  for (const { step_id, due_on, timezone, company_timezone, country, people } of cohorts) {
    // Whoever is at a task or a branch comes to the letter after it.
    const letter = step_id === null ? 0 : letters.findIndex(({ steps }) => steps.includes(step_id));
    if (letter === -1 || letters.length === 0) continue;
    const { timezone: zone } = recipientZone({
      person: timezone,
      company: company_timezone,
      domain: country === null ? null : `x.${country}`,
      campaign: campaign.timezone,
    });
    const delay = Math.ceil((campaign.first_delay.days * 24 + campaign.first_delay.hours) / 24);
    const ready =
      due_on === null
        ? delay + (step_id === null ? (letters[0]?.after_days ?? 0) : 0)
        : Math.max(0, today.until(due_on, { largestUnit: 'days' }).days);
    const key = `${letter} ${zone} ${ready}`;
    const queue = queues.get(key) ?? { letter, zone, ready, people: 0 };
    queue.people += people;
    queues.set(key, queue);
  }
  return [...queues.values()];
}

/** What goes on one day: follow-ups first, the longest waiting first. */
function sendDay(
  queues: readonly Queue[],
  letters: readonly LetterStep[],
  day: number,
  capacity: number,
  fresh: number,
  open: (zone: string) => boolean,
): { queues: Queue[]; letters: number } {
  const next = new Map<string, Queue>();
  const add = (queue: Queue): void => {
    if (queue.people === 0) return;
    const key = `${queue.letter} ${queue.zone} ${queue.ready}`;
    const there = next.get(key);
    if (there) there.people += queue.people;
    else next.set(key, queue);
  };
  const ordered = queues.toSorted(
    (a, b) => Number(a.letter === 0) - Number(b.letter === 0) || a.ready - b.ready,
  );
  const zones = new Map<string, boolean>();
  let [room, firsts, sent] = [capacity, fresh, 0];
  for (const queue of ordered) {
    const isOpen = zones.get(queue.zone) ?? open(queue.zone);
    zones.set(queue.zone, isOpen);
    const may = queue.ready <= day && isOpen ? Math.min(room, queue.letter === 0 ? firsts : room) : 0;
    const goes = Math.min(queue.people, may);
    room -= goes;
    if (queue.letter === 0) firsts -= goes;
    sent += goes;
    add({ ...queue, people: queue.people - goes });
    const following = letters[queue.letter + 1];
    if (following)
      add({ ...queue, letter: queue.letter + 1, ready: day + following.after_days, people: goes });
  }
  return { queues: [...next.values()], letters: sent };
}

function whyNot({ campaign }: ForecastFacts, pool: number, { days }: Forecast): string {
  if (pool === 0) return 'No identity in the pool is active on an active domain.';
  if (campaign.daily_cap === 0) return 'The daily cap is 0.';
  if (campaign.ends_on !== null && days.some(({ day }) => day > (campaign.ends_on ?? '')))
    return `The campaign ends on ${campaign.ends_on}, before all its letters can be sent.`;
  if (days.every(({ capacity }) => capacity === 0))
    return 'The campaign’s hours and its senders’ working hours don’t overlap.';
  return 'The letters can’t all be sent within a year.';
}
