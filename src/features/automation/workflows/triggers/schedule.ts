// When a schedule is next due: a five-field cron expression, read in a time zone.
import { Cron } from 'croner';
import type { Trigger } from '../contract.ts';

type Schedule = Extract<Trigger, { kind: 'schedule' }>;

const FIVE_FIELDS = /^\S+\s+\S+\s+\S+\s+\S+\s+\S+$/;

/** Null: never. Throws where the fields or the zone are none. */
export const nextDue = ({ cron, zone }: Schedule, from: Date): Date | null =>
  new Cron(cron, { timezone: zone, paused: true, mode: '5-part' }).nextRun(from);

export function faultOfSchedule(trigger: Trigger, now: Date): [name: string, says: string] | null {
  if (trigger.kind !== 'schedule') return null;
  const { cron, zone } = trigger;
  if (!isZone(zone)) return ['trigger.zone', `${zone} isn’t a time zone: use one such as Europe/Oslo or UTC`];
  if (!FIVE_FIELDS.test(cron))
    return ['trigger.cron', 'cron is five fields: minute, hour, day, month, weekday, such as 0 8 * * 1-5'];
  try {
    if (nextDue(trigger, now)) return null;
  } catch {
    return ['trigger.cron', 'cron is five fields: minute, hour, day, month, weekday, such as 0 8 * * 1-5'];
  }
  return ['trigger.cron', 'this schedule is never due'];
}

function isZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}
