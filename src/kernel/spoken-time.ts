// Times as people say them: `yesterday`, `2026-11-16`, `7d`. A span looks back where something is read and ahead where something
// is changed; with a sign it goes where the sign says. Days begin in UTC.
import type { z } from 'zod';
import { after, DAY_MS, HOUR_MS } from './clock.ts';
import type { Asked } from './by-name.ts';
import { date, moment, time } from './shapes.ts';

/** Maps, since what is looked up in them is anyone’s text. */
const DAYS = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
]);
const UNITS = new Map([
  ['h', HOUR_MS],
  ['d', DAY_MS],
  ['w', 7 * DAY_MS],
]);

/** The arguments with times in place of such words; what is neither is left for the operation to refuse. */
export function withTimes(op: Asked, given: unknown, now: Date): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const changed: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== 'string' || !Object.hasOwn(op.takes.shape, key)) continue;
    const kind = kindOf(op.takes.shape[key] as z.ZodType);
    const said = kind === null ? null : read(value.trim().toLowerCase(), now, op.effect === 'read' ? -1 : 1);
    if (said === null) continue;
    changed[key] = kind === 'day' ? said.toISOString().slice(0, 10) : said.toISOString();
  }
  return Object.keys(changed).length === 0 ? given : { ...given, ...changed };
}

function kindOf(schema: z.ZodType): 'time' | 'day' | null {
  let inner: z.ZodType = schema;
  while ('innerType' in inner.def) inner = inner.def.innerType as z.ZodType;
  if (inner === date) return 'day';
  return inner === moment || inner === time ? 'time' : null;
}

function read(text: string, now: Date, way: 1 | -1): Date | null {
  if (text === 'now') return now;
  const day = DAYS.get(text);
  if (day !== undefined) return after(new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`), day * DAY_MS);
  const [, sign, count, unit = ''] = /^([+-]?)(\d{1,4})([hdw])$/.exec(text) ?? [];
  if (count !== undefined)
    return after(
      now,
      (sign === '' ? way : sign === '-' ? -1 : 1) * Number(count) * (UNITS.get(unit) ?? DAY_MS),
    );
  // A day where a time is asked for, and a time with an offset.
  if (/^\d{4}-\d\d-\d\d(t\d\d:\d\d(:\d\d(\.\d{1,9})?)?[+-]\d\d:\d\d)?$/.test(text)) return whole(text);
  return null;
}

function whole(text: string): Date | null {
  const read = new Date(text.toUpperCase());
  // A day that no month has would become one of the next.
  const isDay = text.length > 10 || read.toJSON()?.startsWith(text);
  return Number.isNaN(read.getTime()) || !isDay || read.getUTCFullYear() < 1 ? null : read;
}
