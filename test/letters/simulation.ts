// Campaigns over days and weeks on a clock that a test moves, through the built-in sink: what started when is read from the
// rows and judged here by other means than the product's own (the platform's calendar, plain counting).
import { newId } from '../../src/kernel/ids.ts';
import { wakeLetters } from '../../src/features/outreach/sends/letter/flow.store.ts';
import { addressHash } from '../../src/mail/address.ts';
import type { TestApp } from '../support/app.ts';
import {
  seedCampaign,
  seedDomain,
  seedIdentity,
  seedLetters,
  seedPeople,
  type SeededIdentity,
  type SeededPerson,
  type Site,
} from './seed.ts';

export type Plan = {
  days: number;
  /** Minutes between two looks of the pass. */
  every_min: number;
  people: number;
  zones: readonly string[];
  identities: readonly {
    timezone: string;
    daily_cap: number;
    hourly_cap: number;
    min_gap_s: number;
    jitter_s: number;
    ramp_start: number;
    ramp_step: number;
    ramp_ceiling: number;
    workday: { days: number[]; from: string; to: string } | null;
  }[];
  campaign: {
    timezone: string;
    windows: { days: number[]; from: string; to: string }[];
    blackout: string[];
    daily_cap: number | null;
    new_per_day: number | null;
    touches_a_week: number;
  };
  domain_cap: number;
  /** Days until the second letter to each person. */
  follow_up_days: number;
  /** Between 0 and 1, the same for one plan: what happens around the letters, and when. */
  chance: () => number;
  /** Things that happen a day: a suppression, a pause, a hold, a reply. */
  happenings: number;
};

type Shut = { what: string; id: string; from: Date; until: Date | null };
type Row = {
  id: string;
  person_id: string;
  prospect_id: string;
  identity_id: string;
  step_id: string;
  state: string;
  scheduled_for: Date;
  not_before: Date | null;
  waiting_for: string | null;
  sending_at: Date | null;
  hold_reason: string | null;
};

export type Simulated = { faults: string[]; started: number; states: Record<string, number> };

export async function simulate(app: TestApp, plan: Plan): Promise<Simulated> {
  const { sql, clock, instance } = app;
  const site: Site = { sql, sealer: instance.app.sealer, base_url: instance.app.instance.base_url };
  await sql`truncate sends, prospects, campaigns, identities, domains, people, letters_started, suppressions,
            send_outcomes, event_deliveries, sender_lanes cascade`;
  await sql`update users set state = 'active'`;
  const began = clock.now();
  const domain = await seedDomain(site, began, {
    daily_cap: plan.domain_cap,
    name: `d${newId().slice(-8)}.example`,
  });
  const identities: SeededIdentity[] = [];
  for (const [n, columns] of plan.identities.entries())
    identities.push(
      await seedIdentity(site, domain, began, {
        local: `from${n}`,
        columns: { ...columns, workday: columns.workday && sql.json(columns.workday) },
      }),
    );
  const of = (n: number) => identities[n % identities.length]!;
  const { windows, blackout, touches_a_week, ...columns } = plan.campaign;
  const campaign = await seedCampaign(site, app.admin.id, began, {
    steps: [0, plan.follow_up_days],
    columns: {
      ...columns,
      windows: sql.json(windows),
      blackout_dates: blackout,
      max_touches_per_week_per_person: touches_a_week,
    },
  });
  const zoneOf = (n: number) => plan.zones[n % plan.zones.length]!;
  const people = await seedPeople(site, campaign, of, began, plan.people, zoneOf);
  await seedLetters(site, campaign, people, of, app.admin.id, began);
  const numbers = new Map(people.map((person, n) => [person.prospect_id, n]));

  const shut: Shut[] = [];
  let followed = began;
  const steps = (plan.days * 24 * 60) / plan.every_min;
  for (let n = 0; n < steps; n++) {
    clock.advance(plan.every_min * 60_000);
    if (plan.chance() < (plan.happenings * plan.every_min) / (24 * 60))
      await happen(app, plan, campaign.id, people, shut);
    await instance.jobs.run('letters');
    if (clock.now().getTime() - followed.getTime() < 6 * 3_600_000) continue;
    followed = clock.now();
    // What the stepping of the campaign will do: the second letter, due after its wait.
    const next = await sql<{ id: string; next_at: Date }[]>`
      select id, due_at as next_at from prospects
      where next_at is not null and step_id = ${campaign.steps[1]!} and ended is null`;
    for (const { id, next_at } of next) {
      const at = numbers.get(id)!;
      await seedLetters(site, campaign, [people[at]!], () => of(at), app.admin.id, next_at, { step: 1 });
    }
    await sql`update prospects set next_at = null where id = any(${next.map(({ id }) => id)}::uuid[])`;
  }
  const rows = await sql<Row[]>`
    select id, person_id, prospect_id, identity_id, step_id, state, scheduled_for, not_before, waiting_for, sending_at,
      hold_reason from sends order by sending_at`;
  const states: Record<string, number> = {};
  for (const { state } of rows) states[state] = (states[state] ?? 0) + 1;
  const started = rows.filter((row) => row.sending_at !== null);
  const ids = identities.map(({ id }) => id);
  const faults = [
    ...waitingFaults(rows),
    ...paceFaults(started, plan, ids),
    ...dayFaults(started, plan, ids),
    ...clockFaults(started, plan, ids, numbers),
    ...shutFaults(started, shut, campaign.id),
    ...touchFaults(started, plan),
  ];
  return { faults, started: started.length, states };
}

/** Something that shuts or opens a gate, in the rows as the other slices leave them. */
async function happen(
  { sql, clock }: TestApp,
  { chance }: Plan,
  campaign: string,
  people: readonly SeededPerson[],
  shut: Shut[],
): Promise<void> {
  const now = clock.now();
  const person = people[Math.floor(chance() * people.length)]!;
  const open = (what: string) => shut.find((each) => each.what === what && each.until === null);
  const which = chance();
  if (which < 0.3) {
    shut.push({ what: 'suppressed', id: person.id, from: now, until: null });
    await sql`insert into suppressions ${sql({
      id: newId(),
      kind: 'address',
      value: person.address,
      value_hash: addressHash(person.address),
      reason: 'unsubscribe',
      source: 'person',
      created_by_kind: 'person',
      created_by_id: 'seed',
      created_by_name: 'Seed',
      created_at: now,
    })} on conflict do nothing`;
  } else if (which < 0.5) {
    shut.push({ what: 'ended', id: person.prospect_id, from: now, until: null });
    await sql`update prospects set ended = 'replied', ended_at = ${now}, next_at = null where id = ${person.prospect_id}`;
  } else if (which < 0.65) {
    const until = new Date(now.getTime() + 2 * 86_400_000);
    shut.push({ what: 'away', id: person.prospect_id, from: now, until });
    await sql`update prospects set hold_by = 'away', hold_reason = 'away', held_at = ${now}, hold_until = ${until}
              where id = ${person.prospect_id}`;
  } else if (which < 0.8) {
    const paused = open('paused');
    if (paused) paused.until = now;
    else shut.push({ what: 'paused', id: campaign, from: now, until: null });
    await sql`update campaigns set state = ${paused ? 'active' : 'paused'}, paused_reason = ${paused ? null : 'person'}
              where id = ${campaign}`;
    // As activating does.
    if (paused) await sql.begin((tx) => wakeLetters(tx, { campaign_id: campaign }, now));
  } else {
    const gone = open('user');
    if (gone) gone.until = now;
    else shut.push({ what: 'user', id: campaign, from: now, until: null });
    await sql`update users set state = ${gone ? 'active' : 'disabled'}`;
    if (gone)
      await sql`update sends set state = 'scheduled', hold_reason = null, held_at = null, hold_evidence = null
                where state = 'held' and hold_reason = 'approval_stale'`;
  }
}

function shutFaults(started: readonly Row[], shut: readonly Shut[], campaign: string): string[] {
  return shut.flatMap(({ what, id, from, until }) =>
    started
      .filter((row) => [row.person_id, row.prospect_id, campaign].includes(id))
      .filter(({ sending_at }) => sending_at! > from && (until === null || sending_at! < until))
      .map((row) => `${row.id} started while ${what}`),
  );
}

const waitingFaults = (rows: readonly Row[]): string[] =>
  rows
    .filter((row) => row.state === 'scheduled' && row.waiting_for !== null && row.not_before === null)
    .map(({ id, waiting_for }) => `${id} waits for ${waiting_for} without a time`);

function paceFaults(started: readonly Row[], { identities }: Plan, ids: readonly string[]): string[] {
  return ids.flatMap((id, n) => {
    const at = started.filter((row) => row.identity_id === id).map((row) => row.sending_at!.getTime());
    const { min_gap_s, hourly_cap } = identities[n]!;
    const near = at.filter((time, k) => k > 0 && time - at[k - 1]! < min_gap_s * 1000);
    const full = at.filter((time, k) => k >= hourly_cap && time - at[k - hourly_cap]! < 3_600_000);
    return [
      ...near.map((time) => `${id} broke its gap at ${new Date(time).toISOString()}`),
      ...full.map((time) => `${id} broke its hour at ${new Date(time).toISOString()}`),
    ];
  });
}

function dayFaults(started: readonly Row[], plan: Plan, ids: readonly string[]): string[] {
  const faults: string[] = [];
  const perDay = (rows: readonly Row[], timezone: string): Map<string, number> => {
    const days = new Map<string, number>();
    for (const { sending_at } of rows) {
      const day = localOf(sending_at!, timezone).day;
      days.set(day, (days.get(day) ?? 0) + 1);
    }
    return days;
  };
  for (const [n, id] of ids.entries()) {
    const { timezone, daily_cap, ramp_start, ramp_step, ramp_ceiling } = plan.identities[n]!;
    const days = perDay(
      started.filter((row) => row.identity_id === id),
      timezone,
    );
    for (const [at, [day, count]] of [...days].entries())
      if (count > Math.min(daily_cap, ramp_ceiling, ramp_start + ramp_step * at))
        faults.push(`${id} started ${count} on ${day}, its sending day ${at}`);
  }
  for (const [day, count] of perDay(started, 'UTC'))
    if (count > plan.domain_cap) faults.push(`the domain started ${count} on ${day}`);
  const { timezone, daily_cap, new_per_day } = plan.campaign;
  for (const [day, count] of perDay(started, timezone))
    if (daily_cap !== null && count > daily_cap) faults.push(`the campaign started ${count} on ${day}`);
  const seen = new Set<string>();
  const firsts = started.filter((row) => !seen.has(row.prospect_id) && seen.add(row.prospect_id));
  for (const [day, count] of perDay(firsts, timezone))
    if (new_per_day !== null && count > new_per_day) faults.push(`${count} new people on ${day}`);
  return faults;
}

function clockFaults(
  started: readonly Row[],
  { campaign, identities, zones }: Plan,
  ids: readonly string[],
  numbers: ReadonlyMap<string, number>,
): string[] {
  return started.flatMap((row) => {
    const at = row.sending_at!;
    const faults = at < row.scheduled_for ? [`${row.id} started before it was due`] : [];
    const there = localOf(at, zones[numbers.get(row.prospect_id)! % zones.length]!);
    if (campaign.blackout.includes(there.day)) faults.push(`${row.id} started on ${there.day}`);
    if (!campaign.windows.some((window) => within(there, window)))
      faults.push(`${row.id} started at ${there.time} of their clock on weekday ${there.weekday}`);
    const { workday, timezone } = identities[ids.indexOf(row.identity_id)]!;
    if (workday && !within(localOf(at, timezone), workday))
      faults.push(`${row.id} started outside the workday`);
    return faults;
  });
}

function touchFaults(started: readonly Row[], { campaign }: Plan): string[] {
  const byPerson = new Map<string, number[]>();
  for (const { person_id, sending_at } of started)
    byPerson.set(person_id, [...(byPerson.get(person_id) ?? []), sending_at!.getTime()]);
  return [...byPerson].flatMap(([id, at]) =>
    at
      .filter(
        (time, n) => n >= campaign.touches_a_week && time - at[n - campaign.touches_a_week]! < 7 * 86_400_000,
      )
      .map(() => `${id} had more than ${campaign.touches_a_week} letters in a week`),
  );
}

type Local = { day: string; time: string; weekday: number };

const formats = new Map<string, Intl.DateTimeFormat>();
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** By the platform's formatter: the product reckons with Temporal. */
function localOf(at: Date, timezone: string): Local {
  const format =
    formats.get(timezone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: timezone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      weekday: 'short',
      hourCycle: 'h23',
    });
  formats.set(timezone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    day: `${parts['year']}-${parts['month']}-${parts['day']}`,
    time: `${parts['hour']}:${parts['minute']}`,
    weekday: WEEKDAYS.indexOf(parts['weekday']!) + 1,
  };
}

const within = ({ time, weekday }: Local, window: { days: number[]; from: string; to: string }): boolean =>
  window.days.includes(weekday) && time >= window.from && time < window.to;
